"""When each submission in the queue will have its verdict: the queue, played through.

The graders take the submissions in the queue's order. Each is taken to last as long as recent
gradings of its lab; a file that the team handed in before, as long as recent ones of such files.
Teams that will hand in meanwhile, and have their turn earlier, are expected by `overtaking`.
"""

import heapq
import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from operator import itemgetter
from statistics import fmean
from typing import NamedTuple
from weakref import WeakKeyDictionary

from grader.service import log
from grader.service.database import text_of
from grader.service.overtaking import Arrivals
from grader.service.service import Service

PAUSED = "paused"
"""The fact that nothing is claimed, with who paused it."""
ROUND = "round"
"""The fact that is the virtual time: the round that is graded now."""
_RECENT = 30
"""Gradings of a lab that its next durations are judged by."""
SILENT_AFTER = timedelta(seconds=60)
"""After so long without a sign of life a grader is taken for dead."""
_FRESH, _LONG = timedelta(seconds=1), 100
"""How old the places may be, and from which number on those of before the last change will do."""


class Place(NamedTuple):
    """A submission's place."""

    position: int
    """0: it is being graded; 1: it is the next one."""
    estimate_s: float | None
    """Seconds until its verdict; None while grading is paused, and where nothing was graded yet
    that could tell."""


_KEPT: WeakKeyDictionary[Service, tuple[datetime, int, Mapping[str, Place]]] = WeakKeyDictionary()
"""Places, with the time and the last change that they hold for."""


def virtual_time(database: sqlite3.Connection) -> int:
    row = database.execute("SELECT value FROM facts WHERE name = ?", (ROUND,)).fetchone()
    return 0 if row is None else int(row["value"])


class _Durations:
    """Seconds that recent gradings took, by lab and by whether the file was known."""

    def __init__(self, service: Service) -> None:
        self._database = service.connect()
        self._labs = [lab.name for lab in service.course.labs]
        self._known: dict[tuple[str, bool], Sequence[float]] = {}
        self._means: dict[tuple[str, bool], float | None] = {}

    def recent(self, lab: str, is_same: bool) -> Sequence[float]:
        """Those of the lab, or of all labs; empty where nothing was graded yet."""
        if (lab, is_same) not in self._known:
            found: Sequence[float] = self._query(lab, is_same)
            if not found and is_same:
                found = self.recent(lab, False)
            elif not found:
                found = [seconds for each in self._labs for seconds in self._query(each, False)]
            self._known[lab, is_same] = found
        return self._known[lab, is_same]

    def mean(self, lab: str, is_same: bool) -> float | None:
        if (lab, is_same) not in self._means:
            recent = self.recent(lab, is_same)
            self._means[lab, is_same] = fmean(recent) if recent else None
        return self._means[lab, is_same]

    def _query(self, lab: str, is_same: bool) -> list[float]:
        rows = self._database.execute(
            "SELECT started_at, ended_at FROM submissions WHERE state = 'graded' AND lab = ?"
            " AND (same_as IS NULL) = ? ORDER BY ended_at DESC LIMIT ?",
            (lab, not is_same, _RECENT),
        )
        return [_seconds(row["started_at"], row["ended_at"]) for row in rows]


def _seconds(start: str, end: str) -> float:
    seconds = (datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds()
    return max(0.0, seconds)  # the clock may have been set back in between


def places(service: Service) -> Mapping[str, Place]:
    """The places of all that wait or are being graded, by their ids; those of a long queue may be
    a second old."""
    now, number = service.now(), log.last(service.connect())[0]
    kept = _KEPT.get(service)
    is_fresh = kept is not None and timedelta(0) <= now - kept[0] < _FRESH
    if kept is not None and is_fresh and (kept[1] == number or len(kept[2]) > _LONG):
        return kept[2]
    found = _places(service, now)
    _KEPT[service] = (now, number, found)
    return found


def place(service: Service, submission_id: str) -> Place | None:
    """Where a submission is in the queue; None if it neither waits nor is being graded."""
    query = "SELECT state FROM submissions WHERE id = ?"
    row = service.connect().execute(query, (submission_id,)).fetchone()
    if row is None or row["state"] not in ("waiting", "grading"):
        return None
    found = places(service).get(submission_id)
    if found is None or (found.position == 0) != (row["state"] == "grading"):
        _KEPT.pop(service, None)
        found = places(service).get(submission_id)
    return found


def _places(service: Service, now: datetime) -> dict[str, Place]:
    database = service.connect()
    durations, is_paused = _Durations(service), service.fact(PAUSED) is not None
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
    for number, of_round in groupby(rows, key=itemgetter(3)):
        waiting, means = list(of_round), []
        done_at: list[float | None] = []
        for _, lab, is_same, _ in waiting:
            mean = None if is_paused else durations.mean(lab, bool(is_same))
            done_at.append(None if mean is None else free_at[0] + mean)
            if mean is not None:
                means.append(mean)
                heapq.heapreplace(free_at, free_at[0] + mean)
        middle = done_at[len(done_at) // 2]
        more = arrivals.before(number, middle) * fmean(means) / graders if middle else 0.0
        for (submission_id, *_), done in zip(waiting, done_at, strict=True):
            position += 1
            found[submission_id] = Place(position, None if done is None else done + more)
    return found


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
    return max(1, int(database.execute(query, (text_of(now - SILENT_AFTER),)).fetchone()[0]))
