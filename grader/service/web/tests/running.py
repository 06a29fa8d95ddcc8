"""The service's server on a free port of this machine, for tests."""

import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import uvicorn

from grader.service.service import Service
from grader.service.web.app import app
from grader.service.web.limits import Rates
from grader.service.web.server import config
from grader.service.web.settings import WebSettings, reached_at


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def json(self) -> Any:  # noqa: ANN401
        return json.loads(self.body)

    @property
    def text(self) -> str:
        return self.body.decode()


@dataclass(frozen=True)
class Running:
    """A server that answers."""

    port: int
    server: uvicorn.Server

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """One request on a connection of its own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, dict(headers or {}))
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())
        finally:
            connection.close()

    def post(self, path: str, cookie: str = "", **fields: str) -> Answer:
        """Sends a form as a page of the service does."""
        headers = {
            "Content-Type": "application/x-www-form-urlencoded",
            "Sec-Fetch-Site": "same-origin",
            "Cookie": cookie,
        }
        return self.ask("POST", path, urlencode(fields).encode(), headers)

    def sign_in(self, token: str) -> str:
        """Opens a session by a personal link; returns its Cookie header."""
        answer = self.post(f"/sign-in/{token}")
        assert answer.status == 303, answer.text
        return str(answer.headers["Set-Cookie"]).split(";")[0]


@contextmanager
def running(
    service: Service,
    rates: Rates = Rates(),  # noqa: B008
    trust_header: str | None = None,
    proxy_address: str | None = None,
) -> Iterator[Running]:
    """Serves the application until the block ends."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
    port = listener.getsockname()[1]
    addresses = reached_at(service.course.hand_in.address, "127.0.0.1", port)
    made = app(service, WebSettings(addresses, trust_header, proxy_address), rates)
    server = uvicorn.Server(config(made, "127.0.0.1", port))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "the server did not start"
            time.sleep(0.01)
        yield Running(port, server)
    finally:
        server.should_exit = True
        thread.join()
        listener.close()
