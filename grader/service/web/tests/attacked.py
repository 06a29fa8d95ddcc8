"""What attacks are aimed at: a service with hand-ins of several people, over real connections."""

import re
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from starlette.routing import Mount, Route

from grader.service import people
from grader.service.service import Service
from grader.service.tests.made_up import Clock, grade_next, hand_in, make_service
from grader.service.web.app import app
from grader.service.web.limits import Rates
from grader.service.web.tests.running import Answer, Running, running

OPEN = frozenset({"/static/service.css", "/health", "/sign-in/{token}"})
SECRET = b"// what cleo wrote and nobody else may read\n"

UNLIMITED = Rates(person=(1e6, 1e6), changes=(1e6, 1e6), address=(1e6, 1e6), unknown=(1e6, 1e6))


@dataclass
class Site:
    """A running service. cleo has a graded submission, ada of group-a a waiting one."""

    service: Service
    running: Running
    clock: Clock
    graded: str
    """Cleo's."""
    waiting: str
    """Ada's."""
    _cookies: dict[str, str] = field(default_factory=dict)
    _tokens: dict[str, str] = field(default_factory=dict)

    def token(self, name: str) -> str:
        if name not in self._tokens:
            self._tokens[name] = people.new_token(self.service, name, "tess")
        return self._tokens[name]

    def cookie(self, name: str) -> str:
        if name not in self._cookies:
            self._cookies[name] = self.running.sign_in(self.token(name))
        return self._cookies[name]

    def csrf(self, name: str) -> str:
        session = people.session_of(self.service, self.cookie(name).partition("=")[2])
        assert session
        return session.csrf

    def api(
        self, name: str, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> Answer:
        """A program of this person asks; `file_name=` becomes the header File-Name."""
        sent = {key.replace("_", "-"): value for key, value in headers.items()}
        sent.setdefault("Authorization", f"Bearer {self.token(name)}")
        return self.running.ask(method, path, body, sent)

    def page(self, name: str, path: str) -> Answer:
        """The person's browser opens a page."""
        return self.running.ask("GET", path, headers={"Cookie": self.cookie(name)})

    def post(self, name: str, path: str, **fields: str) -> Answer:
        """The person's browser sends a form of the service."""
        return self.running.post(path, self.cookie(name), csrf=self.csrf(name), **fields)

    def raw(self, sent: bytes, seconds: float = 3, more: bytes = b"") -> bytes:
        """All that comes back to these bytes; `more` is sent again and again until it ends."""
        got = b""
        with socket.create_connection(("127.0.0.1", self.running.port), timeout=seconds) as line:
            try:
                line.sendall(sent.replace(b"HOST", f"127.0.0.1:{self.running.port}".encode()))
                while more and not _has_answer(line):
                    line.sendall(more)
                while data := line.recv(65536):
                    got += data
            except (ConnectionError, TimeoutError):
                pass
        return got


def _has_answer(line: socket.socket) -> bool:
    line.setblocking(False)
    try:
        return line.recv(1, socket.MSG_PEEK) is not None
    except BlockingIOError:
        return False
    finally:
        line.setblocking(True)
        line.settimeout(3)


def every_path(service: Service, method: str, values: Mapping[str, str]) -> list[str]:
    """Each path of the application with these values in it, but for what is open to all."""

    def fill(named: re.Match[str]) -> str:
        return values.get(named[1], "1")

    paths = []
    for route in app(service).routes:
        if isinstance(route, Mount):
            continue
        assert isinstance(route, Route)
        if method in (route.methods or {"GET"}) and route.path not in OPEN:
            paths.append(re.sub(r"{(\w+)(:\w+)?}", fill, route.path))
    return paths


@contextmanager
def attacked(
    folder: Path,
    rates: Rates = UNLIMITED,
    hand_in_rules: str = "",
    trust_header: str | None = None,
    proxy_address: str | None = None,
) -> Iterator[Site]:
    """The service of this folder until the block ends."""
    clock = Clock()
    service = make_service(folder, hand_in=hand_in_rules, clock=clock)
    graded = hand_in(service, "cleo", text=SECRET).id
    grade_next(service)
    waiting = hand_in(service, "ada").id
    with running(service, rates, trust_header, proxy_address) as site:
        yield Site(service, site, clock, graded, waiting)
