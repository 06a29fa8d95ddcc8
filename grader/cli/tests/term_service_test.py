"""`term` on what students handed in to the service: --data, hand_in.data, marks, a gradebook."""

import json
from pathlib import Path
from typing import Any

import pytest

from grader.cli.app import main
from grader.cli.options import BAD_INPUT, GRADED, UNSETTLED
from grader.service import marks
from grader.service.marks import Given
from grader.service.service import Service
from grader.service.tests.made_up import STAFF, grade_next, hand_in, make_service

GRADEBOOK = (
    "Student,ID,SIS Login ID,Section,fake_sum (1)\n"
    "    Points Possible,,,,100\n"
    "Cleo,1,cleo,A,7\nDan,2,dan,A,\n"
)


@pytest.fixture
def service(tmp_path: Path) -> Service:
    made = make_service(tmp_path, hand_in='data = "data"')
    for student in ("cleo", "dan"):
        hand_in(made, student)
        grade_next(made)
    return made


def lines(
    service: Service, capsys: pytest.CaptureFixture[str], *more: str, code: int
) -> dict[str, dict[str, Any]]:
    """Each student's line of fake_sum."""
    capsys.readouterr()
    assert main(["term", "--course", str(service.course_path), "--json", *more]) == code
    students = json.loads(capsys.readouterr().out)["students"]
    return {student["student"]: student["labs"][0] for student in students}


def mark(service: Service, team: str, points: str) -> None:
    marks.give(service, "fake_sum", team, {"style": Given(points)}, STAFF)


def test_the_score_of_a_lab_with_a_rubric_has_the_marks_in_it(
    service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    found = lines(service, capsys, code=UNSETTLED)
    assert (found["cleo"]["status"], found["cleo"]["counted"]) == ("not_marked", None)
    assert found["eve"]["status"] == "nothing"
    for team in ("cleo", "dan"):
        mark(service, team, "0")
    without = lines(service, capsys, code=GRADED)
    mark(service, "cleo", "5")
    found = lines(service, capsys, "--data", str(service.data), code=GRADED)
    most = 5 + service.labs["fake_sum"].max_points
    gained = found["cleo"]["counted"] - without["cleo"]["counted"]
    assert gained == pytest.approx(500 / most, abs=0.02)
    assert found["dan"] == without["dan"]


def test_says_who_is_not_marked_and_what_to_do(
    service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    mark(service, "dan", "1")
    assert main(["term", "--course", str(service.course_path)]) == UNSETTLED
    said = capsys.readouterr().out
    assert "not marked yet, so not counted: 1 of fake_sum: cleo" in said
    assert "desk mark" in said


def test_a_gradebook_keeps_what_is_there_until_the_marks_are_given(
    service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mark(service, "dan", "5")
    book, filled = tmp_path / "gradebook.csv", tmp_path / "filled.csv"
    book.write_text(GRADEBOOK)
    asked = ["term", "--course", str(service.course_path), "--lab", "fake_sum"]
    more = ["--format", "canvas", "--gradebook", str(book), "--to", str(filled)]
    assert main([*asked, *more]) == UNSETTLED
    assert "no marks yet, left as they were" in capsys.readouterr().out
    cleo, dan = filled.read_text().splitlines()[2:]
    assert cleo.endswith(",7")
    assert float(dan.rsplit(",", 1)[1]) > 0


def test_names_the_folder_in_which_no_service_has_run(
    service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other"
    asked = ["term", "--course", str(service.course_path), "--data", str(other)]
    assert main(asked) == BAD_INPUT
    assert f"no service has run in {other}" in capsys.readouterr().err
    assert not other.exists()
