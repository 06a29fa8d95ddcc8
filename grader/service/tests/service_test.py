"""The clock, the course's file and the database's file, when they change under the service."""

import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from grader.model.errors import GraderError
from grader.people.course.course import load_course
from grader.service import course_file, log, people, queue
from grader.service.database import FILE_NAME
from grader.service.refused import Refused
from grader.service.service import Service
from grader.service.tests.made_up import COURSE, LABS, Clock, hand_in, make_service

DEADLINE = datetime(2026, 10, 23, 21, 59, 59, tzinfo=UTC)


def test_a_clock_that_is_set_back_reorders_nothing(tmp_path: Path) -> None:
    clock = Clock()
    service = make_service(tmp_path, clock=clock)
    first = hand_in(service)
    clock.move(hours=-5)
    second = hand_in(service)
    assert second.received_at == first.received_at == service.now()
    clock.move(hours=6)
    assert hand_in(service).received_at == clock.at


def test_a_deadline_that_has_passed_does_not_come_back(tmp_path: Path) -> None:
    clock = Clock(DEADLINE)
    clock.move(seconds=1)
    service = make_service(tmp_path, clock=clock)
    assert hand_in(service).late
    clock.move(hours=-2)
    assert hand_in(service).late


def test_the_time_after_a_restart_is_not_before_that_of_the_last_change(tmp_path: Path) -> None:
    clock = Clock()
    hand_in(make_service(tmp_path, clock=clock))
    again = make_service(tmp_path, clock=Clock(datetime(2020, 1, 1, tzinfo=UTC)))
    assert again.now() == clock.at


def test_a_clock_that_was_ahead_can_be_trusted_again(tmp_path: Path) -> None:
    clock = Clock()
    service = make_service(tmp_path, hand_in="pause_s = 30", clock=clock)
    clock.move(days=300)
    receipt = hand_in(service, lab="fake_scan")
    queue.claim(service, 0)
    clock.move(days=-300)
    with pytest.raises(Refused):
        hand_in(service)
    assert service.behind() == timedelta(days=300)
    service.trust_clock("tess")
    assert (service.behind(), service.now()) == (timedelta(0), clock.at)
    assert hand_in(service).received_at == clock.at
    assert hand_in(service, lab="fake_scan").received_at < receipt.received_at
    assert all((place.estimate_s or 0) >= 0 for place in queue.places(service).values())


def test_changes_do_not_nest(tmp_path: Path) -> None:
    service = make_service(tmp_path)
    with (
        service.change(),
        pytest.raises(AssertionError, match="nest"),
        service.change(),
    ):
        pass


def test_what_raises_in_a_change_leaves_nothing(tmp_path: Path) -> None:
    service = make_service(tmp_path)
    number = log.last(service.connect())[0]

    def pause_and_fail() -> None:
        with service.change() as change:
            change.set_fact("paused", "tess")
            change.log("tess", "paused")
            raise KeyError

    with pytest.raises(KeyError):
        pause_and_fail()
    assert service.fact("paused") is None
    assert log.last(service.connect())[0] == number


def test_the_log_is_read_by_pages_newest_first(tmp_path: Path) -> None:
    service = make_service(tmp_path)
    with service.change() as change:
        for number in range(5):
            change.log("tess", f"step {number}", "about")
    newest = log.entries(service.connect(), most=2)
    assert [entry.what for entry in newest] == ["step 4", "step 3"]
    older = log.entries(service.connect(), "about", newest[-1].number, 2)
    assert [entry.what for entry in older] == ["step 2", "step 1"]


def rewrite(service: Service, text: str) -> None:
    """Writes course.toml as of a while ago."""
    service.course_path.write_text(text)
    os.utime(service.course_path, (1_000_000_000, 1_000_000_000))


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Service:
    monkeypatch.setattr(course_file, "_LOOK_EVERY_S", 0)
    return make_service(tmp_path, clock=Clock(DEADLINE.replace(month=11)))


def test_an_extension_that_is_written_while_the_service_runs_holds(service: Service) -> None:
    with pytest.raises(Refused):
        hand_in(service)
    more = '[[extensions]]\nstudents = ["cleo"]\nuntil = 2026-12-01\n'
    rewrite(service, COURSE.format(hand_in="", more=more))
    assert not hand_in(service).late
    with pytest.raises(Refused):
        hand_in(service, "dan")


def test_who_is_added_to_the_course_gets_in(service: Service) -> None:
    assert people.person(service, "fred") is None
    rewrite(service, COURSE.format(hand_in="", more="").replace('"eve"]', '"eve", "fred"]'))
    assert people.person(service, "fred") == people.Person("fred", "student")


def test_a_mistake_in_the_course_leaves_it_as_it_was(
    service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    before = service.course
    rewrite(service, "name = ")
    assert service.course is before
    assert service.course_problem is not None
    assert "kept the course as it was" in capsys.readouterr().err
    service.course_path.unlink()
    assert service.course is before
    rewrite(service, COURSE.format(hand_in="pause_s = 5", more=""))
    assert service.course.hand_in.pause_s == 5
    assert service.course_problem is None


def test_a_file_that_is_being_written_is_left_alone(service: Service) -> None:
    before = service.course
    service.course_path.write_text(COURSE.format(hand_in="pause_s = 5", more=""))
    assert service.course is before


def test_another_database_is_left_as_it_is(tmp_path: Path) -> None:
    made = make_service(tmp_path)
    for text in (b"no database" * 100, b"x"):
        data = tmp_path / f"other{len(text)}"
        data.mkdir()
        (data / FILE_NAME).write_bytes(text)
        with pytest.raises(GraderError):
            Service(load_course(made.course_path), made.course_path, data, LABS)
        assert (data / FILE_NAME).read_bytes() == text


def test_a_database_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    service = make_service(tmp_path)
    with closing(sqlite3.connect(service.data / FILE_NAME)) as other:
        other.execute("PRAGMA user_version = 99")
    with pytest.raises(GraderError, match="version"):
        make_service(tmp_path)


def test_the_data_are_their_owners_alone(tmp_path: Path) -> None:
    service = make_service(tmp_path)
    assert service.data.stat().st_mode & 0o077 == 0
