"""What the poller tells open streams, poll by poll."""

from pathlib import Path

from grader.service import desk, people, queue
from grader.service.service import Service
from grader.service.tests.made_up import grade_next, hand_in, make_service
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
