"""Attacks by many requests: at the same time, too many, for too long."""

import select
import socket
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

from grader.service.tests.made_up import new_key
from grader.service.web.limits import Buckets, Rates
from grader.service.web.tests.attacked import UNLIMITED, Site, attacked
from grader.service.web.tests.running import Answer

HAND_IN = "/api/labs/fake_scan/submissions"


def _at_once(ask: Callable[[int], Answer], count: int) -> Sequence[Answer]:
    with ThreadPoolExecutor(count) as threads:
        return list(threads.map(ask, range(count)))


def test_one_key_at_once_hands_in_once(tmp_path: Path) -> None:
    with attacked(tmp_path) as site:
        key = new_key()
        site.token("cleo")
        answers = _at_once(
            lambda _: site.api("cleo", "POST", HAND_IN, b"int x;\n", Idempotency_Key=key), 8
        )
        assert sorted(answer.status for answer in answers) == [200] * 7 + [201]
        assert len({answer.json["id"] for answer in answers}) == 1


def test_two_hand_ins_at_once_are_not_both_the_last_attempt(tmp_path: Path) -> None:
    with attacked(tmp_path, hand_in_rules="attempts_per_day = 3") as site:
        site.token("cleo")
        answers = _at_once(
            lambda _: site.api("cleo", "POST", HAND_IN, b"int x;\n", Idempotency_Key=new_key()), 8
        )
        assert sorted(answer.status for answer in answers) == [201] * 3 + [429] * 5
        assert all(answer.headers["Retry-After"] for answer in answers if answer.status == 429)


def test_partners_at_once_share_their_attempts(tmp_path: Path) -> None:
    with attacked(tmp_path, hand_in_rules="attempts_per_day = 2") as site:  # ada used one
        for name in ("ada", "ben"):
            site.token(name)
        path = HAND_IN.replace("fake_scan", "fake_sum")
        answers = _at_once(
            lambda n: site.api(
                ("ada", "ben")[n % 2], "POST", path, b"int x;\n", Idempotency_Key=new_key()
            ),
            6,
        )
        assert sorted(answer.status for answer in answers) == [201] + [429] * 5


def test_one_key_for_two_files_at_once_keeps_one(tmp_path: Path) -> None:
    with attacked(tmp_path) as site:
        key = new_key()
        site.token("cleo")
        answers = _at_once(
            lambda n: site.api("cleo", "POST", HAND_IN, b"int x%d;" % n, Idempotency_Key=key), 4
        )
        assert sorted(answer.status for answer in answers) == [201] + [409] * 3


def test_who_asks_too_often_has_to_wait_but_nobody_else(tmp_path: Path) -> None:
    with attacked(tmp_path, Rates(person=(0.01, 5))) as site:
        answers = [site.api("eve", "GET", "/api/labs") for _ in range(6)]
        assert [answer.status for answer in answers] == [200] * 5 + [429]
        assert int(str(answers[-1].headers["Retry-After"])) >= 1
        assert site.api("cleo", "GET", "/api/labs").status == 200


def test_who_changes_too_much_has_to_wait(tmp_path: Path) -> None:
    with attacked(tmp_path, Rates(changes=(0.01, 2))) as site:
        answers = [
            site.api("eve", "POST", HAND_IN, b"int x;", Idempotency_Key=new_key()) for _ in range(3)
        ]
        assert [answer.status for answer in answers] == [201, 201, 429]
        assert site.api("eve", "GET", "/api/labs").status == 200


def _open_stream(site: Site, name: str) -> socket.socket:
    """The stream of ada's submission, after the head of its answer."""
    line = socket.create_connection(("127.0.0.1", site.running.port), timeout=5)
    line.sendall(
        f"GET /api/submissions/{site.waiting}/events HTTP/1.1\r\n"
        f"Host: 127.0.0.1:{site.running.port}\r\n"
        f"Authorization: Bearer {site.token(name)}\r\n\r\n".encode()
    )
    return line


def _status(line: socket.socket) -> int:
    return int(line.recv(1 << 16)[9:12])


