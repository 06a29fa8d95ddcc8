"""A data race of ThreadSanitizer as a space-time diagram: two accesses and the missing arrow."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from common.lab.failure_pictures.report import PLACE, Report, Source
from common.lab.failure_pictures.space_time import Event, Lane, Order, SpaceTime

_ACCESS = re.compile(
    r"(Previous )?((?:atomic )?(?:read|write)) by (main thread|thread T\d+), holding (.+)",
    re.IGNORECASE,
)
_FRAME = re.compile(rf"    .* at ({PLACE})")

_MOST_CALLERS = 3


@dataclass(frozen=True)
class _Access:
    thread: str
    deed: str
    locks: str
    place: str
    notes: Sequence[str]


@dataclass(frozen=True)
class _Start:
    """That one of the two threads started the other."""

    starter: str
    place: str


def race_picture(report: Report, source: Source) -> SpaceTime | None:
    """None if it is no data race whose two accesses are known."""
    accesses = _accesses(report.rows)
    if not report.head.startswith("data race") or len(accesses) < 2:
        return None
    later, earlier = accesses[:2]
    start = _start(report, {earlier.thread, later.thread})
    first = 1 if start else 0
    events = [_event(0, first, earlier, source), _event(1, first + 1, later, source)]
    missing = _missing(earlier, later, start)
    orders = [Order((0, first), (1, first + 1), missing, is_missing=True)]
    if start:
        lane = 0 if start.starter == earlier.thread else 1
        other = 1 - lane
        what = f"starts {(later if lane == 0 else earlier).thread}"
        events.append(Event(lane, 0, what, start.place, source.line(start.place)))
        orders.append(Order((lane, 0), (other, first + other), "start"))
    lanes = [_lane(access.thread, report) for access in (earlier, later)]
    return SpaceTime("Data race.", _caption(report, earlier, later), lanes, events, orders)


def _accesses(rows: Sequence[str]) -> list[_Access]:
    """The two accesses in the report's order: the later one, then the previous one."""
    found = []
    for number, row in enumerate(rows):
        if match := _ACCESS.fullmatch(row.strip()):
            frames = list(takewhile(bool, map(_FRAME.fullmatch, rows[number + 1 :])))
            places = list(dict.fromkeys(frame[1] for frame in frames if frame))
            callers = [place.rpartition(":")[2] for place in places[1 : 1 + _MOST_CALLERS]]
            notes = [f"holds {match[4]}"]
            if callers:
                notes.append(f"called from line {', '.join(callers)}")
            place = places[0] if places else ""
            found.append(_Access(match[3], match[2].lower(), match[4], place, notes))
    return found


def _place_below(report: Report, pattern: str) -> tuple[re.Match[str], str] | None:
    """The first such row, and the place in the row behind it."""
    for number, row in enumerate(report.rows):
        if match := re.fullmatch(pattern, row.strip()):
            behind = report.rows[number + 1] if number + 1 < len(report.rows) else ""
            frame = _FRAME.fullmatch(behind)
            return match, frame[1] if frame else ""
    return None


def _start(report: Report, threads: set[str]) -> _Start | None:
    for number in {thread.removeprefix("thread ") for thread in threads}:
        found = _place_below(report, rf"Thread {number} was started by ({'|'.join(threads)})")
        if found:
            return _Start(found[0][1], found[1])
    return None


def _lane(thread: str, report: Report) -> Lane:
    number = thread.removeprefix("thread ")
    found = _place_below(report, rf"Thread {number} was started by (main thread|thread T\d+)")
    if not found:
        return Lane(thread)
    match, place = found
    return Lane(thread, f"started at {place}" if place else f"started by {match[1]}")


def _event(lane: int, row: int, access: _Access, source: Source) -> Event:
    look = "write" if access.deed.endswith("write") else "read"
    code = source.line(access.place)
    return Event(lane, row, access.deed, access.place, code, look, access.notes)


def _missing(earlier: _Access, later: _Access, start: _Start | None) -> str:
    nothing = "no lock"
    if start and start.starter == later.thread and later.locks == nothing:
        return "join"
    if earlier.locks == later.locks == nothing:
        return "a lock on both sides, a join or a barrier"
    return "the same lock on both sides"


def _caption(report: Report, earlier: _Access, later: _Access) -> str:
    variable = report.match(r"The memory is the variable (\S+)")
    memory = f"the variable {variable[1]}" if variable else "the same memory"
    return (
        f"Both threads use {memory}, and no arrow leads from the {earlier.deed} to the "
        f"{later.deed}: either may come first."
    )
