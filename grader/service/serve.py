"""The service's process: the HTTP server, and a child that grades."""

import socket
import ssl
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from types import FrameType

import uvicorn

from grader.model.errors import GraderError
from grader.model.manifest import Kit
from grader.people.course.course import load_course
from grader.people.course.local_time import span_text
from grader.service import log, people
from grader.service.grading import control
from grader.service.grading.kits import keep_kits
from grader.service.grading.locks import only_service_in
from grader.service.grading.supervisor import Supervisor
from grader.service.refused import Refused
from grader.service.service import Service
from grader.service.web.app import app
from grader.service.web.server import config
from grader.service.web.settings import WebSettings, reached_at

_BACKLOG = 1024
_CLOCK_OFF = timedelta(minutes=1)


@dataclass(frozen=True)
class Reached:
    """Where the service listens, and whom it believes."""

    host: str
    port: int
    """0: any free one."""
    certificate: Path | None = None
    key: Path | None = None
    trust_header: str | None = None
    proxy_address: str | None = None


@dataclass(frozen=True)
class Serving:
    """The course and folder to serve, and the command that grades."""

    course: Path
    data: Path
    reached: Reached
    grader: Sequence[str]
    clock_is_right: bool = False
    """Whether to go on from the clock's time, though later times are stored."""


Ready = Callable[[Service, Sequence[str]], None]
"""Called with the service and its addresses, once it can be reached."""


def serve(asked: Serving, kits: Sequence[Kit], ready: Ready) -> None:
    """Serves until a signal comes or the service is drained; GraderError if it cannot start.

    When it returns, the grading process has ended, and what it graded waits at its old place.
    """
    with only_service_in(asked.data), _listening(asked.reached) as listener:
        asked.data.chmod(0o700)  # it has the hidden tests and what students handed in
        kept = keep_kits(asked.data, kits)
        labs = {kit.manifest.lab: kit.lab for kit in kept}
        service = Service(load_course(asked.course), asked.course, asked.data, labs)
        _check_clock(service, is_right=asked.clock_is_right)
        people.enrol(service)
        control.start_afresh(service)
        settings = _settings(service, asked.reached, listener.getsockname()[1])
        server = _Server(_config(service, settings, asked.reached))
        supervisor = Supervisor(
            asked.grader,
            on_drained=lambda: setattr(server, "should_exit", True),
            on_death=lambda what: _log(service, what),
        )
        supervisor.start()
        try:
            with suppress(KeyboardInterrupt):
                ready(service, settings.addresses)
                server.run(sockets=[listener])
        finally:
            supervisor.stop()


class _Server(uvicorn.Server):
    """Ends in order whatever comes: what is open has seconds, and a second Ctrl-C no fewer."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if not self.should_exit:
            super().handle_exit(sig, frame)


def _check_clock(service: Service, *, is_right: bool) -> None:
    if is_right and service.behind():
        service.trust_clock("serve")
    if service.behind() > _CLOCK_OFF:
        print(
            f"warning: the clock is {span_text(int(service.behind().total_seconds()))} behind the "
            "last change, and until it has caught up time stands still\n"
            "  next: set the clock right, or if it is right start with --clock-is-right",
            file=sys.stderr,
            flush=True,
        )


def _log(service: Service, what: str) -> None:
    print(f"{what}\n  next: see above for what it said", file=sys.stderr, flush=True)
    with suppress(Refused), service.change() as change:
        change.log(log.SERVICE, "grading died", detail=what)


def _settings(service: Service, reached: Reached, port: int) -> WebSettings:
    public = service.course.hand_in.address
    addresses = reached_at(public, reached.host, port, reached.certificate is not None)
    return WebSettings(addresses, reached.trust_header, reached.proxy_address)


def _config(service: Service, settings: WebSettings, reached: Reached) -> uvicorn.Config:
    certificate, key = (str(path) if path else None for path in (reached.certificate, reached.key))
    made = config(app(service, settings), reached.host, reached.port, certificate, key)
    try:
        made.load()
    except (OSError, ssl.SSLError) as error:
        raise GraderError(
            f"cannot use {certificate} and {key}: {error}",
            "check --certificate and --key: both are files in PEM format",
        ) from error
    return made


@contextmanager
def _listening(reached: Reached) -> Iterator[socket.socket]:
    """A bound socket. It comes first: without its address the service must not start."""
    family = socket.AF_INET6 if ":" in reached.host else socket.AF_INET
    place = (reached.host, reached.port)
    try:
        listener = socket.create_server(place, family=family, backlog=_BACKLOG)
    except (OSError, OverflowError) as error:
        raise GraderError(
            f"cannot listen at {reached.host}:{reached.port}: {error}",
            "choose another --address, or end the program that uses it",
        ) from error
    with listener:
        yield listener
