"""What all of the service shares: the course, its labs, the database, the clock."""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from grader.model.errors import GraderError
from grader.model.lab import Lab
from grader.people.course.course import Course
from grader.service import database, log
from grader.service.course_file import CourseFile


def _utc_now() -> datetime:
    return datetime.now(UTC)


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


class Service:
    """One course's service. Any thread may use it; another process makes its own."""

    def __init__(
        self,
        course: Course,
        course_path: Path,
        data: Path,
        labs: Mapping[str, Lab],
        clock: Callable[[], datetime] = _utc_now,
    ) -> None:
        """Makes the folder `data` where it is missing; GraderError if it cannot be used.

        `labs` are those that can be handed in, by name. `course` is followed as its file changes.
        """
        database.create(data)
        self.course_path = course_path
        self.data = data
        self.labs = labs
        self.clock = clock
        self._file = CourseFile(course, course_path)
        self._own = threading.local()
        self._writing = threading.Lock()
        self._process = os.getpid()

    @property
    def course(self) -> Course:
        return self._file.course()

    @property
    def course_problem(self) -> GraderError | None:
        """Why course.toml, which was changed, is not followed."""
        return self._file.problem

    def connect(self) -> sqlite3.Connection:
        """This thread's connection, to read; `change` writes."""
        # SQLite's connections do not survive a fork.
        assert self._process == os.getpid(), "another process makes its own Service"
        found: sqlite3.Connection | None = getattr(self._own, "connection", None)
        if found is None:
            found = self._own.connection = database.connect(self.data)
        return found

    @contextmanager
    def change(self) -> Iterator[Change]:
        """A transaction; what it wrote is on disk when the block has ended.

        Refused, with nothing written, while others write for too long or the disk is full. One
        change at a time: they do not nest.
        """
        connection = self.connect()
        assert not connection.in_transaction, "changes do not nest"
        # Threads wait in line here: waiting in SQLite is polling, which is late and unfair.
        if not self._writing.acquire(timeout=database.BUSY_S):
            raise database.busy()
        try:
            with database.transaction(connection):
                yield Change(connection, self._after_last(connection))
        finally:
            self._writing.release()

    def now(self) -> datetime:
        """The time, but never before that of a stored change: a clock that is set back does not
        make a deadline pass twice."""
        return self._after_last(self.connect())

    def behind(self) -> timedelta:
        """How far the clock is behind the last change; until it catches up, `now` stands still."""
        return max(timedelta(0), log.last(self.connect())[1] - self.clock())

    def trust_clock(self, by: str) -> None:
        """Goes on from the clock's time, after it had been ahead and was set right."""
        wrong = self.now()
        with self.change() as change:
            right = Change(change.database, self.clock())
            right.log(by, "clock trusted", detail=f"after {database.text_of(wrong)}")

    def fact(self, name: str) -> str | None:
        row = self.connect().execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row["value"])

    def _after_last(self, connection: sqlite3.Connection) -> datetime:
        return max(self.clock(), log.last(connection)[1])
