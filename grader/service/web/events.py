"""Server-sent events: a submission's state whenever it changes.

One task polls the database for all open streams, and only for new log entries, so that five hundred
open pages cost one indexed row each second. When the queue moves, all places
change; those far behind are told theirs in turns.
"""

import asyncio
import hashlib
import json
import logging
import time
from collections.abc import AsyncIterator, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from grader.service import desk, log, queue
from grader.service.estimates import Place
from grader.service.people import Person
from grader.service.refused import Refused
from grader.service.service import Service
from grader.service.web.api import submission_of
from grader.service.web.limits import Limits
from grader.service.web.pages import service_of, viewer
from grader.service.web.submission_json import submission_json

logger = logging.getLogger(__name__)

_EVERY_S = 1.0
_TURNS = 5
"""Polls within which all are told their new places."""
_NEAR = 3
"""Places that are told at once."""
_KEEP_ALIVE_S = 15.0
_LONGEST_S = 600.0
"""Then the browser connects again, and must still be signed in."""


@dataclass(frozen=True)
class Event:
    """A submission's state as it is sent."""

    data: str
    is_last: bool

    @property
    def id(self) -> str:
        return hashlib.sha256(self.data.encode()).hexdigest()[:16]

    @property
    def text(self) -> str:
        return f"id: {self.id}\nevent: state\ndata: {self.data}\n\n"


@dataclass(eq=False)
class Watch:
    """An open stream, and what it was told last."""

    submission: desk.Submission
    person: Person
    place: Place | None = None
    event: Event | None = None
    is_new: asyncio.Event = field(default_factory=asyncio.Event)

    def tell(self, event: Event | None) -> None:
        """Has an event sent, unless it is the last one again."""
        if event is not None and event != self.event:
            self.event = event
            self.is_new.set()


@dataclass
class Poller:
    """Asks for all open streams what has changed."""

    service: Service
    _watches: set[Watch] = field(default_factory=set)
    _seen: int = 0
    _polls: int = 0
    _moved_at: int = -_TURNS
    """The poll that last found something new."""

    @contextmanager
    def watching(self, watch: Watch) -> Iterator[None]:
        """Tells the watch of changes within the block."""
        self._watches.add(watch)
        try:
            yield
        finally:
            self._watches.discard(watch)

    async def run(self) -> None:
        """Until it is cancelled; what fails once is asked again."""
        while True:
            await asyncio.sleep(_EVERY_S)
            try:
                for watch, event in await run_in_threadpool(self._changes, list(self._watches)):
                    watch.tell(event)
            except Exception:
                logger.exception("cannot ask what has changed")

    def _changes(self, watches: Collection[Watch]) -> list[tuple[Watch, Event]]:
        """What to tell whom; nothing when all had their turns since something was logged."""
        database = self.service.connect()
        last = log.last(database)[0]
        self._polls += 1
        if last != self._seen:
            self._moved_at = self._polls
        if not watches or self._polls - self._moved_at >= _TURNS:
            self._seen = last
            return []
        rows = database.execute("SELECT DISTINCT about FROM log WHERE number > ?", (self._seen,))
        changed = {row["about"] for row in rows.fetchall()}
        places = queue.places(self.service)
        found = []
        for watch in watches:
            try:
                event = self._event(watch, changed, places)
            except Exception:  # what is wrong with one submission must not silence all others
                logger.exception("cannot tell the state of %s", watch.submission.id)
                continue
            if event is not None:
                found.append((watch, event))
        self._seen = last  # at the end: what a poll that failed did not tell, the next one does
        return found

    def _event(
        self, watch: Watch, changed: Collection[str], places: Mapping[str, Place]
    ) -> Event | None:
        submission = watch.submission
        place = places.get(submission.id)
        if submission.id in changed:
            try:
                watch.submission = desk.submission(self.service, submission.id, watch.person)
            except Refused:
                return None
        elif place == watch.place or not self._has_turn(watch, place):
            return None
        watch.place = place
        return event_of(self.service, watch.submission, place)

    def _has_turn(self, watch: Watch, place: Place | None) -> bool:
        is_near = place is None or place.position <= _NEAR
        return is_near or (self._polls + watch.submission.number) % _TURNS == 0


def event_of(service: Service, submission: desk.Submission, place: Place | None) -> Event:
    """A submission's state as an event."""
    told = submission_json(service, submission, place)
    return Event(json.dumps(told, separators=(",", ":")), submission.is_done)


class Stream(StreamingResponse):
    """The answer with a submission's events; it counts as a stream as long as it is sent."""

    def __init__(self, watch: Watch, poller: Poller, limits: Limits, last_id: str | None) -> None:
        super().__init__(self._events(last_id), media_type="text/event-stream")
        # nginx would hold events back otherwise.
        self.headers["X-Accel-Buffering"] = "no"
        self._watch, self._poller, self._limits = watch, poller, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        watch = self._watch
        with self._limits.one_more_stream(watch.person.name), self._poller.watching(watch):
            watch.tell(await run_in_threadpool(first_event, self._poller.service, watch))
            await super().__call__(scope, receive, send)

    async def _events(self, last_id: str | None) -> AsyncIterator[str]:
        ends = time.monotonic() + _LONGEST_S
        while time.monotonic() < ends:
            try:
                await asyncio.wait_for(self._watch.is_new.wait(), _KEEP_ALIVE_S)
            except TimeoutError:
                yield ": still here\n\n"
                continue
            self._watch.is_new.clear()
            event = self._watch.event
            assert event
            if event.id != last_id:
                yield event.text
            if event.is_last:
                return


def first_event(service: Service, watch: Watch) -> Event:
    """The state when the stream begins."""
    watch.submission = desk.submission(service, watch.submission.id, watch.person)
    watch.place = queue.place(service, watch.submission.id)
    return event_of(service, watch.submission, watch.place)


async def _stream(request: Request) -> Response:
    submission = await run_in_threadpool(submission_of, request)
    last_id = request.headers.get("last-event-id")
    state = request.app.state
    if submission.is_done and last_id is not None:
        told = await run_in_threadpool(event_of, service_of(request), submission, None)
        if told.id == last_id:  # 204 tells a browser not to connect again.
            return Response(status_code=204)
    return Stream(Watch(submission, viewer(request)), state.poller, state.limits, last_id)


ROUTES = [Route("/api/submissions/{id}/events", _stream)]
