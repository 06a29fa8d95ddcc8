"""Handing in: what the rules allow, what is kept, who sees it."""

from pathlib import Path

import pytest

from grader.service import desk
from grader.service.refused import Refused
from grader.service.tests.made_up import (
    RIGHT,
    Clock,
    hand_in,
    make_service,
    new_key,
)


def test_a_receipt_says_what_was_handed_in_for_which_team(tmp_path: Path) -> None:
    receipt = hand_in(make_service(tmp_path), "ada", text=RIGHT)
    assert (receipt.person, receipt.team, receipt.lab) == ("ada", "group-a", "fake_sum")
    assert receipt.is_new
    assert not receipt.late


def test_the_same_request_again_hands_in_once_even_after_the_deadline(tmp_path: Path) -> None:
    clock = Clock()
    service = make_service(tmp_path, hand_in="pause_s = 30\nattempts_per_day = 1", clock=clock)
    key = new_key()
    first = hand_in(service, text=RIGHT, key=key)
    clock.move(days=100)
    again = hand_in(service, text=RIGHT, key=key)
    assert (again.id, again.received_at, again.is_new) == (first.id, first.received_at, False)
    assert len(desk.submissions_of(service, "cleo")) == 1


def test_the_same_key_for_other_bytes_is_a_conflict(tmp_path: Path) -> None:
    service = make_service(tmp_path)
    key = new_key()
    hand_in(service, text=RIGHT, key=key)
    for lab, text in (("fake_sum", b"other"), ("fake_scan", RIGHT)):
        with pytest.raises(Refused) as refused:
            hand_in(service, lab=lab, text=text, key=key)
        assert refused.value.status == 409


def test_the_same_key_of_another_person_is_another_request(tmp_path: Path) -> None:
    service = make_service(tmp_path)
    key = new_key()
    assert hand_in(service, "cleo", key=key).id != hand_in(service, "dan", key=key).id
