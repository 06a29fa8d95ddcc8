"""Requests for regrading: who may ask, about what, and who answered."""

from pathlib import Path

import pytest

from grader.service import log, people, requests
from grader.service.people import Person
from grader.service.refused import Refused
from grader.service.service import Service
from grader.service.tests.made_up import STAFF, grade_next, hand_in, make_service

PARTS = ("SumA", "SumB")


def someone(service: Service, name: str) -> Person:
    found = people.person(service, name)
    assert found
    return found


def test_a_member_of_the_team_asks_and_staff_answer(tmp_path: Path) -> None:
    service = make_service(tmp_path)
    submission = hand_in(service, "ada").id
    grade_next(service)
    requests.ask(service, someone(service, "ben"), submission, "SumA", "why?\r\n", PARTS)
    (asked,) = requests.open_requests(service)
    assert (asked.submission_id, asked.part, asked.text) == (submission, "SumA", "why?")
    requests.answer(service, asked.id, "Line 3 is read before it is written.", STAFF)
    assert not requests.open_requests(service)
    (answered,) = requests.requests_of(service, submission)
    assert (answered.answered_by, answered.answer) == (
        STAFF,
        "Line 3 is read before it is written.",
    )
    assert requests.answered_last(service) == [answered]
    what = [(e.who, e.what) for e in log.entries(service.connect(), about=submission)][:2]
    assert what == [(STAFF, "request answered"), ("ben", "request")]


def test_nobody_asks_about_the_work_of_others(tmp_path: Path) -> None:
    service = make_service(tmp_path)
    submission = hand_in(service, "cleo").id
    grade_next(service)
    with pytest.raises(Refused) as error:
        requests.ask(service, someone(service, "dan"), submission, "", "why?", PARTS)
    assert error.value.status == 404


@pytest.mark.parametrize(
    ("part", "text", "status"), [("SumC", "why?", 404), ("", " \n", 400), ("", "x" * 4001, 400)]
)
def test_a_request_names_a_part_and_a_reason(
    tmp_path: Path, part: str, text: str, status: int
) -> None:
    service = make_service(tmp_path)
    submission = hand_in(service, "cleo").id
    grade_next(service)
    with pytest.raises(Refused) as error:
        requests.ask(service, someone(service, "cleo"), submission, part, text, PARTS)
    assert error.value.status == status
    assert not requests.open_requests(service)


def test_one_request_for_a_part_is_open_at_a_time(tmp_path: Path) -> None:
    service = make_service(tmp_path)
    submission = hand_in(service, "cleo").id
    cleo = someone(service, "cleo")
    with pytest.raises(Refused, match="not graded yet"):
        requests.ask(service, cleo, submission, "SumA", "why?", PARTS)
    grade_next(service)
    requests.ask(service, cleo, submission, "SumA", "why?", PARTS)
    with pytest.raises(Refused, match="asked about this part"):
        requests.ask(service, cleo, submission, "SumA", "again", PARTS)
    (asked,) = requests.open_requests(service)
    requests.answer(service, asked.id, "because", STAFF)
    with pytest.raises(Refused, match="no open request"):
        requests.answer(service, asked.id, "otherwise", STAFF)
    requests.ask(service, cleo, submission, "SumA", "and now?", PARTS)
    assert len(requests.requests_of(service, submission)) == 2


def test_a_team_has_only_so_many_open_requests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "_MOST_OPEN", 2)
    service = make_service(tmp_path)
    first, second = hand_in(service, "ada").id, hand_in(service, "ben").id
    grade_next(service)
    grade_next(service)
    requests.ask(service, someone(service, "ada"), first, "SumA", "why?", PARTS)
    requests.ask(service, someone(service, "ben"), first, "SumB", "why?", PARTS)
    with pytest.raises(Refused, match="2 of your requests"):
        requests.ask(service, someone(service, "ben"), second, "SumA", "why?", PARTS)
    requests.answer(service, requests.open_requests(service)[0].id, "So.", STAFF)
    requests.ask(service, someone(service, "ben"), second, "SumA", "why?", PARTS)
