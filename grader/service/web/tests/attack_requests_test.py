"""Attacks on the server by requests that no browser sends."""

import resource
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from grader.service.tests.made_up import new_key
from grader.service.web import limits, server
from grader.service.web.limits import Rates
from grader.service.web.tests.attacked import Site, attacked

HAND_IN = "/api/labs/fake_sum/submissions"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with attacked(tmp_path_factory.mktemp("site")) as made:
        yield made


def _status(answer: bytes) -> int:
    assert answer.startswith(b"HTTP/1.1 "), answer[:80]
    return int(answer[9:12])


def _head(site: Site, method: str, path: str, *lines: str) -> bytes:
    """A request of cleo's program up to its body."""
    own = [f"Authorization: Bearer {site.token('cleo')}", f"Idempotency-Key: {new_key()}"]
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: HOST", *own, *lines, "", ""]).encode()


def _count(site: Site) -> int:
    rows = site.service.connect().execute("SELECT COUNT(*) FROM submissions WHERE person = 'cleo'")
    return int(rows.fetchone()[0])


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e%2f%2e%2e%2f%2e%2e%2f%2e%2e%2fcourse.toml",
        "/static/....//app.py",
        "/static//etc/passwd",
        "/static/%252e%252e/app.py",
        "/api/submissions/../labs",
        "/api/labs/..%2f..%2fhealth/submissions",
        "/sign-in/../staff",
        "/STAFF",
        "//evil.example/",
        "/%2f%2fevil.example",
        "http://evil.example/",
        "/health/",
    ],
)
def test_a_path_leads_to_no_file_and_no_other_site(site: Site, path: str) -> None:
    answer = site.raw(_head(site, "GET", path, "Connection: close"))
    assert _status(answer) in (400, 404), answer[:200]
    assert b"Location" not in answer
    assert b"import" not in answer
    assert b"root:" not in answer


@pytest.mark.parametrize("path", ["/static/%00", "/a%0d%0aSet-Cookie:x", "/a%5c..%5cb", "/%7f"])
def test_a_path_with_control_characters_is_refused(site: Site, path: str) -> None:
    answer = site.raw(_head(site, "GET", path, "Connection: close"))
    assert _status(answer) == 400
    assert b"Set-Cookie" not in answer


@pytest.mark.parametrize(
    "lines",
    [
        "Host: evil.example",
        "Host: 127.0.0.1.evil.example",
        "Host: localhost/static/x",
        "Host: evil.example@localhost",
        "Host: [::1",
        "Host:",
        "Host: localhost\r\nHost: evil.example",
        "X-Forwarded-Host: localhost",
    ],
)
def test_another_host_is_not_answered(site: Site, lines: str) -> None:
    answer = site.raw(f"GET /health HTTP/1.1\r\n{lines}\r\nConnection: close\r\n\r\n".encode())
    assert _status(answer) == 400
    assert b"waiting" not in answer


@pytest.mark.parametrize(
    "lines",
    [
        "Content-Length: 4\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nContent-Length: 4",
        "Content-Length: 4\r\nContent-Length: 5",
        "Content-Length: +4",
        "Content-Length: -4",
        "Content-Length: 4, 5",
        "Content-Length: 0x4",
        "Content-Length : 4",
        "Transfer-Encoding: identity",
        "Transfer-Encoding: xchunked",
        "Transfer-Encoding: chunked, identity",
        "X-Ignored: a\r\n b\r\nContent-Length\r\n: 4",
        "Authorization: Bearer x\r\nContent-Length: 4",
    ],
)
def test_two_readings_of_a_length_hide_no_second_request(site: Site, lines: str) -> None:
    before = _count(site)
    hidden = _head(site, "POST", HAND_IN, "Content-Length: 5", "Connection: close") + b"int i"
    answer = site.raw(_head(site, "POST", HAND_IN, lines) + b"0\r\n\r\n" + hidden)
    assert _status(answer) in (400, 411, 501), answer[:200]
    assert answer.count(b"HTTP/1.1 ") == 1
    assert _count(site) == before


def test_a_body_without_a_length_is_not_read(site: Site) -> None:
    before = _count(site)
    head = _head(site, "POST", HAND_IN, "Transfer-Encoding: chunked")
    answer = site.raw(head, more=b"1000\r\n" + b"x" * 0x1000 + b"\r\n")
    assert answer == b"" or _status(answer) == 411
    assert _count(site) == before


def test_a_file_beyond_the_limit_is_refused_in_words(site: Site) -> None:
    before = _count(site)
    answer = site.api("cleo", "POST", HAND_IN, b"x" * (4 << 20), Idempotency_Key=new_key())
    assert answer.status == 413
    assert "KiB" in answer.json["error"]
    assert _count(site) == before


def test_a_body_of_a_terabyte_is_not_read(site: Site) -> None:
    head = _head(site, "POST", HAND_IN, f"Content-Length: {1 << 40}")
    answer = site.raw(head, more=b"x" * 65536)
    assert answer == b"" or _status(answer) == 413


def test_a_form_beyond_the_limit_is_refused(site: Site) -> None:
    answer = site.post("cleo", "/me", nickname="x" * (1 << 20))
    assert answer.status == 413


def _send_for_long(line: socket.socket, chunk: bytes) -> None:
    for _ in range(100):
        line.sendall(chunk)
        time.sleep(0.05)


