"""Points for counters, in every export."""

import csv
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from grader.model.result import Result
from grader.pages.export import write
from grader.pages.export.gradescope import document
from grader.pages.presentation.tests.made_up_class import counted_lab, counted_result

ADVICE = "sum.cu:7: stores to c[] touch 32 sectors where 4 would do"


@pytest.fixture(params=[0.125, 1.0], ids=["missed", "held"])
def result(request: pytest.FixtureRequest) -> Result:
    return counted_result(float(request.param), "Add", ADVICE)


def held(result: Result) -> bool:
    return result.parts[0].counters[0].points > 0


def test_gradescope_gets_a_test_of_its_own_and_scores_that_sum_to_the_points(
    result: Result,
) -> None:
    value = document(result, counted_lab())
    (test,) = [test for test in value["tests"] if test["number"] == "1.2"]
    assert (test["score"], test["max_score"]) == (10 if held(result) else 0, 10)
    assert test["status"] == ("passed" if held(result) else "failed")
    assert "global_efficiency" in test["output"]
    assert sum(t["score"] for t in value["tests"]) == pytest.approx(result.points, abs=1e-3)
    assert sum(t["max_score"] for t in value["tests"]) == 100


def test_gradescope_still_calls_the_answers_and_the_timing_right(result: Result) -> None:
    tests = {test["number"]: test for test in document(result, counted_lab())["tests"]}
    assert (tests["1"]["status"], tests["1.1"]["status"]) == ("passed", "passed")


def test_junit_has_a_case_that_fails_where_points_are_missing(
    result: Result, tmp_path: Path
) -> None:
    (path,) = write("junit", [result], counted_lab(), tmp_path / "junit.xml")
    root = ElementTree.parse(path).getroot()  # noqa: S314
    (case,) = [
        case for case in root.iter("testcase") if case.get("name") == "Partial sums: counters"
    ]
    assert (case.find("failure") is None) is held(result)
    assert "global_efficiency" in "".join(case.itertext())


def test_csv_has_a_column_for_each_counter(result: Result, tmp_path: Path) -> None:
    (path,) = write("csv", [result], counted_lab(), tmp_path / "out.csv")
    (row,) = csv.DictReader(path.read_text(encoding="utf-8").splitlines(), strict=True)
    assert row["SumPartial_global_efficiency"] == ("1" if held(result) else "0.125")


def test_json_and_canvas_hold_counters_and_their_points(result: Result, tmp_path: Path) -> None:
    (path,) = write("json", [result], counted_lab(), tmp_path / "out.json")
    (entry,) = json.loads(path.read_text(encoding="utf-8"))["results"]
    assert entry["parts"][0]["counters"][0]["advice"] == [ADVICE]
    (path,) = write("canvas", [result], counted_lab(), tmp_path / "canvas.csv")
    assert f"{result.points:.2f}" in path.read_text(encoding="utf-8")
