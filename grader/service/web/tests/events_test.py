"""What the poller tells open streams, poll by poll."""

import json
import sqlite3
from pathlib import Path

import pytest

from grader.model.result import Failure
from grader.model.verdict import Verdict
from grader.service import desk, people, queue
from grader.service.service import Service
from grader.service.tests.made_up import LABS, grade_next, hand_in, make_service, result_of
from grader.service.web.events import Poller, Watch, first_event


def _watches(service: Service, count: int) -> list[Watch]:
    """Of as many submissions that wait."""
    watches = []
    for _ in range(count):
        person = people.person(service, "cleo")
        assert person
        row = desk.submission(service, hand_in(service).id, person)
        watches.append(Watch(row, person))
    for watch in watches:
        first_event(service, watch)
    return watches


def test_who_is_far_behind_is_told_the_place_within_five_polls(tmp_path: Path) -> None:
    service = make_service(tmp_path)
    watches = _watches(service, 20)
    poller = Poller(service)
    poller._changes(watches)
    for _ in range(4):
        poller._changes(watches)
    assert poller._changes(watches) == []
    queue.claim(service, 0)
    told = [[watch for watch, _ in poller._changes(watches)] for _ in range(5)]
    assert {*told[0]} >= {*watches[:4]}
    assert all(len(polled) <= 8 for polled in told)
    assert {watch for polled in told for watch in polled} == {*watches}
    assert poller._changes(watches) == []


def test_a_new_state_is_told_at_once(tmp_path: Path) -> None:
    service = make_service(tmp_path)
    watches = _watches(service, 2)
    poller = Poller(service)
    for _ in range(6):
        poller._changes(watches)
    grade_next(service)
    told = dict(poller._changes(watches))
    assert told[watches[0]].is_last
    assert '"position":1' in told[watches[1]].data


def test_a_state_that_cannot_be_told_keeps_no_other_from_being_told(tmp_path: Path) -> None:
    service = make_service(tmp_path)
    watches = _watches(service, 2)
    poller = Poller(service)
    poller._changes(watches)
    grade_next(service)
    grade_next(service)
    with service.change() as change:
        change.database.execute("UPDATE submissions SET result = '{' WHERE number = 1")
    told = dict(poller._changes(watches))
    assert [watch in told for watch in watches] == [False, True]


def test_a_number_of_any_length_in_a_message_names_no_line(tmp_path: Path) -> None:
    service = make_service(tmp_path)
    (watch,) = _watches(service, 1)
    claimed = queue.claim(service, 0)
    assert claimed
    result = result_of(first=Verdict.WRONG_ANSWER)
    part = result.parts[0]
    failure = Failure(test="Case", message=f"{LABS['fake_sum'].file}:{'1' * 5000}")
    parts = [part.model_copy(update={"failure": failure}), *result.parts[1:]]
    queue.finish(service, claimed.number, result.model_copy(update={"parts": parts}))
    told = json.loads(first_event(service, watch).data)
    assert told["first_failure"]["line"] is None


def test_what_a_poll_that_failed_did_not_tell_the_next_one_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = make_service(tmp_path)
    watches = _watches(service, 1)
    poller = Poller(service)
    poller._changes(watches)
    grade_next(service)
    with monkeypatch.context() as patched:
        patched.setattr(queue, "places", _fail)
        with pytest.raises(sqlite3.OperationalError):
            poller._changes(watches)
    assert [event.is_last for _, event in poller._changes(watches)] == [True]


def _fail(_service: Service) -> None:
    raise sqlite3.OperationalError("disk I/O error")
