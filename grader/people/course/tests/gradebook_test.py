"""The term's scores in a gradebook: penalties and groups are in them, open ones are not."""

from pathlib import Path

import pytest

from grader.cli.app import main
from grader.cli.options import BAD_INPUT, GRADED, UNSETTLED
from grader.judging.store import Store
from grader.model.verdict import Verdict
from grader.pages.presentation.tests.made_up_class import LAB, make_result

COURSE = """
name = "Course"
time_zone = "UTC"
students = ["ann", "ben", "cat", "dan"]
handed_in = "handed_in.csv"
curve = [[0, 10], [100, 100]]
[late]
accept_days = 2
penalty = 10
[[labs]]
name = "sum"
results = ["sum"]
deadline = 2026-10-23
[[labs]]
name = "scan"
results = ["scan"]
deadline = 2199-01-01
[[labs]]
name = "map"
results = ["map"]
[[groups]]
name = "pair"
students = ["ann", "ben"]
"""
TIMES = "student,lab,time\nann,sum,2026-10-24T12:00\ncat,sum,2026-10-20T12:00\n"
GRADEBOOK = (
    "Student,ID,SIS Login ID,Section,sum (1),scan (2),Course (3)\n"
    "    Points Possible,,,,100,20,100\n"
    "Ann,1,ann,A,,,\nBen,2,ben,A,,,\nCat,3,cat,A,,,\nDan,4,dan,A,,7,\n"
)


def put(folder: Path, student: str, points: float, verdict: Verdict = Verdict.ACCEPTED) -> None:
    result = make_result(student, verdict, Verdict.ACCEPTED)
    key = result.key.model_copy(update={"submission": f"{student}{points}"})
    result = result.model_copy(update={"points": points, "max_points": 100, "key": key})
    with Store(folder, create=True) as store:
        store.bind(folder.name, LAB)
        store.put(result, [(student, "x")])


@pytest.fixture
def course(tmp_path: Path) -> Path:
    path = tmp_path / "course.toml"
    path.write_text(COURSE)
    (tmp_path / "handed_in.csv").write_text(TIMES)
    (tmp_path / "gradebook.csv").write_text(GRADEBOOK)
    put(tmp_path / "sum", "ann", 80)
    put(tmp_path / "sum", "cat", 90)
    put(tmp_path / "scan", "ben", 50)
    return path


def fill(course: Path, *arguments: str, format_name: str = "canvas") -> int:
    book, filled = course.parent / "gradebook.csv", course.parent / "filled.csv"
    places = ("--gradebook", str(book), "--to", str(filled), "--format", format_name)
    return main(["term", "--course", str(course), *places, *arguments])


def column(course: Path, number: int) -> list[str]:
    lines = (course.parent / "filled.csv").read_text().splitlines()[2:]
    return [line.split(",")[number] for line in lines]


def test_a_group_shares_a_late_score_and_nothing_handed_in_is_zero(course: Path) -> None:
    assert fill(course, "--lab", "sum") == GRADED
    assert column(course, 4) == ["72.00", "72.00", "90.00", "0.00"]


def test_a_score_that_is_not_due_keeps_what_is_there(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fill(course, "--lab", "scan") == GRADED
    assert column(course, 5) == ["10.00", "10.00", "", "7"]
    assert "a row but no result, left as they were (2): Cat, Dan" in capsys.readouterr().out


def test_a_score_that_is_not_judged_is_named_and_left(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(course.parent / "sum", "cat", 0, Verdict.JUDGE_ERROR)
    assert fill(course, "--lab", "sum") == UNSETTLED
    assert column(course, 4)[2] == ""
    assert "not judged, left as they were; grade the lab again (1): cat" in capsys.readouterr().out


def test_without_a_lab_the_curved_totals_are_filled_in(course: Path) -> None:
    assert fill(course) == GRADED
    assert column(course, 6) == ["64.90", "64.90", "91.00", "10.00"]


def test_a_lab_without_results_fills_in_nothing(course: Path) -> None:
    assert fill(course, "--lab", "map", "--column", "sum") == GRADED
    assert column(course, 4) == ["", "", "", ""]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--lab", "sun"), "no lab 'sun' in the course"),
        (("--lab", "sum", "--column", "Essay"), "has no column 'Essay' for scores"),
        (("--student", "ann"), "--student only prints"),
    ],
)
def test_what_is_misspelt_is_named(
    course: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], words: str
) -> None:
    assert fill(course, *arguments) == BAD_INPUT
    assert words in capsys.readouterr().err
    assert not (course.parent / "filled.csv").exists()


def test_an_unknown_format_is_named(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert fill(course, "--lab", "sum", format_name="excel") == BAD_INPUT
    assert "use one of: canvas, moodle" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--format", "--lab", "--column", "--to"])
def test_options_of_a_gradebook_need_one(
    course: Path, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    assert main(["term", "--course", str(course), option, "x"]) == BAD_INPUT
    assert "need --gradebook" in capsys.readouterr().err


def test_who_was_found_but_not_graded_keeps_what_is_there(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(course.parent / "sum", "dan", 0, Verdict.NOT_GRADED)
    assert fill(course, "--lab", "sum") == UNSETTLED
    assert column(course, 4) == ["72.00", "72.00", "90.00", ""]
    said = capsys.readouterr().out
    assert "not graded yet, so not counted: 1 of sum: dan" in said
    assert "next: run the same `grade` command for sum again" in said
    assert "not graded yet, left as they were; run the same `grade` command again (1): dan" in said


def test_a_run_that_was_killed_before_it_found_anybody_gives_no_zeros(course: Path) -> None:
    (course.parent / "sum" / "results.sqlite").unlink()
    with Store(course.parent / "sum", create=True) as store:
        store.bind("sum", LAB)
    assert fill(course, "--lab", "sum") == GRADED
    assert column(course, 4) == ["", "", "", ""]
