"""Whether a lab's thresholds on counters can be reached, and whether any sample misses them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from grader.model.lab import Lab
from grader.model.result import CounterResult, PartResult, Result
from grader.presentation.counter_words import asked_text, got_text


def misplaced(lab: Lab, reference: Result | None, samples: Iterable[Result]) -> Iterator[str]:
    """Lines on thresholds that the reference misses, and on those that nobody misses."""
    seen = list(samples)
    for part in lab.parts:
        own = _counters(reference, part.function) if reference else []
        for number, threshold in enumerate(part.counters):
            name = f"lab.toml: {part.function}: {threshold.counter}"
            if number < len(own) and own[number].points < own[number].max_points:
                yield (
                    f"{name}: the reference reaches {got_text(own[number])}, asked is "
                    f"{asked_text(own[number])}\n  next: mend the reference, or the threshold"
                )
            found = (_counters(result, part.function)[number:] for result in seen)
            if not any(left and left[0].points < left[0].max_points for left in found):
                yield (
                    f"{name}: no sample misses it\n  next: add a right but costly submission to "
                    "too_slow, or take the threshold out"
                )


def counter_lines(part: PartResult) -> Iterator[str]:
    """One line for each threshold, for whoever must find out why a sample got its verdict."""
    for counter in part.counters:
        points = f"{counter.points:g} of {counter.max_points:g}"
        yield f"    {counter.counter}: {got_text(counter)}, asked {asked_text(counter)}: {points}"


def _counters(result: Result, function: str) -> list[CounterResult]:
    return next((part.counters for part in result.parts if part.function == function), [])
