"""What all of the service shares: the course, its labs, the database, the clock."""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from grader.model.lab import Lab
from grader.people.course.course import Course
from grader.service import database, log
from grader.service.refused import Refused

_BUSY = Refused(
    503,
    "The service is busy, and nothing was changed.",
    "Ask again in a few seconds; the same request is never carried out twice.",
    5,
)


def _utc_now() -> datetime:
    return datetime.now(UTC)


class _Own(threading.local):
    """What a thread of a process has for itself."""

    connection: sqlite3.Connection | None = None
    process: int = 0


@dataclass(frozen=True)
class Change:
    """A transaction that writes; `at` is its time, never before that of an earlier one."""

    database: sqlite3.Connection
    at: datetime

    @property
    def at_text(self) -> str:
        return database.text_of(self.at)

    def log(self, who: str, what: str, about: str = "", detail: str = "") -> int:
        """Every change is logged; returns the entry's number, which grows with each."""
        return log.write(self.database, self.at, who, what, about, detail)

    def set_fact(self, name: str, value: str | None) -> None:
        """None forgets the fact."""
        if value is None:
            self.database.execute("DELETE FROM facts WHERE name = ?", (name,))
        else:
            self.database.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))


@dataclass
class Service:
    """One course's service. Any thread and any process may use it."""

    course: Course
    course_path: Path
    data: Path
    labs: Mapping[str, Lab]
    """By name; those of the course that are missing here cannot be handed in."""
    clock: Callable[[], datetime] = _utc_now
    _own: _Own = field(default_factory=_Own, repr=False)
    _writing: tuple[int, threading.Lock] = field(
        default_factory=lambda: (os.getpid(), threading.Lock()), repr=False
    )

    def __post_init__(self) -> None:
        database.create(self.data)

    def connect(self) -> sqlite3.Connection:
        """This thread's connection, to read; `change` writes."""
        if self._own.connection is None or self._own.process != os.getpid():
            self._own.connection = database.connect(self.data)
            self._own.process = os.getpid()
        return self._own.connection

    @contextmanager
    def change(self) -> Iterator[Change]:
        """A transaction; what it wrote is on disk when the block has ended.

        Refused, with nothing written, while others write for too long or the disk is full.
        """
        connection = self.connect()
        # Threads wait in line here: waiting in SQLite is polling, which is late and unfair.
        lock = self._lock()
        if not lock.acquire(timeout=database.BUSY_S):
            raise Refused(_BUSY.status, _BUSY.error, _BUSY.next, _BUSY.retry_after)
        try:
            with database.transaction(connection):
                yield Change(connection, self._after_last(connection))
        finally:
            lock.release()

    def now(self) -> datetime:
        """The time, but never before that of a stored change: a clock that is set back does not
        make a deadline pass twice."""
        return self._after_last(self.connect())

    def fact(self, name: str) -> str | None:
        row = self.connect().execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row["value"])

    def _after_last(self, connection: sqlite3.Connection) -> datetime:
        return max(self.clock(), log.last(connection)[1])

    def _lock(self) -> threading.Lock:
        """A process that was forked has its own: another thread may have held the parent's."""
        if self._writing[0] != os.getpid():
            self._writing = (os.getpid(), threading.Lock())
        return self._writing[1]
