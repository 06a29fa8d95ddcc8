"""Facts derived from a result, shared by the reports and the exports."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from grader.model.lab import Lab
from grader.model.result import Diagnostic, Failure, PartResult, Result
from grader.model.verdict import Verdict
from grader.pages.presentation.text import one_line

WHOLE_FILE = frozenset({Verdict.COMPILE_ERROR, Verdict.NOTHING_GRADABLE, Verdict.POLICY})
"""Verdicts on the file, given before any part was run."""

# Lines of a failure that show elements of a hidden input or of its results.
_VALUES = re.compile(r"\b(?:expected|got|actual|which is|element \d+ of)\b", re.IGNORECASE)
_LOOK = frozenset({Verdict.JUDGE_ERROR, Verdict.TAMPERING})


def is_graded(result: Result) -> bool:
    """Whether the points are final: a judge error anywhere leaves them open."""
    return result.verdict.is_final and all(part.verdict.is_final for part in result.parts)


def who(result: Result) -> str:
    """The student on one line, with the name where the platform's key is a number."""
    student, name = one_line(result.student), one_line(result.name)
    return f"{name} ({student})" if name else student


def part_of(result: Result, function: str) -> PartResult | None:
    """A part by its function; None if the submission never got that far."""
    return next((part for part in result.parts if part.function == function), None)


@dataclass(frozen=True)
class Split:
    """A part's points, split into tests, timing, counters and parallelism."""

    tests: float
    tests_max: float
    timing: float
    timing_max: float
    counters: float
    counters_max: float
    parallelism: float
    parallelism_max: float


def split_points(part: PartResult, lab: Lab) -> Split:
    """Splits a part's points; what was not timed or counted earned none of those points.

    Points for timing and counters are already multiplied by parallelism's share.
    """
    planned = next((p for p in lab.parts if p.function == part.function), None)
    timing_max = counters_max = timing = counters = 0.0
    parallelism = part.parallelism.points if part.parallelism else 0.0
    parallelism_max = planned.parallelism.points if planned and planned.parallelism else 0.0
    share = part.parallelism.share if part.parallelism else 0.0 if parallelism_max else 1.0
    if part.timing:
        timing, timing_max = part.timing.points, part.timing.max_points
    elif planned and planned.timing:
        timing_max = planned.timing.points
    if part.counters:
        counters = sum(counter.points for counter in part.counters)
        counters_max = sum(counter.max_points for counter in part.counters)
    elif planned:
        counters_max = planned.counter_points
    timing, counters = share * timing, share * counters
    return Split(
        part.points - timing - counters - parallelism,
        part.max_points - timing_max - counters_max - parallelism_max,
        timing,
        timing_max,
        counters,
        counters_max,
        parallelism,
        parallelism_max,
    )


class Look(StrEnum):
    """What an instructor has to do about a flagged submission."""

    NOT_JUDGED = "not judged"
    EVIDENCE = "evidence"
    """A person must read what was found."""
    MEASUREMENT = "measurement"
    """It has to be measured again, or accepted as it is."""


@dataclass(frozen=True)
class Flag:
    """A reason to look at a submission."""

    look: Look
    reason: str


def flagged(result: Result) -> Iterator[Flag]:
    """Why an instructor may want to look at this submission, if at all."""
    if not is_graded(result):
        state = "not graded" if result.verdict is Verdict.NOT_GRADED else "not judged"
        yield Flag(Look.NOT_JUDGED, f"{state}: grade this submission again")
    for verdict in sorted({result.verdict, *(part.verdict for part in result.parts)}):
        if verdict in _LOOK and verdict.is_final:
            yield Flag(Look.EVIDENCE, f"{verdict}: read the evidence before you give points")
    for part in result.parts:
        for speed in (part.timing, part.parallelism):
            if speed and speed.flagged:
                yield Flag(Look.MEASUREMENT, f"{part.title}: {speed.flagged}")


def flags(result: Result) -> Iterator[str]:
    """The reasons alone."""
    return (flag.reason for flag in flagged(result))


def diagnostics_for_student(result: Result, lab: Lab) -> list[Diagnostic]:
    """The diagnostics a student may see: never the grader's log, hidden tests as the lab allows."""
    shown = {"handed_in", "policy", "compile"}
    if lab.feedback.hidden != "verdict":
        shown |= {"tests", "memory", "races", "counters", "timing"}
    return [diagnostic for diagnostic in result.diagnostics if diagnostic.phase in shown]


def failure_for_student(part: PartResult, lab: Lab) -> Failure | None:
    """The first failing case, without what the lab's `feedback.hidden` withholds."""
    if part.failure is None or lab.feedback.hidden == "verdict":
        return None
    if lab.feedback.hidden == "first_difference":
        return part.failure
    lines = part.failure.message.splitlines()
    kept = "\n".join(line for line in lines if not _VALUES.search(line))
    return part.failure.model_copy(update={"message": kept})


def confidence(lab: Lab, function: str) -> float | None:
    """Confidence level of a part's timing interval; None if the part is not timed."""
    part = next((part for part in lab.parts if part.function == function), None)
    return part.timing.confidence if part and part.timing else None
