"""Points for scaling, in every export."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from grader.export import write
from grader.export.gradescope import document
from grader.report.tests.made_up_class import scaled_lab, scaled_result

SPEEDUPS = [pytest.param(1.2, id="poor"), pytest.param(3.5, id="good"), pytest.param(None, id="no")]


@pytest.mark.parametrize("student", SPEEDUPS)
def test_gradescope_gets_a_test_of_its_own_and_scores_that_sum_to_the_points(
    student: float | None,
) -> None:
    result = scaled_result(student)
    value = document(result, scaled_lab())
    (test,) = [test for test in value["tests"] if test["number"] == "1.3"]
    poor = student == 1.2
    assert (test["score"], test["max_score"]) == (0 if poor else 10, 10)
    assert test["status"] == ("failed" if poor else "passed")
    assert ("Not measured" in test["output"]) is (student is None)
    assert sum(t["score"] for t in value["tests"]) == pytest.approx(result.points, abs=1e-3)
    assert sum(t["max_score"] for t in value["tests"]) == 100


@pytest.mark.parametrize(
    ("student", "outcome"), [(1.2, "failure"), (3.5, "system-out"), (None, "skipped")]
)
def test_junit_has_a_case_that_fails_only_where_scaling_was_seen_to_be_poor(
    student: float | None, outcome: str, tmp_path: Path
) -> None:
    (path,) = write("junit", [scaled_result(student)], scaled_lab(), tmp_path / "junit.xml")
    root = ElementTree.parse(path).getroot()  # noqa: S314
    (case,) = [c for c in root.iter("testcase") if c.get("name") == "Partial sums: scaling"]
    assert [child.tag for child in case] == [outcome]


@pytest.mark.parametrize("student", SPEEDUPS)
def test_csv_has_columns_that_are_blank_where_nothing_was_measured(
    student: float | None, tmp_path: Path
) -> None:
    (path,) = write("csv", [scaled_result(student)], scaled_lab(), tmp_path / "out.csv")
    (row,) = csv.DictReader(path.read_text(encoding="utf-8").splitlines(), strict=True)
    assert row["SumPartial_speedup"] == (str(student) if student else "")
    assert bool(row["SumPartial_scaling"]) is bool(row["SumPartial_serial_fraction"])
    assert bool(row["SumPartial_scaling_high"]) is (student is not None)
    # That the machine could not measure it is no reason to look at the submission.
    assert "not measured" not in row["flags"]


def test_json_holds_the_curve_and_null_where_nothing_was_measured(tmp_path: Path) -> None:
    results = [scaled_result(3.5), scaled_result(None)]
    (path,) = write("json", results, scaled_lab(), tmp_path / "out.json")
    found = [
        entry["parts"][0]["scaling"]
        for entry in json.loads(path.read_text(encoding="utf-8"))["results"]
    ]
    assert found[0]["measured"]["curve"][-1] == {"threads": 4, "student": 3.5, "reference": 3.6}
    assert (found[1]["measured"], found[1]["free_cores"], found[1]["points"]) == (None, 1, 10)


def test_feedback_and_canvas_give_the_points_that_nobody_could_measure(tmp_path: Path) -> None:
    result = scaled_result(None)
    (path,) = write("feedback", [result], scaled_lab(), tmp_path)
    assert "You have all 10 points for scaling" in path.read_text(encoding="utf-8")
    (path,) = write("canvas", [result], scaled_lab(), tmp_path / "canvas.csv")
    assert f"{result.points:.2f}" in path.read_text(encoding="utf-8")
