"""`grader term` on stored results: tables, files, publication, and what a second run does."""

import csv
import json
from pathlib import Path

import pytest

from grader.cli.app import main
from grader.cli.options import BAD_INPUT, GRADED, UNSETTLED
from grader.judging.store import Store
from grader.model.verdict import Verdict
from grader.pages.presentation.tests.made_up_class import LAB, make_result

COURSE = """
name = "Course"
time_zone = "Europe/Berlin"
handed_in = "handed_in.csv"
[late]
accept_days = 2
penalty = 10
[[labs]]
name = "sum"
results = ["first", "second"]
deadline = 2026-10-23T23:59:59
"""
TIMES = "student,lab,attempt,time\n=a,sum,1,2026-10-23 12:00\n=a,sum,2,2026-10-24T12:00+02:00\n"


def put(folder: Path, points: float, verdict: Verdict = Verdict.ACCEPTED) -> None:
    result = make_result("=a", verdict, Verdict.ACCEPTED)
    key = result.key.model_copy(update={"submission": f"{folder.name}{points}"})
    result = result.model_copy(update={"points": points, "max_points": 100, "key": key})
    with Store(folder, create=True) as store:
        store.bind("sum", LAB)
        store.put(result, [("=a", "x")])


@pytest.fixture
def course(tmp_path: Path) -> Path:
    path = tmp_path / "course.toml"
    path.write_text(COURSE)
    (tmp_path / "handed_in.csv").write_text(TIMES)
    put(tmp_path / "first", 60)
    put(tmp_path / "second", 90)
    return path


def run(course: Path, *arguments: str) -> int:
    return main(["term", "--course", str(course), *arguments])


def test_writes_the_table_twice_alike(course: Path) -> None:
    out = course.parent / "out"
    assert run(course, "--out", str(out)) == GRADED
    first = (out / "term.csv").read_bytes()
    assert run(course, "--out", str(out)) == GRADED
    assert (out / "term.csv").read_bytes() == first
    (row,) = csv.DictReader(first.decode().splitlines())
    assert (row["student"], row["sum_raw"], row["sum_counted"]) == ("'=a", "90.00", "81.00")
    whole = json.loads((out / "term.json").read_text())
    assert (whole["schema"], whole["students"][0]["total"]) == (1, 81)


def test_shows_the_old_score_of_a_regraded_student(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(course, "--publish") == GRADED
    published = course.parent / "course.published.json"
    before = published.read_bytes()
    assert run(course, "--publish") == GRADED
    assert published.read_bytes() == before
    put(course.parent / "second", 100)
    capsys.readouterr()
    assert run(course, "--student", "=a") == GRADED
    assert "Published 81.00, now 90.00." in " ".join(capsys.readouterr().out.split())
    assert run(course, "--publish") == GRADED
    scores = [
        entry["scores"]["=a"]["sum"] for entry in json.loads(published.read_text())["publications"]
    ]
    assert scores == ["81.00", "90.00"]


def test_ends_with_unsettled_while_one_is_not_judged(course: Path) -> None:
    put(course.parent / "first", 0, Verdict.JUDGE_ERROR)
    put(course.parent / "second", 0, Verdict.JUDGE_ERROR)
    assert run(course) == UNSETTLED


def test_fits_in_80_columns(
    course: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    more = "".join(f'[[labs]]\nname = "l{n}"\n' for n in range(13))
    course.write_text(COURSE + more)
    assert run(course) == GRADED
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("times", "message"),
    [
        ("student,lab\na,sum\n", "has no column time"),
        ("student,lab,time\na,sun,2026-10-23 12:00\n", "csv:2: no lab 'sun'"),
        ("student,lab,time\na,sum,2026-10-23\n", "csv:2: '2026-10-23' is not a time"),
        ("student,lab,time\na,sum,0001-01-01T00:00\n", "is not a time"),
        ("student,lab,attempt,time\na,sum,0,2026-10-23 12:00\n", "attempt '0'"),
        ("student,lab,time\na\n", "csv:2: no lab ''"),
    ],
)
def test_names_the_row_that_is_wrong(
    course: Path, capsys: pytest.CaptureFixture[str], times: str, message: str
) -> None:
    (course.parent / "handed_in.csv").write_text(times)
    assert run(course) == BAD_INPUT
    assert message in capsys.readouterr().err


def test_names_the_students_when_one_is_unknown(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(course, "--student", "b") == BAD_INPUT
    assert "there is =a" in capsys.readouterr().err


def test_refuses_a_damaged_record_of_publications(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (course.parent / "course.published.json").write_text("{")
    assert run(course, "--publish") == BAD_INPUT
    assert "is damaged" in capsys.readouterr().err
