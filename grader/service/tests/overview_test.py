"""The queue and the signs of trouble: each is there when it should be, and only then."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from grader.model.errors import GraderError
from grader.service import overview as module
from grader.service import queue
from grader.service.overview import SHOWN, overview
from grader.service.service import Service
from grader.service.standing import curve, table, thinned
from grader.service.tests.made_up import GROUP, Clock, hand_in, make_service, result_of


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def service(tmp_path: Path, clock: Clock) -> Service:
    return make_service(tmp_path, clock=clock)


def signs(service: Service) -> str:
    return "\n".join(sign.what for sign in overview(service).signs)


def test_the_queue_is_cut_but_counted(service: Service) -> None:
    for number in range(SHOWN + 5):
        hand_in(service, ("cleo", "dan", "eve")[number % 3], "fake_scan")
    queue.claim(service, 0)
    found = overview(service)
    assert (found.waiting, found.grading, len(found.queue)) == (SHOWN + 4, 1, SHOWN)
    assert [each.state for each in found.queue[:2]] == ["grading", "waiting"]
    assert [each.position for each in found.queue[1:4]] == [1, 2, 3]
    assert found.graders[0].submission == found.queue[0].id


def test_a_grader_without_a_sign_of_life_is_a_sign_once_something_waits(
    service: Service, clock: Clock
) -> None:
    hand_in(service, "cleo")
    queue.claim(service, 0)
    clock.move(minutes=5)
    assert signs(service) == ""
    hand_in(service, "dan")
    assert "1 submission wait, and no grader shows a sign of life" in signs(service)
    queue.beat(service, [0])
    assert signs(service) == ""


def test_deaths_of_the_grading_process_are_counted_for_a_day(
    service: Service, clock: Clock
) -> None:
    with service.change() as change:
        change.log("service", "grading died", detail="signal 9")
    assert "started again within a day: 1" in signs(service)
    clock.move(days=2)
    assert signs(service) == ""


class _Usage(NamedTuple):
    total: int
    used: int
    free: int


@pytest.mark.parametrize(
    ("arrange", "said"),
    [
        (
            lambda patch: patch.setattr(shutil, "disk_usage", lambda _: _Usage(1, 1, 5 << 20)),
            "5 MiB are free",
        ),
        (
            lambda patch: patch.setattr(
                Service, "course_problem", GraderError("two labs are named 'x'", "rename one")
            ),
            "two labs are named 'x'",
        ),
    ],
)
def test_a_full_disk_and_a_wrong_course_are_named(
    service: Service,
    monkeypatch: pytest.MonkeyPatch,
    arrange: Callable[[pytest.MonkeyPatch], None],
    said: str,
) -> None:
    assert signs(service) == ""
    arrange(monkeypatch)
    assert said in signs(service)
    assert all(sign.next for sign in module.overview(service).signs)


def test_a_lab_that_the_service_cannot_grade_is_named(tmp_path: Path) -> None:
    service = make_service(tmp_path, more='[[labs]]\nname = "added_today"\n')
    assert "hand in added_today" in signs(service)


def test_a_team_counts_once_in_the_curve_of_full_points(service: Service) -> None:
    for student, earned in (("ada", 99.0), ("ben", 100.0), ("ada", 100.0), ("cleo", 100.0)):
        hand_in(service, student)
        claimed = queue.claim(service, 0)
        assert claimed
        result = result_of(student=claimed.team)
        graded = result.model_copy(update={"points": earned, "max_points": 100.0})
        assert queue.finish(service, claimed.number, graded)
    points = curve(service, "fake_sum")
    assert [(point.submissions, point.full) for point in points] == [(1, 0), (2, 1), (3, 1), (4, 2)]
    assert thinned(points, 2) == [points[0], points[1], points[3]]
    rows = {row.student: row for row in table(service, "fake_sum")}
    assert (rows["ada"].team, rows["ada"].attempts) == (GROUP, 3)
    assert rows["ada"].counted == rows["ben"].counted
    assert rows["dan"].counted is None
