"""What each thread did in each small stretch of a call: its waits, and the kernel's accounts."""

import bisect
import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from common.timeline.names import Name, Names
from common.timeline.places import Places
from common.timeline.record import WAITS, Interval, Record, Thread

RUN, READY, SPIN, ASLEEP, SERIAL = "run", "ready", "spin", "asleep", "serial"
_STATES = {"semaphore": "condition", "atomic": "condition", "yield": "spin"}
_UNEXPLAINED = 0.1
_ATOMIC_SHARE = 0.15
"""Of the looks at a line: the others are at its comparison or its branch."""


@dataclass(frozen=True)
class Cause:
    """What a thread does, or why it does nothing."""

    state: str
    name: Name | None = None
    line: int = 0
    """Of a thread that is ready: where it would spin."""


Shares = dict[Cause, float]
"""Nanoseconds of a stretch, by cause."""

_RUN, _READY, _ASLEEP, _SERIAL = Cause(RUN), Cause(READY), Cause(ASLEEP), Cause(SERIAL)


class Columns:
    """The call in `count` stretches of equal length."""

    def __init__(self, record: Record, places: Places, names: Names, count: int) -> None:
        self.record, self.count = record, count
        self.width = record.wall / count
        self._places, self._names = places, names
        self._regions = _joined_spans(record)
        self.threads = [_Row(self, thread).shares for thread in record.threads]

    def total(self, state: str) -> float:
        """Nanoseconds of all threads in a state."""
        return sum(
            amount
            for row in self.threads
            for shares in row
            for cause, amount in shares.items()
            if cause.state == state
        )

    def spread(self, begin: float, end: float, amount: float) -> Iterator[tuple[int, float]]:
        """The stretches from begin to end, with their parts of the amount."""
        first = min(self.count - 1, max(0, int(begin / self.width)))
        last = min(self.count - 1, max(0, math.ceil(end / self.width) - 1))
        if last <= first or end <= begin:
            yield first, amount
            return
        for index in range(first, last + 1):
            part = min(end, (index + 1) * self.width) - max(begin, index * self.width)
            yield index, amount * max(0.0, part) / (end - begin)

    def waits(self, interval: Interval, thread: Thread) -> Iterator[tuple[Cause, int, int, float]]:
        """The interval's parts: cause, begin, end and nanoseconds."""
        state = _STATES.get(interval.kind, interval.kind)
        line = self._places.line(interval.place)
        name = None
        if interval.kind not in ("join", "sleep", "taskwait", "yield"):
            name = self._names.of(interval)
        cause = Cause(state, name, line if name is None else 0)
        if interval.count > 1:
            yield cause, interval.begin, interval.end, interval.sum - interval.ready
            yield _READY, interval.begin, interval.end, interval.ready
            return
        # A thread that was woken and came too late for a lock slept again.
        released = interval.begin if interval.waker is None else interval.waker.at
        woken = max(interval.begin, released, interval.end - interval.ready)
        if interval.kind == "barrier" and thread.is_openmp and self._regions:
            for begin, end in _outside(self._regions, interval.begin, woken):
                yield _SERIAL, begin, end, end - begin
            for begin, end in _inside(self._regions, interval.begin, woken):
                yield cause, begin, end, end - begin
        else:
            yield cause, interval.begin, woken, woken - interval.begin
        yield _READY, woken, interval.end, interval.end - woken

    def spin_lines(self, thread: Thread) -> tuple[list[int], list[int]]:
        """When the thread was looked at on a core; the line if it spins there, or 0."""
        lines = [self._places.line(place, is_sample=True) for _, place in thread.samples]
        seen = Counter(lines)
        atomic = Counter(
            line
            for line, (_, place) in zip(lines, thread.samples, strict=True)
            if self._places.is_atomic(place)
        )
        spins = {line for line in atomic if atomic[line] >= _ATOMIC_SHARE * seen[line]}
        return [at for at, _ in thread.samples], [line if line in spins else 0 for line in lines]


