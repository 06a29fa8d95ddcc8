"""Replays that staff ask for: what cannot be repeated says why, what was cut off waits again."""

from pathlib import Path

import pytest

from grader.sandbox.processes import Processes
from grader.service import desk, replays
from grader.service.refused import Refused
from grader.service.replays import Asked
from grader.service.service import Service
from grader.service.tests.made_up import STAFF, grade_next, hand_in, make_service


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return make_service(tmp_path)


def last(service: Service) -> Asked:
    found = replays.last_of(service, desk.submissions_of(service, "cleo")[0].number)
    assert found
    return found


def test_what_the_store_lacks_is_said_and_changes_nothing(service: Service) -> None:
    submission = hand_in(service).id
    with pytest.raises(Refused, match="no such submission"):
        replays.ask(service, "nope", STAFF)
    with pytest.raises(Refused, match="not graded yet"):
        replays.ask(service, submission, STAFF)
    grade_next(service)
    before = desk.submissions_of(service, "cleo")
    replays.ask(service, submission, STAFF)
    assert last(service).state == "waiting"
    assert replays.run_next(service, Processes())
    assert last(service).state == "failed"
    assert "no results in" in last(service).notes[0]
    assert desk.submissions_of(service, "cleo") == before
    assert not replays.run_next(service, Processes())


def test_what_a_killed_process_was_repeating_waits_again(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    submission = hand_in(service).id
    grade_next(service)
    replays.ask(service, submission, STAFF)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(replays, "repeat", killed)
    with pytest.raises(KeyboardInterrupt):
        replays.run_next(service, Processes())
    assert last(service).state == "running"
    assert not replays.run_next(service, Processes())
    replays.recover(service)
    assert last(service).state == "waiting"
