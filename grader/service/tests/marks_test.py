"""Points of a human marker: who gets them, what is refused, and what is logged."""

from decimal import Decimal
from pathlib import Path

import pytest

from grader.service import log, marks
from grader.service.marks import Given
from grader.service.refused import Refused
from grader.service.tests.made_up import GROUP, STAFF, make_service


def test_a_team_has_the_marks_that_it_was_given_last(tmp_path: Path) -> None:
    service = make_service(tmp_path)
    assert marks.give(service, "fake_sum", GROUP, {"style": Given("3,5", "names")}, STAFF) == 1
    assert marks.give(service, "fake_sum", GROUP, {"style": Given("4.25")}, STAFF) == 1
    (mark,) = marks.marks_of(service, "fake_sum", GROUP)
    assert (mark.points, mark.max_points, mark.comment, mark.by) == (
        Decimal("4.25"),
        Decimal(5),
        "",
        STAFF,
    )
    assert marks.marks_of(service, "fake_sum", "cleo")[0].points is None
    entries = log.entries(service.connect(), about=GROUP)
    assert [(e.who, e.detail) for e in entries] == [
        (STAFF, "fake_sum, style: 4.25 points"),
        (STAFF, "fake_sum, style: 3.50 points"),
    ]


def test_the_same_marks_again_change_nothing(tmp_path: Path) -> None:
    service = make_service(tmp_path)
    marks.give(service, "fake_sum", "cleo", {"style": Given("5", "good")}, STAFF)
    assert marks.give(service, "fake_sum", "cleo", {"style": Given("5.00", "good ")}, "ty") == 0
    assert marks.marks_of(service, "fake_sum", "cleo")[0].by == STAFF


def test_empty_points_take_a_mark_back(tmp_path: Path) -> None:
    service = make_service(tmp_path)
    marks.give(service, "fake_sum", "cleo", {"style": Given("0")}, STAFF)
    assert marks.for_student(service, "fake_sum", "cleo")
    marks.give(service, "fake_sum", "cleo", {"style": Given("")}, STAFF)
    assert not marks.for_student(service, "fake_sum", "cleo")


@pytest.mark.parametrize("points", ["5.01", "-1", "five", "nan", "1e9", "0.001", "1,2,3"])
def test_no_other_points_than_those_of_the_item_are_stored(tmp_path: Path, points: str) -> None:
    service = make_service(tmp_path)
    with pytest.raises(Refused, match="from 0 to 5"):
        marks.give(service, "fake_sum", "cleo", {"style": Given(points)}, STAFF)
    assert marks.marks_of(service, "fake_sum", "cleo")[0].points is None


@pytest.mark.parametrize(
    ("lab", "team", "item", "words"),
    [
        ("fake_scan", "cleo", "style", "no rubric"),
        ("fake_sum", "cleo", "speed", "no item 'speed'"),
        ("fake_sum", "clio", "style", "'clio' is no student"),
        ("fake_sum", "ada", "style", "'ada' is no student or group"),
    ],
)
def test_misspelt_marks_are_refused(
    tmp_path: Path, lab: str, team: str, item: str, words: str
) -> None:
    with pytest.raises(Refused, match=words):
        marks.give(make_service(tmp_path), lab, team, {item: Given("1")}, STAFF)


def test_one_wrong_item_keeps_the_others_from_being_stored(tmp_path: Path) -> None:
    more = '[[rubric]]\nlab = "fake_sum"\nitem = "tests"\npoints = 2\ntext = "Own tests"\n'
    service = make_service(tmp_path, more=more)
    with pytest.raises(Refused):
        marks.give(service, "fake_sum", "cleo", {"style": Given("1"), "tests": Given("3")}, STAFF)
    assert all(mark.points is None for mark in marks.marks_of(service, "fake_sum", "cleo"))
