"""The HTTP server in front of the application, with limits on unfinished requests."""

import asyncio
import resource
from collections import Counter
from typing import ClassVar

import h11
import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol

from grader.service.web.limits import HEADER_BYTES, network_of

HEADER_SECONDS = 10.0
CONNECTIONS = 3_000
CONNECTIONS_OF_ADDRESS = 1_000
"""A lecture hall may share an address. The proxy, which asks for all, may have all."""

_OTHER_FILES = 1_000
"""Of databases, in each thread."""

_BUSY_JSON = b'{"error": "Too many connections are open.", "next": "Try again in 10 s."}'
_BUSY = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 10\r\nConnection: close\r\n"
    b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
) % (len(_BUSY_JSON), _BUSY_JSON)


class Connection(H11Protocol):
    """A connection whose requests come whole or are ended, as h11 alone would wait for ever."""

    _of_address: ClassVar[Counter[str]] = Counter()
    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.access_log = False  # it would write paths, and so the tokens of links
        peer = self.client[0] if self.client else ""
        self._address = network_of(peer)
        self._of_address[self._address] += 1
        proxy = self.config.app.state.settings.proxy_address  # type: ignore[union-attr]
        too_many = self._of_address[self._address] > CONNECTIONS_OF_ADDRESS
        if (too_many and peer != proxy) or len(self.connections) > CONNECTIONS:
            transport.write(_BUSY)
            transport.close()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._of_address[self._address] -= 1
        if not self._of_address[self._address]:
            del self._of_address[self._address]
        self._unwatch()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """A request that was answered before it was read is not read at all."""
        if self.conn.their_state is h11.SEND_BODY:
            self.transport.close()
        super().on_response_complete()

    def shutdown(self) -> None:
        """The server ends. A stream of events would not; its page connects to the next server."""
        super().shutdown()
        if self.cycle is not None and self.scope["path"].endswith("/events"):
            self.transport.abort()  # TLS would wait for the other side's goodbye

    def _watch(self) -> None:
        """Gives the head of a request its time, from its first byte on."""
        if self.conn.their_state is not h11.IDLE:
            self._unwatch()
        elif self._late is None:
            self._late = self.loop.call_later(HEADER_SECONDS, self.transport.abort)

    def _unwatch(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


def config(
    app: Starlette,
    host: str,
    port: int,
    certificate: str | None = None,
    key: str | None = None,
) -> uvicorn.Config:
    """How uvicorn serves the application, which itself decides which headers it believes."""
    _allow_open_files()
    return uvicorn.Config(
        app,
        host,
        port,
        http=Connection,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        h11_max_incomplete_event_size=HEADER_BYTES,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=3,
        ssl_certfile=certificate,
        ssl_keyfile=key,
    )


def _allow_open_files() -> None:
    """A connection is a file, of which a process has 1,024 on most systems unless it asks."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS + _OTHER_FILES
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
