"""The simulator's counters: the names that lab.toml may set thresholds on, and what they mean.

They are counted per kernel and set of launches. An amount adds up over all of them; any other
counter is that of one kernel, and of several kernels the worst one counts, so that a good kernel
cannot make up for a bad one. A few are counted per call of the function: they add up over calls.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Combine = Literal["sum", "quotient", "largest", "smallest"]
Values = Mapping[str, float]


@dataclass(frozen=True)
class Counter:
    """One counter. A quotient is that of two sums of amounts."""

    name: str
    words: str
    """What the number is: "sectors of 32 bytes for each global store of a warp"."""
    combine: Combine = "sum"
    over: tuple[str, ...] = ()
    under: tuple[str, ...] = ()
    most: float = math.inf
    barred: str | None = None
    """Why no points may depend on it."""
    per_call: bool = False
    """Counted over a whole call of the function, not for each kernel."""

    @property
    def is_amount(self) -> bool:
        return self.combine == "sum"

    def of(self, launches: Sequence[Values]) -> float | None:
        """Its value over launches of one kernel; None where there is nothing to divide by."""
        if self.combine == "quotient":
            total = _total(launches, self.under)
            return _total(launches, self.over) / total if total > 0 else None
        values = [values[self.name] for values in launches if self.name in values]
        if self.combine == "sum":
            return math.fsum(values)
        if not values:
            return None
        return max(values) if self.combine == "largest" else min(values)


def _total(launches: Sequence[Values], names: tuple[str, ...]) -> float:
    return math.fsum(values.get(name, 0) for values in launches for name in names)


def _each(operations: Sequence[str], amount: str) -> tuple[str, ...]:
    return tuple(f"{operation}_{amount}" for operation in operations)


def _plural(what: str) -> str:
    return f"{what}es" if what.endswith("s") else f"{what}s"


def _global(prefix: str, what: str, operations: Sequence[str]) -> Iterator[Counter]:
    yield Counter(
        f"{prefix}_sectors_per_request",
        f"sectors of 32 bytes for each {what} of a warp",
        "quotient",
        over=_each(operations, "sectors"),
        under=_each(operations, "requests"),
        most=64,
    )
    yield Counter(
        f"{prefix}_efficiency",
        f"share of the sectors moved by {_plural(what)} that was needed",
        "quotient",
        over=_each(operations, "ideal_sectors"),
        under=_each(operations, "sectors"),
        most=1,
    )


def _global_amounts(prefix: str, what: str) -> Iterator[Counter]:
    yield Counter(f"{prefix}_requests", f"{what}s, counted in warps")
    yield Counter(f"{prefix}_sectors", f"sectors of 32 bytes moved by {what}s")
    yield Counter(f"{prefix}_ideal_sectors", f"sectors of 32 bytes that {what}s needed")


def _shared(prefix: str, what: str) -> Iterator[Counter]:
    yield Counter(f"{prefix}_requests", f"{what}s, counted in warps")
    yield Counter(f"{prefix}_wavefronts", f"passes over shared memory by {what}s")
    yield Counter(f"{prefix}_ideal_wavefronts", f"passes without bank conflicts by {what}s")
    yield Counter(
        f"{prefix}_conflict_degree", f"times the passes needed, in the worst {what}", "largest"
    )


_COMPILERS_DIFFER = "compilers make different branches of the same source"
_ADDED_UP = "nvcc may add up a warp's operations on one address by itself"
_INTEGERS_ONLY = "it was measured for integers of 32 bits only"
_MERGED = "nvcc merges and leaves out accesses when it optimises"
_NOT_EXACT = "it is an estimate"


def _atomics() -> Iterator[Counter]:
    for space, moved in (("global", "sectors"), ("shared", "wavefronts")):
        name, what = f"{space}_atomic", f"atomic operations on {space} memory"
        barred = _ADDED_UP if space == "global" else None
        yield Counter(f"{name}_requests", f"{what}, in warps", barred=barred)
        yield Counter(f"{name}_lanes", f"{what}, in threads", barred=barred)
        exact = None if space == "global" else _INTEGERS_ONLY
        yield Counter(f"{name}_{moved}", f"{moved} of {what}", barred=exact)
        yield Counter(
            f"{name}_serialisation",
            f"threads of a warp at one address, in the launch with most {what} at one",
            "largest",
            most=32,
        )


def _branches() -> Iterator[Counter]:
    for name, words in (
        ("branches", "branches, counted in warps"),
        ("divergent_branches", "branches at which the threads of a warp part"),
    ):
        yield Counter(name, words, barred=_COMPILERS_DIFFER)
    words = "share of the branches that whole warps took"
    yield Counter("branch_efficiency", words, "smallest", most=1, barred=_COMPILERS_DIFFER)
    yield Counter("thread_blocks", "blocks of the largest grid", "largest")
    yield Counter("barriers", "barriers passed, counted in blocks")
    yield Counter("warp_barriers", "barriers of warps passed")


def _others() -> Iterator[Counter]:
    shared = ("shared_load", "shared_store")
    yield Counter(
        "shared_wavefronts_per_request",
        "passes over shared memory for each access of a warp",
        "quotient",
        over=_each(shared, "wavefronts"),
        under=_each(shared, "requests"),
    )
    worst = "times the passes needed, in the worst shared access"
    yield Counter("shared_conflict_degree", worst, "largest")
    lanes = "threads at work in each access"
    differs = "the hardware's own figure differs"
    yield Counter("lanes_per_request", lanes, "smallest", most=32, barred=differs)
    yield Counter("memory_instructions", "accesses to memory, counted in warps", barred=_MERGED)
    yield Counter("compulsory_read_bytes", "bytes that had to be read")
    yield Counter("compulsory_write_bytes", "bytes that had to be written")
    yield Counter("static_shared_bytes", "bytes of shared memory in a block", "largest")
    there = "share of a multiprocessor's threads that can be there at once"
    yield Counter("occupancy", there, "smallest", most=1)
    yield Counter("resident_blocks", "blocks that fit on a multiprocessor", "smallest")
    yield Counter("estimated_cycles", "cycles by a rough estimate", barred=_NOT_EXACT)


def _calls() -> Iterator[Counter]:
    """Work, span and parallelism as in Cormen, Leiserson, Rivest and Stein, chapter 26."""
    yield Counter("work", "operations of all threads of all kernels", per_call=True)
    longest = "operations along the longest chain of those that wait for each other"
    yield Counter("span", longest, per_call=True)
    yield Counter(
        "parallelism",
        "operations of all threads, over those along the longest chain",
        "quotient",
        over=("work",),
        under=("span",),
        per_call=True,
    )
    moved = "bytes moved between host and device"
    yield Counter("host_device_bytes", moved, per_call=True)


def _all() -> Iterator[Counter]:
    for operation in ("load", "store"):
        yield from _global_amounts(f"global_{operation}", f"global {operation}")
        yield from _global(f"global_{operation}", f"global {operation}", [f"global_{operation}"])
        yield from _shared(f"shared_{operation}", f"shared {operation}")
    yield from _global("global", "global access", ["global_load", "global_store"])
    yield from _atomics()
    yield from _branches()
    yield from _others()
    yield from _calls()


COUNTERS: dict[str, Counter] = {counter.name: counter for counter in _all()}

CALL_AMOUNTS = frozenset(c.name for c in COUNTERS.values() if c.per_call and c.is_amount)
"""What is counted per call and adds up over calls."""


def counter_named(name: str) -> Counter:
    """A counter that points may depend on; ValueError says why there is none, and what there is."""
    counter = COUNTERS.get(name)
    if counter is None:
        close = difflib.get_close_matches(name, COUNTERS, 3, 0.5) or list(COUNTERS)[:3]
        raise ValueError(f"no counter is called {name!r}; there is {', '.join(close)}")
    if counter.barred:
        raise ValueError(f"{name} is not for grading: {counter.barred}")
    return counter
