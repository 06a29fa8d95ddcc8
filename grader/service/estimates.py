"""When each submission in the queue will have its verdict: the queue, played through.

The graders take the submissions in the queue's order. One takes as long as recent ones of its lab
took; one whose file the team handed in before takes as long as those did, as the store knows it.
Teams that will hand in meanwhile, and have their turn earlier, are expected by `overtaking`.
"""

import heapq
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby
from statistics import fmean
from weakref import WeakKeyDictionary

from grader.service import log
from grader.service.database import text_of
from grader.service.overtaking import Arrivals
from grader.service.service import Service

ROUND = "round"
"""The fact that is the virtual time: the round that is graded now."""
_RECENT = 30
"""Gradings of a lab that its next durations are judged by."""
_ALIVE = timedelta(seconds=60)
"""Since its last sign of life a grader counts as one."""
_FRESH = timedelta(seconds=1)


@dataclass(frozen=True)
class Place:
    """A submission's place."""

    position: int
    """0: it is being graded; 1: it is the next one."""
    estimate_s: float | None
    """Seconds until its verdict; None where nothing was graded yet that could tell."""


_KEPT: WeakKeyDictionary[Service, tuple[datetime, int, Mapping[str, Place]]] = WeakKeyDictionary()
"""Places, with the time and the last change that they hold for."""


def virtual_time(database: sqlite3.Connection) -> int:
    row = database.execute("SELECT value FROM facts WHERE name = ?", (ROUND,)).fetchone()
    return 0 if row is None else int(row["value"])


class _Durations:
    """Seconds that recent gradings took, by lab and by whether the file was known."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._known: dict[tuple[str, bool], Sequence[float]] = {}
        self._means: dict[tuple[str, bool], float | None] = {}

    def recent(self, lab: str, is_same: bool) -> Sequence[float]:
        """Those of the lab, or of all labs; empty where nothing was graded yet."""
        if (lab, is_same) not in self._known:
            found: Sequence[float] = self._query(is_same, lab)
            if not found:
                found = self.recent(lab, False) if is_same else self._query(is_same, None)
            self._known[lab, is_same] = found
        return self._known[lab, is_same]

    def mean(self, lab: str, is_same: bool) -> float | None:
        if (lab, is_same) not in self._means:
            recent = self.recent(lab, is_same)
            self._means[lab, is_same] = fmean(recent) if recent else None
        return self._means[lab, is_same]

    def _query(self, is_same: bool, lab: str | None) -> list[float]:
        rows = self._database.execute(
            "SELECT started_at, ended_at FROM submissions WHERE state = 'graded'"
            " AND started_at IS NOT NULL AND (same_as IS NOT NULL) = ?1"
            " AND (?2 IS NULL OR lab = ?2) ORDER BY ended_at DESC LIMIT ?3",
            (is_same, lab, _RECENT),
        )
        return [_seconds(row["started_at"], row["ended_at"]) for row in rows]


def _seconds(start: str, end: str) -> float:
    return (datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds()


def places(service: Service) -> Mapping[str, Place]:
    """The places of all that wait or are being graded, by their ids; a second old at most."""
    now, number = service.now(), log.last(service.connect())[0]
    kept = _KEPT.get(service)
    if kept is None or kept[1] != number or not timedelta(0) <= now - kept[0] < _FRESH:
        kept = _KEPT[service] = (now, number, _places(service, now))
    return kept[2]


def _places(service: Service, now: datetime) -> dict[str, Place]:
    database = service.connect()
    durations = _Durations(database)
    found = _being_graded(database, durations, now)
    free_at = [place.estimate_s or 0.0 for place in found.values()]
    graders = max(len(free_at), _graders(database, now))
    free_at += [0.0] * (graders - len(free_at))
    heapq.heapify(free_at)
    rows = database.execute(
        "SELECT id, lab, same_as IS NOT NULL AS is_same, round FROM submissions"
        " WHERE state = 'waiting' ORDER BY round, again, number"
    ).fetchall()
    arrivals = Arrivals(service, now, virtual_time(database))
    position = 0
    for number, of_round in groupby(rows, key=lambda row: int(row["round"])):
        waiting: dict[str, Place] = {}
        means: list[float] = []
        for row in of_round:
            position += 1
            mean = durations.mean(row["lab"], bool(row["is_same"]))
            if mean is None:
                waiting[row["id"]] = Place(position, None)
            else:
                means.append(mean)
                done = free_at[0] + mean
                heapq.heapreplace(free_at, done)
                waiting[row["id"]] = Place(position, done)
        if means:
            middle = list(waiting.values())[len(waiting) // 2].estimate_s or 0.0
            more = arrivals.before(number, middle) * fmean(means) / graders
            waiting = {key: _later(place, more) for key, place in waiting.items()}
        found |= waiting
    return found


def _later(place: Place, seconds: float) -> Place:
    if place.estimate_s is None:
        return place
    return replace(place, estimate_s=place.estimate_s + seconds)


def _being_graded(
    database: sqlite3.Connection, durations: _Durations, now: datetime
) -> dict[str, Place]:
    rows = database.execute(
        "SELECT id, lab, same_as, started_at FROM submissions WHERE state = 'grading'"
    )
    found = {}
    for row in rows:
        recent = durations.recent(row["lab"], row["same_as"] is not None)
        elapsed = _seconds(row["started_at"], text_of(now))
        found[row["id"]] = Place(0, _remaining(recent, elapsed))
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
