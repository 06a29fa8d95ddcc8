"""Checks that the reference meets a lab's thresholds on counters, and that samples miss them."""

from collections.abc import Iterable, Iterator

from grader.model.lab import Lab
from grader.model.result import CounterResult, PartResult, Result
from grader.pages.presentation.counter_words import asked_text, got_text


def misplaced(lab: Lab, reference: Result | None, samples: Iterable[Result]) -> Iterator[str]:
    """Lines on thresholds that the reference misses, and on those that no sample misses."""
    seen = list(samples)
    for part in lab.parts:
        own = _counters(reference, part.function) if reference else []
        for number, threshold in enumerate(part.counters):
            name = f"lab.toml: {part.function}: {threshold.counter}"
            if number < len(own) and own[number].points < own[number].max_points:
                yield (
                    f"{name}: the reference reaches {got_text(own[number])}, required is "
                    f"{asked_text(own[number])}\n  next: correct the reference, or the threshold"
                )
            found = (_counters(result, part.function)[number:] for result in seen)
            if not any(left and left[0].points < left[0].max_points for left in found):
                yield (
                    f"{name}: no sample misses it\n  next: add a right but costly submission to "
                    "too_slow, or remove the threshold"
                )


def counter_lines(part: PartResult) -> Iterator[str]:
    """One line for each threshold, to explain why a sample got its verdict."""
    for counter in part.counters:
        points = f"{counter.points:g} of {counter.max_points:g}"
        required = asked_text(counter)
        yield f"    {counter.counter}: {got_text(counter)}, required {required}: {points}"


def _counters(result: Result, function: str) -> list[CounterResult]:
    return next((part.counters for part in result.parts if part.function == function), [])
