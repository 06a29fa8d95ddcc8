"""Every stored fact as one JSON document, for scripts, and its schema."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from grader.model.files import replacing, write_text
from grader.model.lab import Lab
from grader.model.result import Result
from grader.pages.export.place import single_file
from grader.pages.export.results_schema import VERSION, page
from grader.pages.presentation.facts import is_graded


def record(result: Result) -> dict[str, Any]:
    """The stored record with `graded` added: false where the points are not final."""
    # model_dump_json() writes NaN and infinity as null; json.dumps would not.
    return {"graded": is_graded(result), **json.loads(result.model_dump_json())}


def export(results: Iterable[Result], lab: Lab, path: Path) -> list[Path]:
    """Writes `{"schema": 1, "lab": …, "results": […]}`, each result as its `record`.

    To `path`, or to `results.json` in it with results.schema.json beside it.
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
    if target == path:
        return [target]
    return [target, write_text(target.with_name("results.schema.json"), page())]
