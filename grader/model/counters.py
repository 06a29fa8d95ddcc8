"""The simulator's counters: the names that lab.toml may set thresholds on, and their meaning.

They are counted per kernel and launch configuration. Amounts are summed over all of them; for any
other counter the worst kernel counts, so that a good kernel cannot make up for a bad one. A few
counters are counted per call of the function and summed over calls.
"""

import difflib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from common.lab.programming_models.catalogues import counters

Combine = Literal["sum", "quotient", "largest", "smallest"]
Values = Mapping[str, float]


@dataclass(frozen=True)
class Counter:
    """One counter. A quotient is the ratio of two sums of amounts."""

    name: str
    words: str
    """The meaning of the number: "sectors of 32 bytes for each global store of a warp"."""
    combine: Combine = "sum"
    over: tuple[str, ...] = ()
    under: tuple[str, ...] = ()
    most: float = math.inf
    barred: str | None = None
    """Why no points may depend on it; None if they may."""
    per_call: bool = False
    """Counted over a whole call of the function, not for each kernel."""

    @property
    def is_amount(self) -> bool:
        return self.combine == "sum"

    def of(self, launches: Sequence[Values]) -> float | None:
        """Its value over launches of one kernel; None if not counted or the divisor is 0."""
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


def _numbers() -> Iterator[Counter]:
    """The numeric counters of the simulator's catalogue."""
    for entry in counters():
        if entry.get("is_word"):
            continue
        yield Counter(
            entry["name"],
            entry["words"],
            "quotient" if "over" in entry else entry.get("worst", "sum"),
            tuple(entry.get("over", ())),
            tuple(entry.get("under", ())),
            entry.get("most", math.inf),
            entry.get("not_gradable"),
            per_call="value_of_call" in entry or "of_calls" in entry,
        )


COUNTERS: dict[str, Counter] = {counter.name: counter for counter in _numbers()}

CALL_AMOUNTS = frozenset(c.name for c in COUNTERS.values() if c.per_call and c.is_amount)
"""Amounts that are counted per call."""


def counter_named(name: str) -> Counter:
    """A counter that points may depend on; ValueError if there is none, with similar names."""
    counter = COUNTERS.get(name)
    if counter is None:
        close = difflib.get_close_matches(name, COUNTERS, 3, 0.5) or list(COUNTERS)[:3]
        raise ValueError(f"no counter is called {name!r}; there is {', '.join(close)}")
    if counter.barred:
        raise ValueError(f"{name} is not for grading: {counter.barred}")
    return counter
