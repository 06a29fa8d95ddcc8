"""Deadlines, extensions, attempts and pauses, at their edges."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from grader.model.lab import Feedback, Lab
from grader.service.refused import Refused
from grader.service.rules import lab_of, lab_rules, shows_now
from grader.service.service import Service
from grader.service.tests.made_up import LABS, Clock, hand_in, make_service

DEADLINE = datetime(2026, 10, 23, 21, 59, 59, tzinfo=UTC)
"""23:59:59 in Berlin."""
LAST = datetime(2026, 10, 26, 22, 59, 59, tzinfo=UTC)
"""Three days later on Berlin's clocks, one of 25 hours."""


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


def test_says_when_a_lab_is_due_and_when_it_is_accepted_last(tmp_path: Path) -> None:
    rules = lab_rules(make_service(tmp_path), "cleo", "fake_sum")
    assert (rules.deadline, rules.last_acceptance) == (DEADLINE, LAST)


def test_a_lab_without_a_deadline_is_always_accepted(tmp_path: Path) -> None:
    clock = Clock(at("2036-01-01T00:00:00+00:00"))
    service = make_service(tmp_path, clock=clock)
    assert lab_rules(service, "cleo", "fake_scan").last_acceptance is None
    assert not hand_in(service, lab="fake_scan").late


def test_the_last_second_of_the_deadline_is_in_time(tmp_path: Path) -> None:
    clock = Clock(DEADLINE.replace(microsecond=999_999))
    service = make_service(tmp_path, clock=clock)
    assert not hand_in(service).late
    clock.move(seconds=0.000_001)
    assert hand_in(service).late


def test_nothing_is_accepted_after_the_last_acceptance(tmp_path: Path) -> None:
    clock = Clock(LAST.replace(microsecond=999_999))
    service = make_service(tmp_path, clock=clock)
    hand_in(service)
    clock.move(seconds=0.000_001)
    with pytest.raises(Refused) as refused:
        hand_in(service)
    assert refused.value.status == 403
    assert refused.value.retry_after is None
    assert "until 2026-10-26 23:59:59 CET" in refused.value.error


def test_one_members_extension_holds_for_the_group_in_its_lab(tmp_path: Path) -> None:
    more = '[[extensions]]\nstudents = ["ada"]\nlab = "fake_sum"\ndays = 2\n'
    clock = Clock(LAST)
    clock.move(days=1)
    service = make_service(tmp_path, more=more, clock=clock)
    assert hand_in(service, "ben").late
    with pytest.raises(Refused):
        hand_in(service, "cleo")


def test_attempts_are_the_teams_and_begin_at_the_courses_midnight(tmp_path: Path) -> None:
    clock = Clock(at("2026-10-20T23:59:00+02:00"))
    service = make_service(tmp_path, hand_in="attempts_per_day = 2", clock=clock)
    assert lab_rules(service, "ben", "fake_sum").attempts_left == 2
    hand_in(service, "ada")
    assert lab_rules(service, "ben", "fake_sum").attempts_left == 1
    hand_in(service, "ben")
    with pytest.raises(Refused) as refused:
        hand_in(service, "ada")
    assert (refused.value.status, refused.value.retry_after) == (429, 60)
    hand_in(service, "ada", lab="fake_scan")
    hand_in(service, "cleo")
    clock.move(seconds=60)
    hand_in(service, "ada")


def test_the_day_of_attempts_has_25_hours_when_clocks_go_back(tmp_path: Path) -> None:
    clock = Clock(at("2026-10-25T00:00:00+02:00"))
    service = make_service(tmp_path, hand_in="attempts_per_day = 1", clock=clock)
    hand_in(service)
    with pytest.raises(Refused) as refused:
        hand_in(service)
    assert refused.value.retry_after == 25 * 3600


def test_a_pause_is_between_two_hand_ins_of_a_team_to_a_lab(tmp_path: Path) -> None:
    clock = Clock()
    service = make_service(tmp_path, hand_in="pause_s = 30", clock=clock)
    hand_in(service, "ada")
    clock.move(seconds=29.5)
    with pytest.raises(Refused) as refused:
        hand_in(service, "ben")
    assert (refused.value.status, refused.value.retry_after) == (429, 1)
    hand_in(service, "ada", lab="fake_scan")
    hand_in(service, "cleo")
    clock.move(seconds=0.5)
    hand_in(service, "ben")


def test_our_own_failure_is_no_attempt(tmp_path: Path) -> None:
    service = make_service(tmp_path, hand_in="attempts_per_day = 1\npause_s = 60")
    hand_in(service)
    service.connect().execute("UPDATE submissions SET state = 'judge_error'")
    hand_in(service)


@pytest.mark.parametrize(
    ("hidden", "before", "after"),
    [
        ("first_difference", "cases", "all"),
        ("case", "cases", "cases"),
        ("verdict", "verdict", "verdict"),
    ],
)
def test_shows_the_least_of_what_the_course_and_the_lab_allow(
    tmp_path: Path, hidden: str, before: str, after: str
) -> None:
    clock = Clock(DEADLINE)
    made = make_service(tmp_path, hand_in='shows_before = "cases"\nshows_after = "all"')
    feedback = Feedback.model_validate({"hidden": hidden})
    labs: dict[str, Lab] = {"fake_sum": LABS["fake_sum"].model_copy(update={"feedback": feedback})}
    service = Service(made.course, made.course_path, made.data, labs, clock)
    entry = lab_of(service, "fake_sum")
    assert shows_now(service, "cleo", entry) == before
    clock.move(seconds=1)
    assert shows_now(service, "cleo", entry) == after


def test_an_unknown_lab_is_answered_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        lab_rules(make_service(tmp_path), "cleo", "fake_sort")
    assert refused.value.status == 404
    assert "fake_sum, fake_scan" in refused.value.next
