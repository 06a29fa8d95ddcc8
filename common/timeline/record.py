"""What recorder.h has written: the threads of one call, and what each did."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

WAITS = frozenset({"lock", "spin", "yield", "condition", "semaphore", "barrier", "atomic"}) | {
    "join",
    "sleep",
    "taskwait",
}
"""Kinds of intervals in which a thread does no work of its own."""
TRADES = frozenset({"chunk", "task", "loop", "region", "parallel"})
"""Kinds in which it may work."""


@dataclass(frozen=True)
class Waker:
    """Who ended a wait, and when."""

    thread: int
    at: int
    frame: int


@dataclass
class Interval:
    """Times are nanoseconds since the call began."""

    kind: str
    begin: int
    end: int
    sum: int
    """Less than end - begin if `count` short ones were joined."""
    ready: int
    count: int
    depth: int
    object: str
    detail: int
    place: tuple[int, ...]
    waker: Waker | None


@dataclass(frozen=True)
class Account:
    """What the kernel says that a thread has run, and waited for a core; -1 if it does not say."""

    at: int
    run: int
    ready: int


@dataclass
class Thread:
    """One thread of the call; 0 is the one that made it."""

    number: int
    begin: int
    end: int
    events: int
    creator: Waker | None
    is_openmp: bool
    accounts: list[Account]
    intervals: list[Interval]
    samples: list[tuple[int, tuple[int, ...]]]
    name: str = ""

    @property
    def seen(self) -> int:
        """When its row begins: when it was made, although it may have had no core then."""
        return self.begin if self.creator is None else self.creator.at

    @property
    def run(self) -> int:
        """Nanoseconds on a core."""
        return self.accounts[-1].run - self.accounts[0].run


@dataclass
class Record:
    """One call of a function."""

    function: str
    wall: int
    sampler: int
    event: int
    left_out: int
    openmp_tool: bool
    threads: list[Thread] = field(default_factory=list)

    @property
    def overhead(self) -> float:
        """What recording cost, as a share of what the threads ran."""
        run = sum(thread.run for thread in self.threads)
        samples = sum(len(thread.samples) for thread in self.threads)
        events = sum(thread.events for thread in self.threads)
        cost = events * self.event * _COLD + self.sampler + samples * _SAMPLE
        return cost / max(1, run - cost)


_COLD = 2.5
"""Times what an event costs in a loop, where all it touches is in caches; measured in pairs."""
_SAMPLE = 3000
"""Nanoseconds of a signal and its handler."""


def read(path: Path) -> Record:
    """The record; threads are in the order in which they began, and named."""
    raw = json.loads(path.read_text(encoding="utf-8"))
    threads = [_thread(thread) for thread in raw.pop("threads")]
    threads = [thread for thread in threads if thread.run or thread.intervals]
    threads.sort(key=lambda thread: (thread.number != 0, thread.seen, thread.number))
    first = 0 if any(thread.is_openmp for thread in threads) else -1
    for index, thread in enumerate(threads, first):
        thread.name = f"thread {index}" if index >= 0 else "caller"
    return Record(**raw, threads=threads)


def _waker(raw: list[int]) -> Waker | None:
    return None if raw[0] < 0 else Waker(*raw)


def _interval(raw: list[Any]) -> Interval:
    return Interval(*[*raw[:-2], tuple(raw[-2]), _waker(raw[-1])])


def _thread(raw: dict[str, Any]) -> Thread:
    raw["creator"] = _waker(raw["creator"])
    raw["accounts"] = [Account(*account) for account in raw["accounts"]]
    raw["intervals"] = sorted(map(_interval, raw["intervals"]), key=lambda i: (i.begin, -i.end))
    raw["samples"] = [(at, tuple(place)) for at, place in raw["samples"]]
    return Thread(**raw)
