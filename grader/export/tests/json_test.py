"""The JSON document holds every stored fact."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from grader.export import write
from grader.model.lab import Lab
from grader.model.result import Result
from grader.model.verdict import Verdict
from grader.presentation.tests.made_up_class import LAB, made_up_class, make_result


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is not JSON")


def _document(results: list[Result], folder: Path) -> dict[str, Any]:
    (path,) = write("json", iter(results), LAB, folder / "out.json")
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"), parse_constant=_refuse)
    return document


def test_gives_back_lab_and_results_as_they_were_stored(tmp_path: Path) -> None:
    results = list(made_up_class(40))
    document = _document(results, tmp_path)
    assert Lab.model_validate(document["lab"]) == LAB
    records = document["results"]
    assert [record.pop("graded") for record in records].count(False) == 1
    assert [Result.model_validate(record) for record in records] == results


def test_writes_a_valid_document_for_an_empty_class(tmp_path: Path) -> None:
    assert _document([], tmp_path)["results"] == []


def test_writes_null_for_a_ratio_that_is_no_number(tmp_path: Path) -> None:
    result = make_result("student01", Verdict.TOO_SLOW, Verdict.ACCEPTED)
    assert result.parts[0].timing is not None
    result.parts[0].timing.high = math.inf
    (record,) = _document([result], tmp_path)["results"]
    assert record["parts"][0]["timing"]["high"] is None