def test_a_person_has_only_so_many_streams_until_one_is_closed(tmp_path: Path) -> None:
    rates = Rates(streams_of_person=2)
    with attacked(tmp_path, rates) as site, ExitStack() as open_lines:
        lines = [open_lines.enter_context(_open_stream(site, "ada")) for _ in range(2)]
        assert [_status(line) for line in lines] == [200, 200]
        refused = site.api("ada", "GET", f"/api/submissions/{site.waiting}/events")
        assert refused.status == 429
        assert refused.headers["Retry-After"] == "30"
        assert _status(open_lines.enter_context(_open_stream(site, "ben"))) == 200
        lines[0].close()
        assert _soon(lambda: _status(_open_stream(site, "ada")) == 200)


def _soon(holds: Callable[[], bool]) -> bool:
    ends = time.monotonic() + 10
    while time.monotonic() < ends:
        if holds():
            return True
        time.sleep(0.05)
    return False


def test_all_have_only_so_many_streams_and_pages_are_answered_still(tmp_path: Path) -> None:
    with attacked(tmp_path, Rates(streams=1)) as site, _open_stream(site, "ada") as line:
        assert _status(line) == 200
        refused = site.api("ben", "GET", f"/api/submissions/{site.waiting}/events")
        assert refused.status == 503
        assert refused.headers["Retry-After"]
        assert site.api("ben", "GET", "/api/labs").status == 200


def test_a_person_who_holds_requests_open_blocks_nobody_else(tmp_path: Path) -> None:
    rates = Rates(**{**vars(UNLIMITED), "in_flight_of_person": 2})
    with attacked(tmp_path, rates) as site, ExitStack() as open_lines:
        head = (
            f"POST {HAND_IN} HTTP/1.1\r\nHost: 127.0.0.1:{site.running.port}\r\n"
            f"Authorization: Bearer {site.token('eve')}\r\nContent-Length: 9\r\n\r\n"
        )
        lines = [
            open_lines.enter_context(socket.create_connection(("127.0.0.1", site.running.port)))
            for _ in range(3)
        ]
        for line in lines:
            line.sendall(head.encode())
        refused, _, _ = select.select(lines, [], [], 10)
        assert [_status(line) for line in refused] == [429]
        assert site.api("eve", "GET", "/api/labs").status == 429
        assert site.api("cleo", "GET", "/api/labs").status == 200


def test_when_all_hold_requests_open_others_hear_when_to_come_back(tmp_path: Path) -> None:
    rates = Rates(**{**vars(UNLIMITED), "in_flight": 0})
    with attacked(tmp_path, rates) as site:
        answer = site.api("cleo", "GET", "/api/labs")
        assert answer.status == 503
        assert answer.headers["Retry-After"] == "5"
        assert set(answer.json) == {"error", "next"}


def test_addresses_that_come_once_do_not_fill_the_memory() -> None:
    buckets = Buckets(1, 10, clock=lambda: 0)
    for number in range(25_000):
        assert buckets.take(f"{number}") == 0
    assert len(buckets._levels) <= 10_000


def test_visitors_who_hold_requests_open_leave_room_for_who_is_signed_in(tmp_path: Path) -> None:
    rates = Rates(**{**vars(UNLIMITED), "in_flight_of_visitors": 1})
    with attacked(tmp_path, rates) as site:
        place = ("127.0.0.1", site.running.port)
        head = (
            f"POST /sign-in/x HTTP/1.1\r\nHost: 127.0.0.1:{site.running.port}\r\n"
            "Sec-Fetch-Site: same-origin\r\nContent-Length: 9\r\n\r\n"
        )
        with ExitStack() as open_lines:

            def are_visitors_refused() -> bool:
                # A request that comes while the question below is answered is refused itself.
                line = open_lines.enter_context(socket.create_connection(place))
                line.sendall(head.encode())
                return site.running.ask("GET", "/").status == 503

            assert _soon(are_visitors_refused)
            assert site.api("cleo", "GET", "/api/labs").status == 200
        assert _soon(lambda: site.running.ask("GET", "/").status == 401)


def test_who_signs_in_without_end_has_to_wait(tmp_path: Path) -> None:
    with attacked(tmp_path, Rates(changes=(0.01, 3))) as site:
        link = f"/sign-in/{site.token('eve')}"
        assert [site.running.post(link).status for _ in range(4)] == [303] * 3 + [429]
        assert site.running.post(f"/sign-in/{site.token('cleo')}").status == 303