def test_a_request_that_nobody_reads_has_no_endless_body(site: Site) -> None:
    head = _head(site, "GET", "/health", "Transfer-Encoding: chunked")
    host = f"127.0.0.1:{site.running.port}".encode()
    with socket.create_connection(("127.0.0.1", site.running.port), timeout=3) as line:
        line.sendall(head.replace(b"HOST", host))
        assert line.recv(1 << 16).startswith(b"HTTP/1.1 200")
        with pytest.raises(ConnectionError):
            _send_for_long(line, b"1000\r\n" + b"x" * 0x1000 + b"\r\n")


def test_a_slow_body_is_cut(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "BODY_SECONDS", 0.2)
    before = _count(site)
    answer = site.raw(_head(site, "POST", HAND_IN, "Content-Length: 100") + b"int")
    assert _status(answer) == 408
    assert _count(site) == before


@pytest.mark.parametrize("sent", [b"", b"GET ", b"GET / HTTP/1.1\r\nHost: HOST\r\nX: "])
def test_a_slow_head_is_cut(site: Site, monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(server, "HEADER_SECONDS", 0.2)
    assert site.raw(sent, seconds=2.5) == b""


def test_a_slow_second_head_is_cut(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "HEADER_SECONDS", 0.2)
    port, got = site.running.port, b""
    with socket.create_connection(("127.0.0.1", port), timeout=3) as line:
        line.sendall(f"GET /health HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        while b"}" not in got:
            got += line.recv(1 << 16)
        line.sendall(b"GET /hea")
        assert line.recv(1 << 16) == b""


@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/1.1\r\nHost: HOST\r\nX: " + b"x" * 100_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: HOST\r\n" + b"X: y\r\n" * 20_000 + b"\r\n",
        b"GET /" + b"a" * 5_000 + b" HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n",
        b"GET /?" + b"a" * 5_000 + b" HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: HOST\r\nX: a\x00b\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 100 + b"\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\nHost: HOST\r\n\r\n",
    ],
)
def test_a_head_that_is_too_long_or_none_is_refused(site: Site, sent: bytes) -> None:
    answer = site.raw(sent)
    assert answer == b"" or _status(answer) in (400, 431), answer[:100]


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"])
def test_other_methods_do_nothing(site: Site, method: str) -> None:
    answer = site.raw(_head(site, method, f"/api/submissions/{site.graded}", "Connection: close"))
    assert _status(answer) == 405
    assert b"Allow" in answer or b"allow" in answer


def test_a_method_is_not_taken_from_a_header(site: Site) -> None:
    before = _count(site)
    answer = site.api("cleo", "GET", HAND_IN, X_HTTP_Method_Override="POST")
    assert answer.status == 405
    assert _count(site) == before


@pytest.mark.parametrize(
    "line", ["Upgrade: websocket\r\nConnection: Upgrade", "Upgrade: h2c\r\nConnection: Upgrade"]
)
def test_a_connection_does_not_become_another_protocol(site: Site, line: str) -> None:
    answer = site.raw(_head(site, "GET", "/health", line), seconds=0.5)
    assert _status(answer) == 200


def test_an_address_has_only_so_many_connections(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "CONNECTIONS_OF_ADDRESS", 0)
    answer = site.raw(_head(site, "GET", "/health"))
    assert _status(answer) == 503
    assert b"Retry-After: 10" in answer


def test_the_proxy_has_connections_for_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "CONNECTIONS_OF_ADDRESS", 0)
    with attacked(tmp_path, proxy_address="127.0.0.1") as site:
        assert site.running.ask("GET", "/health").status == 200


def test_connections_do_not_use_up_the_files_of_the_process(tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1_024, before[1]))
    try:
        with attacked(tmp_path) as site, ExitStack() as open_lines:
            for _ in range(900):  # and as many at the other end, in this process
                place = ("127.0.0.1", site.running.port)
                open_lines.enter_context(socket.create_connection(place, timeout=5))
            assert site.running.ask("GET", "/health").status == 200
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_an_address_cannot_be_feigned(tmp_path: Path) -> None:
    with attacked(tmp_path, Rates(address=(0.01, 5))) as site:
        statuses = [
            site.running.ask("GET", "/health", headers={"X-Forwarded-For": f"10.0.0.{n}"}).status
            for n in range(6)
        ]
    assert statuses == [200] * 5 + [429]


def test_a_network_of_ipv6_is_one_address(tmp_path: Path) -> None:
    with attacked(tmp_path, Rates(address=(0.01, 5)), proxy_address="127.0.0.1") as site:

        def asks(address: str) -> int:
            return site.running.ask("GET", "/health", headers={"X-Forwarded-For": address}).status

        assert [asks(f"2001:db8::{n}:1") for n in range(6)] == [200] * 5 + [429]
        assert asks("2001:db8:0:1::1") == 200


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8:0:0:ffff::", "2001:db8::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("unknown", "unknown"),
    ],
)
def test_limits_count_networks(address: str, network: str) -> None:
    assert limits.network_of(address) == network


def test_what_a_visitor_sends_is_not_parsed(site: Site) -> None:
    headers = {"Sec-Fetch-Site": "same-origin", "Content-Type": "multipart/form-data"}
    answer = site.running.ask("POST", "/sign-in/x", b"no boundary", headers)
    assert answer.status == 401
