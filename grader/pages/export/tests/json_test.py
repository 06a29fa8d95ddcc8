"""The JSON document holds every stored fact."""

import json
import math
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from grader.model.lab import Lab
from grader.model.result import Result
from grader.model.verdict import Verdict
from grader.pages.export import results_schema, write
from grader.pages.presentation.tests.made_up_class import (
    LAB,
    counted_lab,
    counted_result,
    made_up_class,
    make_result,
)


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
    assert [record.pop("graded") for record in records].count(False) == 2
    assert [Result.model_validate(record) for record in records] == results


def _strict(value: Any) -> Any:  # noqa: ANN401 (any part of a schema)
    """The schema without leave for fields that it does not describe."""
    if isinstance(value, list):
        return [_strict(item) for item in value]
    if not isinstance(value, dict):
        return value
    closed = {"additionalProperties": False} if "properties" in value else {}
    return closed | {key: _strict(item) for key, item in value.items()}


def test_the_schema_is_written_beside_the_results(tmp_path: Path) -> None:
    document, schema = (json.loads(path.read_text()) for path in write("json", [], LAB, tmp_path))
    assert schema == results_schema.schema()
    jsonschema.validate(document, schema)


def test_every_field_is_described_by_the_schema(tmp_path: Path) -> None:
    schema = _strict(results_schema.schema())
    jsonschema.Draft202012Validator.check_schema(schema)
    results = list(made_up_class(40))
    jsonschema.validate(_document(results, tmp_path), schema)
    counted = counted_result(0.5, "Kernel", "advice")
    (path,) = write("json", [counted], counted_lab(), tmp_path / "counted.json")
    jsonschema.validate(json.loads(path.read_text(encoding="utf-8")), schema)


@pytest.mark.parametrize("field", ["graded", "points", "key", "parts", "protections_lost"])
def test_the_schema_refuses_a_result_with_a_wrong_field(tmp_path: Path, field: str) -> None:
    document = _document(list(made_up_class(1)), tmp_path)
    document["results"][0][field] = "wrong"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, results_schema.schema())


def test_writes_null_for_a_limit_that_is_infinite(tmp_path: Path) -> None:
    part = LAB.parts[0].model_copy(update={"host_bytes": math.inf})
    lab = LAB.model_copy(update={"parts": [part]})
    (path,) = write("json", [], lab, tmp_path / "out.json")
    document = json.loads(path.read_text(encoding="utf-8"), parse_constant=_refuse)
    assert document["lab"]["parts"][0]["host_bytes"] is None
    jsonschema.validate(document, results_schema.schema())


def test_writes_a_valid_document_for_an_empty_class(tmp_path: Path) -> None:
    assert _document([], tmp_path)["results"] == []


def test_writes_null_for_a_ratio_that_is_no_number(tmp_path: Path) -> None:
    result = make_result("student01", Verdict.TOO_SLOW, Verdict.ACCEPTED)
    assert result.parts[0].timing is not None
    result.parts[0].timing.high = math.inf
    (record,) = _document([result], tmp_path)["results"]
    assert record["parts"][0]["timing"]["high"] is None