class _Row:
    """The stretches of one thread."""

    def __init__(self, columns: Columns, thread: Thread) -> None:
        self._columns, self._thread = columns, thread
        self.shares: list[Shares] = [defaultdict(float) for _ in range(columns.count)]
        self._free = [0.0] * columns.count
        self._active = [0.0] * columns.count
        for index, part in columns.spread(thread.begin, thread.end, thread.end - thread.begin):
            self._free[index] += part
        if thread.seen < thread.begin:
            waited = thread.begin - thread.seen
            for index, part in columns.spread(thread.seen, thread.begin, waited):
                self.shares[index][_READY] += part
        for interval in sorted(thread.intervals, key=lambda interval: -interval.depth):
            if interval.kind in WAITS:
                self._add_wait(interval)
            elif interval.kind in ("task", "chunk"):
                self._add_work(interval)
        for index, free in enumerate(self._free):
            self._active[index] += free
        self._add_spans()
        self._mark_spinning()

    def _take(self, index: int, amount: float) -> float:
        taken = min(amount, self._free[index])
        self._free[index] -= taken
        return taken

    def _add_wait(self, interval: Interval) -> None:
        for cause, begin, end, amount in self._columns.waits(interval, self._thread):
            if amount <= 0:
                continue
            for index, part in self._columns.spread(begin, end, amount):
                self.shares[index][cause] += self._take(index, part)

    def _add_work(self, interval: Interval) -> None:
        for index, part in self._columns.spread(interval.begin, interval.end, interval.sum):
            self._active[index] += self._take(index, part)

    def _add_spans(self) -> None:
        """Divides what was no wait by what the kernel says of the time between two looks.

        It counts a wait for a core when that is over, so what is too much for one span belongs to
        those before it. What waits have counted as theirs does not count again.
        """
        woken = sorted((i.end, i.ready) for i in self._thread.intervals if i.ready)
        more = 0.0
        for before, after in reversed(list(pairwise(self._thread.accounts))):
            while woken and woken[-1][0] > before.at:
                more -= woken.pop()[1]
            more += after.ready - before.ready
            parts = [
                (index, self._active[index] * part / self._columns.width)
                for index, part in self._columns.spread(before.at, after.at, after.at - before.at)
            ]
            active = sum(part for _, part in parts)
            if active > 0:
                ran = min(active, float(after.run - before.run))
                waited = min(active - ran, max(0.0, more)) if after.ready >= 0 else active - ran
                more -= waited
                self._divide(parts, ran / active, waited / active)

    def _divide(self, parts: list[tuple[int, float]], ran: float, waited: float) -> None:
        rest = 1 - ran - waited
        if rest < _UNEXPLAINED:
            ran, rest = ran + rest, 0.0
        for index, part in parts:
            for cause, share in ((_RUN, ran), (_READY, waited), (_ASLEEP, rest)):
                if share:
                    self.shares[index][cause] += part * share

    def _mark_spinning(self) -> None:
        """A look at the thread on a core says what it did in the millisecond before."""
        times, lines = self._columns.spin_lines(self._thread)
        if not any(lines):
            return
        for index, shares in enumerate(self.shares):
            after = bisect.bisect(times, (index + 0.5) * self._columns.width)
            line = lines[min(after, len(lines) - 1)]
            if line:
                for cause, spins in (
                    (_RUN, Cause(SPIN, None, line)),
                    (_READY, Cause(READY, None, line)),
                ):
                    if cause in shares:
                        shares[spins] += shares.pop(cause)


def _joined_spans(record: Record) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    regions = [i for thread in record.threads for i in thread.intervals if i.kind == "parallel"]
    for interval in sorted(regions, key=lambda interval: interval.begin):
        if spans and interval.begin <= spans[-1][1]:
            spans[-1] = spans[-1][0], max(spans[-1][1], interval.end)
        else:
            spans.append((interval.begin, interval.end))
    return spans


def _inside(spans: list[tuple[int, int]], begin: int, end: int) -> Iterator[tuple[int, int]]:
    for low, high in spans:
        if max(low, begin) < min(high, end):
            yield max(low, begin), min(high, end)


def _outside(spans: list[tuple[int, int]], begin: int, end: int) -> Iterator[tuple[int, int]]:
    at = begin
    for low, high in _inside(spans, begin, end):
        if at < low:
            yield at, low
        at = high
    if at < end:
        yield at, end
