"""Spreadsheet exports: right numbers, no formulas, nothing lost to odd names."""

import csv
from pathlib import Path

import pytest

from grader.model.result import Result
from grader.model.verdict import Verdict
from grader.pages.export import write
from grader.pages.presentation.tests.made_up_class import LAB, made_up_class, make_result


def _rows(results: list[Result], folder: Path) -> list[dict[str, str]]:
    (path,) = write("csv", iter(results), LAB, folder / "out.csv")
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def _canvas(results: list[Result], folder: Path) -> list[list[str]]:
    (path,) = write("canvas", iter(results), LAB, folder / "canvas.csv")
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, strict=True))


def test_writes_points_verdict_and_timing_of_each_part(tmp_path: Path) -> None:
    (row,) = _rows([make_result("student01", Verdict.TOO_SLOW, Verdict.WRONG_ANSWER)], tmp_path)
    assert row["student"] == "student01"
    assert (row["verdict"], row["points"], row["max_points"]) == ("too_slow", "30", "100")
    assert (row["SumPartial_verdict"], row["SumPartial_points"]) == ("too_slow", "30")
    assert (row["SumPartial_ratio"], row["SumPartial_ratio_high"]) == ("6.8", "7.5")
    assert (row["SumQueue_points"], row["SumQueue_ratio"]) == ("0", "")
    assert (row["seed"], row["source"]) == ("7", "lab1/student01/sum.cc")


def test_leaves_points_blank_where_nothing_was_judged(tmp_path: Path) -> None:
    (row,) = _rows([make_result("student01", Verdict.JUDGE_ERROR, Verdict.ACCEPTED)], tmp_path)
    assert (row["points"], row["SumPartial_points"]) == ("", "")
    assert row["SumQueue_points"] != ""
    assert "grade this submission again" in row["flags"]


def test_leaves_cells_blank_for_parts_that_were_not_reached(tmp_path: Path) -> None:
    result = make_result("student01", Verdict.COMPILE_ERROR, Verdict.ACCEPTED)
    result.parts = []
    (row,) = _rows([result], tmp_path)
    assert (row["points"], row["SumPartial_verdict"], row["SumQueue_points"]) == ("0", "", "")


@pytest.mark.parametrize(
    "name", ['=HYPERLINK("http://x")', "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "\uff1d1"]
)
def test_never_writes_a_cell_that_starts_a_formula(name: str, tmp_path: Path) -> None:
    result = make_result(name, Verdict.ACCEPTED, Verdict.ACCEPTED)
    result.source = name
    result.protections_lost = [name]
    (row,) = _rows([result], tmp_path)
    for column in ("student", "source", "protections_lost"):
        assert row[column].startswith("'")
    assert _canvas([result], tmp_path)[2][0].startswith("'")


@pytest.mark.parametrize("name", ['say "hi"', "two\nlines", "a,b;c", "Zoë Ångström", "中文"])
def test_gives_back_odd_names_as_they_are(name: str, tmp_path: Path) -> None:
    rows = _rows([make_result(name, Verdict.ACCEPTED, Verdict.ACCEPTED)], tmp_path)
    assert [row["student"] for row in rows] == [name]


def test_writes_one_line_per_student_in_order(tmp_path: Path) -> None:
    rows = _rows(list(made_up_class(40)), tmp_path)
    assert [row["student"] for row in rows] == [f"student{n:02}" for n in range(1, 41)]


def test_writes_a_gradebook_that_canvas_can_match(tmp_path: Path) -> None:
    results = [
        make_result("student01", Verdict.TOO_SLOW, Verdict.WRONG_ANSWER),
        make_result("student02", Verdict.JUDGE_ERROR, Verdict.ACCEPTED),
        make_result("two\nlines", Verdict.COMPILE_ERROR, Verdict.ACCEPTED),
    ]
    assert _canvas(results, tmp_path) == [
        ["Student", "ID", "SIS Login ID", "Section", "Sum with threads"],
        ["    Points Possible", "", "", "", "100.00"],
        ["student01", "", "student01", "", "30.00"],
        ["student02", "", "student02", "", ""],
        ["two lines", "", "two lines", "", "0.00"],
    ]
