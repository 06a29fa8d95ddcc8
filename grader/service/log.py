"""Every change of the service's state: when, who, what, about whom or which submission."""

import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime

from grader.service.database import text_of

SERVICE = "service"
"""The author of changes that the service makes by itself."""


@dataclass(frozen=True)
class Entry:
    """One change."""

    number: int
    at: datetime
    who: str
    what: str
    about: str
    detail: str


def write(
    database: sqlite3.Connection, at: datetime, who: str, what: str, about: str, detail: str
) -> int:
    """Appends an entry, in the transaction that makes the change; returns its number."""
    row = (text_of(at), who, what, about, detail)
    cursor = database.execute(
        "INSERT INTO log (at, who, what, about, detail) VALUES (?, ?, ?, ?, ?)", row
    )
    return int(cursor.lastrowid or 0)


def last(database: sqlite3.Connection) -> tuple[int, datetime]:
    """Number and time of the last change; (0, year 1) where there is none."""
    row = database.execute("SELECT number, at FROM log ORDER BY number DESC LIMIT 1").fetchone()
    if row is None:
        return 0, datetime.min.replace(tzinfo=UTC)
    return row["number"], datetime.fromisoformat(row["at"])


def entries(
    database: sqlite3.Connection,
    about: str | None = None,
    before: int | None = None,
    most: int = 100,
) -> list[Entry]:
    """The newest changes first: those about or by one person or thing, those before a number.

    Phases of gradings, of which there are many, are left out.
    """
    rows = database.execute(
        "SELECT * FROM log WHERE (?1 IS NULL OR about = ?1 OR who = ?1)"
        " AND (?2 IS NULL OR number < ?2) AND what <> 'phase' ORDER BY number DESC LIMIT ?3",
        (about, before, most),
    )
    return [Entry(**{**dict(row), "at": datetime.fromisoformat(row["at"])}) for row in rows]
