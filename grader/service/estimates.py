"""When each submission in the queue will have its verdict: the queue, played through.

The graders take the submissions in the queue's order. One takes as long as recent ones of its lab
took; one whose file the team handed in before takes as long as those did, as the store knows it.
"""

import heapq
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import fmean

from grader.service.database import text_of
from grader.service.service import Service

_RECENT = 30
"""Gradings of a lab that its next durations are judged by."""
_ALIVE = timedelta(seconds=60)
"""Since its last sign of life a grader counts as one."""


@dataclass(frozen=True)
class Place:
    """A submission's place."""

    position: int
    """0: it is being graded; 1: it is the next one."""
    estimate_s: float | None
    """Seconds until its verdict; None where nothing was graded yet that could tell."""


class _Durations:
    """Seconds that recent gradings took, by lab and by whether the file was known."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._known: dict[tuple[str, bool], Sequence[float]] = {}

    def recent(self, lab: str, is_same: bool) -> Sequence[float]:
        """Those of the lab, or of all labs; empty where nothing was graded yet."""
        if (lab, is_same) not in self._known:
            found = self._query("AND lab = ?", is_same, lab)
            if not found and is_same:
                found = self._query("", is_same)
            if not found:
                found = self._query("AND lab = ?", False, lab) or self._query("", False)
            self._known[lab, is_same] = found
        return self._known[lab, is_same]

    def _query(self, where: str, is_same: bool, *values: str) -> list[float]:
        condition = "IS NOT NULL" if is_same else "IS NULL"
        rows = self._database.execute(
            "SELECT started_at, ended_at FROM submissions WHERE state = 'graded'"  # noqa: S608
            f" AND started_at IS NOT NULL AND same_as {condition} {where}"
            f" ORDER BY ended_at DESC LIMIT {_RECENT}",
            values,
        )
        return [_seconds(row["started_at"], row["ended_at"]) for row in rows]


def _seconds(start: str, end: str) -> float:
    return (datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds()


def places(service: Service) -> Mapping[str, Place]:
    """The places of all that wait or are being graded, by their ids."""
    database = service.connect()
    now = service.now()
    durations = _Durations(database)
    found: dict[str, Place] = {}
    free_at: list[float] = []
    for row in database.execute(
        "SELECT id, lab, same_as, started_at FROM submissions WHERE state = 'grading'"
    ):
        recent = durations.recent(row["lab"], row["same_as"] is not None)
        remaining = _remaining(recent, _seconds(row["started_at"], text_of(now)))
        found[row["id"]] = Place(0, remaining)
        free_at.append(remaining or 0.0)
    free_at += [0.0] * (_graders(database, now) - len(free_at))
    heapq.heapify(free_at)
    rows = database.execute(
        "SELECT id, lab, same_as FROM submissions WHERE state = 'waiting' ORDER BY round, number"
    )
    for position, row in enumerate(rows, 1):
        recent = durations.recent(row["lab"], row["same_as"] is not None)
        if not recent:
            found[row["id"]] = Place(position, None)
            continue
        done = free_at[0] + fmean(recent)
        heapq.heapreplace(free_at, done)
        found[row["id"]] = Place(position, done)
    return found


def _remaining(recent: Sequence[float], elapsed: float) -> float | None:
    """Expected rest of one that has run for so long, by the longer ones among the recent."""
    if not recent:
        return None
    longer = [seconds - elapsed for seconds in recent if seconds > elapsed]
    return fmean(longer) if longer else elapsed / 2


def _graders(database: sqlite3.Connection, now: datetime) -> int:
    """How many graders are alive; one where none has said so yet."""
    query = "SELECT COUNT(*) FROM graders WHERE heartbeat >= ?"
    return max(1, int(database.execute(query, (text_of(now - _ALIVE),)).fetchone()[0]))
