"""Every stored fact as one JSON document, for scripts; results.schema.json describes it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from grader.model.files import replacing
from grader.model.lab import Lab
from grader.model.result import Result
from grader.pages.export.place import single_file
from grader.pages.presentation.facts import is_graded

VERSION = 1
"""See results_schema.py for when it grows."""


def record(result: Result) -> dict[str, Any]:
    """The stored record with `graded` added: false where the points are not final."""
    # model_dump_json() writes NaN and infinity as null; json.dumps would not.
    return {"graded": is_graded(result), **json.loads(result.model_dump_json())}


def export(results: Iterable[Result], lab: Lab, path: Path) -> list[Path]:
    """Writes `path` (or `results.json` in it): `{"schema": 1, "lab": …, "results": […]}`.

    Each result is its `record`.
    """
    target = single_file(path, "results.json")
    with replacing(target) as file:
        # model_dump_json() writes NaN and infinity as null; json.dumps would not.
        file.write(f'{{\n"schema": {VERSION},\n"lab": {lab.model_dump_json()}')
        file.write(',\n"results": [')
        separator = "\n"
        for result in results:
            file.write(separator + json.dumps(record(result), ensure_ascii=False))
            separator = ",\n"
        file.write("\n]\n}\n")
    return [target]
