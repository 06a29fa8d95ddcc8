"""The simulator's counters as sentences for students."""

from collections.abc import Iterator
from itertools import islice

from grader.model.counters import COUNTERS
from grader.model.result import CounterResult
from grader.pages.presentation.text import one_line
from grader.pages.presentation.words import points_text

_MOST_ADVICE, _LONGEST = 6, 300


def value_text(value: float) -> str:
    """Whole counts and large figures in full, anything else to three significant digits."""
    return f"{value:,.0f}" if value == int(value) or value >= 1000 else f"{value:.3g}"


def asked_text(counter: CounterResult) -> str:
    """The threshold for all points: "at least 0.9"."""
    if counter.at_least is not None:
        return f"at least {value_text(counter.at_least)}"
    return f"at most {value_text(counter.at_most or 0)}"


def got_text(counter: CounterResult) -> str:
    """The value, and the kernel that it was counted in."""
    if counter.value is None:
        return "nothing counted"
    kernel = f" in {one_line(counter.worst)[:_LONGEST]}" if counter.worst else ""
    return value_text(counter.value) + kernel


def meaning(counter: CounterResult) -> str:
    """What the counter's number counts."""
    known = COUNTERS.get(counter.counter)
    return known.words if known else counter.counter


def counter_words(counter: CounterResult) -> str:
    """The value, its thresholds and points; where points are missing, what to do."""
    side = "less" if counter.at_least is not None else "more"
    none = f", none for {value_text(counter.zero)} or {side}" if counter.zero is not None else ""
    words = (
        f"{counter.counter}: {got_text(counter)} ({meaning(counter)}). "
        f"All {points_text(counter.max_points)} points for {asked_text(counter)}{none}; "
        f"you have {points_text(counter.points)}."
    )
    return words if counter.points >= counter.max_points else f"{words} {one_line(counter.why)}."


def advice_lines(counter: CounterResult) -> Iterator[str]:
    """The simulator's advice: the source line and what it does."""
    yield from (one_line(advice) for advice in counter.advice)


def shown_advice(counter: CounterResult) -> list[str]:
    """The first lines of the advice, on a page; none where no points are missing."""
    if counter.points >= counter.max_points:
        return []
    return [line[:_LONGEST] for line in islice(advice_lines(counter), _MOST_ADVICE)]
