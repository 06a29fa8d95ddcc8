"""What programs are answered, over a real connection."""

import json
import socket
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from grader.service import people, queue
from grader.service.service import Service
from grader.service.tests.made_up import RIGHT, make_service
from grader.service.web.tests.running import Running, running


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return make_service(tmp_path)


@pytest.fixture
def site(service: Service) -> Iterator[Running]:
    with running(service) as started:
        yield started


def headers_of(service: Service, name: str, key: str = "0" * 32) -> dict[str, str]:
    return {
        "Authorization": f"Bearer {people.new_token(service, name, 'tess')}",
        "Idempotency-Key": key,
        "X-File-Name": "sum.cc",
    }


def test_the_labs_say_what_is_left(service: Service, site: Running) -> None:
    labs = site.ask("GET", "/api/labs", headers=headers_of(service, "cleo")).json
    assert [lab["lab"] for lab in labs] == ["fake_sum", "fake_scan"]
    assert labs[0]["deadline"] == "2026-10-23T21:59:59+00:00"
    assert labs[0]["time_left_s"] == 3 * 86400 + 10 * 3600 - 1
    assert labs[0]["late_days_left"] == 2
    assert labs[0]["submissions"] == 0


def test_handing_in_twice_with_one_key_hands_in_once(service: Service, site: Running) -> None:
    headers = headers_of(service, "cleo")
    path = "/api/labs/fake_sum/submissions"
    first, again = (site.ask("POST", path, RIGHT, headers) for _ in range(2))
    assert (first.status, again.status) == (201, 200)
    assert first.json["id"] == again.json["id"]
    assert first.json["position"] == 1
    other = site.ask("POST", path, RIGHT + b"//", headers)
    assert other.status == 409
    assert set(other.json) == {"error", "next"}


def test_a_submission_tells_its_place_and_then_its_phase(service: Service, site: Running) -> None:
    headers = headers_of(service, "cleo")
    made = site.ask("POST", "/api/labs/fake_sum/submissions", RIGHT, headers).json
    path = f"/api/submissions/{made['id']}"
    assert site.ask("GET", path, headers=headers).json["headline"].startswith("Waiting")
    claimed = queue.claim(service, 0)
    assert claimed
    queue.set_phase(service, claimed.number, "tests")
    told = site.ask("GET", path, headers=headers).json
    assert (told["state"], told["phase"]) == ("grading", "tests")


def test_events_follow_a_submission(service: Service, site: Running) -> None:
    headers = headers_of(service, "cleo")
    made = site.ask("POST", "/api/labs/fake_sum/submissions", RIGHT, headers).json
    with socket.create_connection(("127.0.0.1", site.port), timeout=5) as connection:
        connection.sendall(
            f"GET /api/submissions/{made['id']}/events HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\n"
            f"Authorization: {headers['Authorization']}\r\n\r\n".encode()
        )
        lines = connection.makefile("rb")
        assert _next_state(lines)["state"] == "waiting"
        queue.claim(service, 0)
        assert _next_state(lines)["state"] == "grading"


def test_open_streams_end_with_the_server_and_without_a_word(
    service: Service, caplog: pytest.LogCaptureFixture
) -> None:
    with running(service) as site:
        headers = headers_of(service, "cleo")
        made = site.ask("POST", "/api/labs/fake_sum/submissions", RIGHT, headers).json
        with socket.create_connection(("127.0.0.1", site.port), timeout=5) as connection:
            connection.sendall(
                f"GET /api/submissions/{made['id']}/events HTTP/1.1\r\n"
                f"Host: 127.0.0.1:{site.port}\r\n"
                f"Authorization: {headers['Authorization']}\r\n\r\n".encode()
            )
            lines = connection.makefile("rb")
            assert _next_state(lines)["state"] == "waiting"
            site.server.should_exit = True
            assert not [line for line in lines if line.startswith(b"data")]
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


def _next_state(lines: Iterable[bytes]) -> dict[str, str]:
    for line in lines:
        if line.startswith(b"data: "):
            told: dict[str, str] = json.loads(line[6:])
            return told
    raise AssertionError("the stream ended")


def test_health_is_open_to_all(site: Running) -> None:
    assert site.ask("GET", "/health").json == {
        "state": "up",
        "paused": False,
        "waiting": 0,
        "grading": 0,
    }


def test_a_personal_link_signs_in_by_its_button_only(service: Service, site: Running) -> None:
    token = people.new_token(service, "cleo", "tess")
    shown = site.ask("GET", f"/sign-in/{token}")
    assert shown.status == 200
    assert shown.headers["Set-Cookie"] is None
    cookie = site.sign_in(token)
    assert cookie.startswith("session=")
    session = people.session_of(service, cookie.partition("=")[2])
    assert session
    assert session.person.name == "cleo"
    assert site.post("/sign-out", cookie, csrf=session.csrf).status == 303
    assert people.session_of(service, cookie.partition("=")[2]) is None
