"""The service's database: one SQLite file, DATA/service.sqlite.

A transaction that has ended is on disk: SQLite writes ahead and syncs the log at every commit.
Times are UTC, ISO 8601 with microseconds, so that their texts sort as the instants do.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from grader.judging.store import opening
from grader.model.errors import GraderError
from grader.service.refused import Refused
from grader.service.schema import APPLICATION_ID, TABLES, VERSION

FILE_NAME = "service.sqlite"
BUSY_S = 5.0
"""How long a transaction waits for those of others."""
_RETRY_BUSY_S, _RETRY_DISK_S = 5, 60


def create(data: Path) -> None:
    """Makes the folder and the database where they are missing; GraderError if it is not ours."""
    path = data / FILE_NAME
    try:
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
        with closing(connect(data)) as database:
            application = database.execute("PRAGMA application_id").fetchone()[0]
            version = database.execute("PRAGMA user_version").fetchone()[0]
            if (application, version) == (0, 0) and path.stat().st_size == 0:
                database.execute("PRAGMA journal_mode = WAL")
                database.executescript(f"BEGIN IMMEDIATE; {TABLES} COMMIT;")
            elif application != APPLICATION_ID or version != VERSION:
                raise GraderError(
                    f"{path} is not a database of this version of the service",
                    "choose another --data; the file was left as it is",
                )
    except (OSError, sqlite3.Error) as error:
        raise GraderError(
            f"cannot use {path}: {error}", "choose another --data, or check its disk"
        ) from error


def require(data: Path) -> None:
    """GraderError if no service has run in the folder."""
    if not (data / FILE_NAME).exists():
        raise GraderError(
            f"no service has run in {data}", "check --data, or hand_in.data in course.toml"
        )


def connect(data: Path) -> sqlite3.Connection:
    """A connection for one thread, without transactions of its own; rows have names."""
    database = sqlite3.connect(data / FILE_NAME, timeout=BUSY_S, isolation_level=None)
    database.row_factory = sqlite3.Row
    database.execute("PRAGMA synchronous = FULL")
    database.execute("PRAGMA foreign_keys = ON")
    return database


@contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[None]:
    """Writes all that the block writes to the disk, or nothing; Refused if the database cannot."""
    try:
        with opening.transaction(database):
            yield
    except sqlite3.OperationalError as error:
        raise refusal(error) from error


def refusal(error: sqlite3.OperationalError) -> Refused:
    """What a person is told when the database cannot be read or written now."""
    if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return busy()
    return Refused(
        503,
        "The service cannot write to its disk, and nothing was changed.",
        "Ask again in a minute; if that does not help, tell the course staff.",
        _RETRY_DISK_S,
    )


def busy() -> Refused:
    """What a person is told whose change waited for those of others for too long."""
    return Refused(
        503,
        "The service is busy, and nothing was changed.",
        "Ask again in a few seconds; the same request is never carried out twice.",
        _RETRY_BUSY_S,
    )


def text_of(at: datetime) -> str:
    """An instant as the database keeps it."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def time_of(text: str | None) -> datetime | None:
    """The instant that the database keeps."""
    return None if text is None else datetime.fromisoformat(text)
