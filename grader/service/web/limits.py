"""Limits on the rate and size of requests: of a person, of an address, of all together."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address

import anyio
from starlette.requests import Request

from grader.service.refused import Refused

FORM_BYTES = 64 << 10
"""Fields of a form, beside a file."""
URL_BYTES = 2_000
HEADER_BYTES = 16 << 10
BODY_SECONDS = 30.0
_DRAINED_BYTES = 8 << 20
_DRAIN_SECONDS = 5.0
_MOST_KEYS = 10_000


@dataclass(frozen=True)
class Rates:
    """Requests a second in the long run, and how many at once, by whom."""

    person: tuple[float, float] = (10, 80)
    changes: tuple[float, float] = (1, 20)
    """Of a person, requests that change something."""
    address: tuple[float, float] = (300, 1500)
    """A lecture hall may share one."""
    unknown: tuple[float, float] = (1, 40)
    """Of an address, tokens and links that are nobody's."""
    in_flight: int = 400
    """Requests that are answered at a time, streams not counted."""
    in_flight_of_person: int = 12
    in_flight_of_address: int = 100
    """Of visitors."""
    in_flight_of_visitors: int = 200
    """Of all that are not signed in, so that they leave room for those who are."""
    streams: int = 1_500
    streams_of_person: int = 8


class Buckets:
    """A token bucket for each key: `rate` a second, at most `burst` at once."""

    def __init__(
        self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._levels: dict[str, tuple[float, float]] = {}
        self._lock = threading.Lock()

    def take(self, key: str) -> float:
        """Takes one token; returns 0, or the seconds until there is one. Any thread may ask."""
        with self._lock:
            level, now = self._level(key)
            if level < 1:
                return (1 - level) / self._rate
            if len(self._levels) >= _MOST_KEYS:
                self._forget(now)
            self._levels[key] = (level - 1, now)
            return 0

    def _level(self, key: str) -> tuple[float, float]:
        now = self._clock()
        level, since = self._levels.get(key, (self._burst, now))
        return min(self._burst, level + (now - since) * self._rate), now

    def _forget(self, now: float) -> None:
        """Drops the full buckets, which are as good as new ones, and the oldest."""
        kept = {
            key: (level, since)
            for key, (level, since) in self._levels.items()
            if level + (now - since) * self._rate < self._burst
        }
        for key in list(kept)[: max(0, len(kept) - _MOST_KEYS // 2)]:
            del kept[key]
        self._levels = kept


@dataclass
class Limits:
    """The state of all limits; what is answered and streamed is counted in the event loop only."""

    rates: Rates = field(default_factory=Rates)
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        self._person = Buckets(*self.rates.person, self.clock)
        self._changes = Buckets(*self.rates.changes, self.clock)
        self._address = Buckets(*self.rates.address, self.clock)
        self._unknown = Buckets(*self.rates.unknown, self.clock)
        self._in_flight: Counter[str] = Counter()
        self._visitors = 0
        self._streams: Counter[str] = Counter()

    def of_address(self, address: str) -> None:
        """Refuses an address that asks too often."""
        _wait_if(self._address.take(address), "Too many requests come from your network.")

    def unknown(self, address: str) -> None:
        """Counts a token that is nobody's; refused if there were too many. Good ones still pass."""
        _wait_if(self._unknown.take(address), "Too many wrong links or tokens came from here.")

    def of_person(self, name: str, *, changes: bool) -> None:
        """Refuses a person who asks too often."""
        _wait_if(self._person.take(name), "You ask for too many pages at once.")
        if changes:
            _wait_if(self._changes.take(name), "You hand in or change things too quickly.")

    @contextmanager
    def one_more_request(self, person: str | None, address: str) -> Iterator[None]:
        """Refuses a request when too many are being answered: in all, or to the same person."""
        is_full = self._in_flight.total() >= self.rates.in_flight
        if is_full or (person is None and self._visitors >= self.rates.in_flight_of_visitors):
            raise Refused(503, "The service has more to do than it can at once.", *_again(5))
        key, most = f"visitor {address}", self.rates.in_flight_of_address
        if person is not None:
            key, most = f"person {person}", self.rates.in_flight_of_person
        if self._in_flight[key] >= most:
            raise Refused(429, "You ask for too many things at once.", *_again(5))
        self._visitors += person is None
        try:
            with _counted(self._in_flight, key):
                yield
        finally:
            self._visitors -= person is None

    @contextmanager
    def one_more_stream(self, name: str) -> Iterator[None]:
        """Refuses a stream of events when a person or all have too many open."""
        if self._streams[name] >= self.rates.streams_of_person:
            raise Refused(
                429, "You have too many live pages open.", "Close some, then reload this one.", 30
            )
        if self._streams.total() >= self.rates.streams:
            raise Refused(503, "Too many live pages are open.", *_again(30))
        with _counted(self._streams, name):
            yield


def network_of(address: str) -> str:
    """What limits count as one address: of IPv6, the /64 in which a host chooses its own."""
    try:
        found = ip_address(address)
    except ValueError:
        return address  # a proxy may say anything
    if not isinstance(found, IPv6Address):
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return f"{IPv6Address(found.packed[:8] + bytes(8))}/64"


@contextmanager
def _counted(counter: Counter[str], key: str) -> Iterator[None]:
    counter[key] += 1
    try:
        yield
    finally:
        counter[key] -= 1
        if not counter[key]:
            del counter[key]


def _again(seconds: int) -> tuple[str, int]:
    return f"Try again in {seconds} s.", seconds


def _wait_if(seconds: float, error: str) -> None:
    if seconds > 0:
        raise Refused(429, error, *_again(max(1, round(seconds + 0.5))))


async def read_body(request: Request, limit: int) -> bytes:
    """The body, of which nothing is read unless its length is given and within the limit.

    What is too long is read and dropped up to a limit, so that the client sees the answer.
    """
    length = request.headers.get("content-length")
    if length is None:
        raise Refused(411, "The request does not say how long it is.", "Send a Content-Length.")
    if not length.isascii() or not length.isdigit():
        raise Refused(400, "The length of the request is no number.", "Send it again.")
    if int(length) > limit:
        if int(length) <= _DRAINED_BYTES:
            await _drain(request)
        raise _too_long(limit)
    try:
        with anyio.fail_after(BODY_SECONDS):
            return await _within(request, limit)
    except TimeoutError:
        raise Refused(
            408, "The file did not arrive in time.", "Check your connection and send it again."
        ) from None


async def _within(request: Request, limit: int) -> bytes:
    got = bytearray()
    async for chunk in request.stream():
        got += chunk
        if len(got) > limit:
            raise _too_long(limit)
    return bytes(got)


async def _drain(request: Request) -> None:
    with anyio.move_on_after(_DRAIN_SECONDS):
        async for _ in request.stream():
            pass


def _too_long(limit: int) -> Refused:
    return Refused(
        413,
        f"What you sent is longer than {limit >> 10} KiB.",
        "Hand in the one source file that the lab asks for.",
    )
