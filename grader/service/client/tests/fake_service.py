"""A service that answers as a test tells it: it breaks off, refuses, sends events in pieces."""

import contextlib
import hashlib
import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOKEN = "a-token-of-22-characters"  # noqa: S105 (nobody's)
ID = "abcdefghijklmnopqrstuvwxyz"

PAGE = f"/submissions/{ID}"
WAITING = {
    "id": ID,
    "state": "waiting",
    "headline": "Waiting: number 3 in the queue.",
    "page": PAGE,
}
GRADING = {"id": ID, "state": "grading", "headline": "Being graded: races.", "page": PAGE}
ACCEPTED: dict[str, Any] = {
    "id": ID,
    "state": "graded",
    "verdict": "accepted",
    "points": 100,
    "max_points": 100,
    "headline": "100 of 100 points: accepted.",
    "parts": [],
    "first_failure": None,
    "next": None,
    "page": PAGE,
}
RACY: dict[str, Any] = {
    **ACCEPTED,
    "verdict": "data_race",
    "points": 40,
    "headline": "40 of 100 points: data race.",
    "parts": [
        {"name": "Sum", "points": 40, "max_points": 40, "verdict": "accepted", "summary": "right"},
        {"name": "Scan", "points": 0, "max_points": 60, "verdict": "data_race", "summary": "race"},
    ],
    "first_failure": {"text": "Scan: two threads write total", "line": 2, "file": "sum.cc"},
    "next": "Guard total with a mutex.",
}

Act = Callable[["Handler"], bool]
"""What happens to one request; True: it is answered as usual afterwards."""


class Handler(BaseHTTPRequestHandler):
    """One request."""

    server: "FakeServer"
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def _answer(self) -> None:
        fake = self.server.fake
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        fake.requests.append((self.command, self.path, dict(self.headers), self.body))
        if self.path.endswith("/events"):
            return (
                fake.stream(self) if fake.streams else self.send(404, {"error": "e", "next": "n"})
            )
        if fake.acts and not fake.acts.pop(0)(self):
            return None
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            return self.send(401, {"error": "This token is not known.", "next": "Get a new one."})
        if self.command == "POST":
            return self.send(*fake.receive(self))
        if self.path == "/api/labs":
            return self.send(200, fake.labs)
        return self.send(200, fake.next_state())

    def send(self, status: int, document: object, **headers: str) -> None:
        data = document if isinstance(document, bytes) else json.dumps(document).encode()
        kind = {} if isinstance(document, bytes) else {"Content-Type": "application/json"}
        self.send_response(status)
        for name, value in {**kind, "Content-Length": str(len(data)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def drop(self) -> None:
        self.close_connection = True
        with contextlib.suppress(OSError):
            self.connection.shutdown(2)


class FakeServer(ThreadingHTTPServer):
    """A server that knows the fake it belongs to."""

    daemon_threads = True
    fake: "FakeService"


@dataclass
class FakeService:
    """What the service does, and what it has seen."""

    address: str = ""
    acts: list[Act] = field(default_factory=list)
    states: list[dict[str, Any]] = field(default_factory=lambda: [ACCEPTED])
    """Answers to GET, the last one for ever."""
    streams: list[list[bytes | float]] = field(default_factory=list)
    """For each stream its pieces, and pauses between them."""
    labs: list[dict[str, Any]] = field(default_factory=list)
    requests: list[tuple[str, str, dict[str, str], bytes]] = field(default_factory=list)
    kept: dict[str, bytes] = field(default_factory=dict)
    """What was handed in, by key: as the service does, a key hands in once."""

    def receive(self, request: Handler) -> tuple[int, dict[str, Any]]:
        key = request.headers["Idempotency-Key"]
        is_new = key not in self.kept
        if not is_new and self.kept[key] != request.body:
            return 409, {"error": "another file", "next": "a new key"}
        self.kept[key] = request.body
        receipt = {
            "id": ID,
            "digest": hashlib.sha256(request.body).hexdigest(),
            "received_at": "2026-11-30T10:00:00.000000+00:00",
            "late": False,
            "page": PAGE,
        }
        return (201 if is_new else 200), receipt

    def next_state(self) -> dict[str, Any]:
        return self.states.pop(0) if len(self.states) > 1 else self.states[0]

    def stream(self, request: Handler) -> None:
        request.send_response(200)
        request.send_header("Content-Type", "text/event-stream")
        request.end_headers()
        for piece in self.streams.pop(0):
            if isinstance(piece, bytes):
                request.wfile.write(piece)
                request.wfile.flush()
            else:
                time.sleep(piece)
        request.drop()

    @property
    def posts(self) -> list[tuple[str, dict[str, str], bytes]]:
        return [
            (path, headers, body) for how, path, headers, body in self.requests if how == "POST"
        ]


def event(state: dict[str, Any]) -> bytes:
    return f"event: state\nid: 1\ndata: {json.dumps(state)}\n\n".encode()


@contextlib.contextmanager
def running(fake: FakeService, tls: ssl.SSLContext | None = None) -> Iterator[FakeService]:
    """Serves on a free port."""
    server = FakeServer(("127.0.0.1", 0), Handler)
    if tls:
        server.socket = tls.wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False
        )
    server.fake = fake
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    fake.address = f"http{'s' if tls else ''}://127.0.0.1:{server.server_port}"
    try:
        yield fake
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


# What may happen to a request.


def drop_before_reading(request: Handler) -> bool:
    request.drop()
    return False


def drop_after_keeping(request: Handler) -> bool:
    """The worst moment: the submission is kept, but its receipt is lost."""
    request.server.fake.receive(request)
    request.drop()
    return False


def drop_within_the_receipt(request: Handler) -> bool:
    status, document = request.server.fake.receive(request)
    text = json.dumps(document).encode()
    request.send_response(status)
    request.send_header("Content-Type", "application/json")
    request.send_header("Content-Length", str(len(text)))
    request.end_headers()
    request.wfile.write(text[: len(text) // 2])
    request.drop()
    return False


def say_nothing(request: Handler) -> bool:
    time.sleep(1)
    return drop_before_reading(request)


def talk_nonsense(request: Handler) -> bool:
    request.wfile.write(b"\0\1\2 nonsense\r\n\r\n")
    request.drop()
    return False


def refuse(status: int, **headers: str) -> Act:
    def act(request: Handler) -> bool:
        document = {"error": f"Refused with {status}.", "next": "Do something else."}
        request.send(status, document, **headers)
        return False

    return act


def show_page(status: int = 200, **headers: str) -> Act:
    def act(request: Handler) -> bool:
        request.send(status, b"<html>Sign in</html>", Content_Type="text/html", **headers)
        return False

    return act
