"""The term's table from what was handed in to the service: times, marks, groups, open ones."""

from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from grader.model.errors import GraderError
from grader.model.verdict import Verdict
from grader.people.course.term import Line, counting, term
from grader.service import desk, marks, queue
from grader.service.hand_ins import percent, read_hand_ins, term_so_far, with_service
from grader.service.marks import Given
from grader.service.service import Service
from grader.service.tests.made_up import (
    GROUP,
    STAFF,
    Clock,
    grade_next,
    hand_in,
    make_service,
    result_of,
)

LATER = datetime(2026, 12, 1, tzinfo=UTC)


def line_of(service: Service, student: str, lab: str = "fake_sum") -> Line:
    table = term(service.course, read_hand_ins(service), LATER)
    labs = next(entry for entry in table if entry.student == student).labs
    return next(line for line in labs if line.lab == lab)


def finish(service: Service, points: float, most: float = 100) -> None:
    claimed = queue.claim(service, 0)
    assert claimed
    result = result_of(claimed.lab, claimed.team)
    result = result.model_copy(update={"points": points, "max_points": most})
    assert queue.finish(service, claimed.number, result)


def mark(service: Service, team: str, points: str) -> None:
    marks.give(service, "fake_sum", team, {"style": Given(points)}, STAFF)


def test_automatic_points_and_marks_are_percent_of_both_maxima(tmp_path: Path) -> None:
    service = make_service(tmp_path)
    assert percent(service.course, "fake_sum", 80, 95, {"style": Decimal(4)}) == 84
    assert percent(service.course, "fake_scan", 80, 100, {}) == 80
    assert percent(service.course, "fake_sum", 80, 95, {}) == 80


def test_a_lab_is_open_until_its_marks_are_given(tmp_path: Path) -> None:
    service = make_service(tmp_path)
    hand_in(service, "cleo")
    assert (line_of(service, "cleo").status, line_of(service, "cleo").counted) == (
        "not_graded",
        None,
    )
    finish(service, 76, 95)
    line = line_of(service, "cleo")
    assert (line.status, line.counted) == ("not_marked", None)
    assert "style" in line.why
    mark(service, "cleo", "4")
    assert line_of(service, "cleo").counted == 80


def test_every_member_of_a_group_gets_its_marks_and_the_late_penalty(tmp_path: Path) -> None:
    clock = Clock()
    service = make_service(tmp_path, clock=clock)
    clock.at = datetime(2026, 10, 26, 20, tzinfo=UTC)  # three days begun, two of them free
    hand_in(service, "ben")
    finish(service, 95, 95)
    mark(service, GROUP, "5")
    for student in ("ada", "ben"):
        line = line_of(service, student)
        assert (line.raw, line.counted) == (Decimal(100), Decimal(90))
        assert line.late_days_used == 2


def test_free_days_left_are_those_that_counted_work_did_not_use(tmp_path: Path) -> None:
    clock = Clock(datetime(2026, 10, 24, 21, 59, 59, tzinfo=UTC))  # one day late
    service = make_service(tmp_path, clock=clock)

    def left(student: str) -> int:
        return term_so_far(service, student, service.now()).late_days_left

    hand_in(service, "cleo")
    assert left("cleo") == 2
    grade_next(service)
    assert (left("cleo"), left("dan")) == (1, 2)


def test_the_best_counts_and_what_is_graded_again_keeps_its_points(tmp_path: Path) -> None:
    service = make_service(tmp_path)
    for points in (40.0, 60.0, 50.0):
        hand_in(service, "cleo", "fake_scan")
        finish(service, points)
    best = desk.submissions_of(service, "cleo", "fake_scan")[1]
    assert counts(service, "fake_scan") == best.id
    queue.grade_again(service, best.id, STAFF)
    assert line_of(service, "cleo", "fake_scan").counted == 60


def counts(service: Service, lab: str) -> str:
    """Id of what counts for cleo."""
    entry = next(entry for entry in service.course.labs if entry.name == lab)
    chosen = counting(service.course, "cleo", entry, read_hand_ins(service))
    assert chosen
    return chosen.source


def test_the_best_is_known_before_anything_is_marked(tmp_path: Path) -> None:
    service = make_service(tmp_path)
    for points in (40.0, 60.0, 50.0):
        hand_in(service, "cleo")
        finish(service, points)
    assert counts(service, "fake_sum") == desk.submissions_of(service, "cleo")[1].id
    assert line_of(service, "cleo").status == "not_marked"


def test_a_judge_error_is_open(tmp_path: Path) -> None:
    service = make_service(tmp_path)
    hand_in(service, "cleo", "fake_scan")
    grade_next(service, Verdict.JUDGE_ERROR)
    line = line_of(service, "cleo", "fake_scan")
    assert (line.status, line.counted) == ("not_judged", None)


def test_a_folder_without_a_service_is_refused_and_stays_empty(tmp_path: Path) -> None:
    service = make_service(tmp_path)
    with pytest.raises(GraderError, match="no service has run"):
        with_service(service.course, service.course_path, tmp_path / "other", {})
    assert not (tmp_path / "other").exists()
    assert with_service(service.course, service.course_path, None, {}) == {}


def test_hand_ins_of_folders_and_of_the_service_are_counted_together(tmp_path: Path) -> None:
    service = make_service(tmp_path)
    hand_in(service, "cleo", "fake_scan")
    finish(service, 60)
    others = {"fake_scan": read_hand_ins(service)["fake_scan"], "other": {}}
    merged = with_service(service.course, service.course_path, service.data, others)
    assert set(merged) == {"fake_scan", "other"}
    assert len(merged["fake_scan"]["cleo"]) == 2
