"""Where each point of a result comes from, as data: rows that a reader can add up.

Nothing is measured or judged here. The points are those of the stored result; the lab that belongs
to it says what could be earned.
"""

from collections.abc import Iterator
from typing import Literal

from pydantic import BaseModel, ConfigDict

from grader.model import kind
from grader.model.lab import Lab, Part
from grader.model.result import (
    CaseResult,
    CounterResult,
    ParallelismResult,
    PartResult,
    Result,
    TimingResult,
)
from grader.model.share import (
    RIGHT,
    counting_end,
    parallelism_share,
    performance_points,
    share,
    share_of_counter,
)
from grader.pages.presentation.counter_words import asked_text, counter_words, value_text
from grader.pages.presentation.facts import failure_for_student
from grader.pages.presentation.parallelism_words import parallelism_words
from grader.pages.presentation.text import one_line
from grader.pages.presentation.words import part_words, points_text, timing_words

Source = Literal["tests", "time", "counter", "product", "parallelism"]


class _Derived(BaseModel):
    model_config = ConfigDict(frozen=True)


class Row(_Derived):
    """Points from one source. The points of a part are the sum of the rows that are added."""

    source: Source
    points: float
    max_points: float | None
    is_added: bool
    """False for points that count only after parallelism has multiplied them."""
    why: str


class PartDerivation(_Derived):
    """One graded function."""

    function: str
    title: str
    verdict: str
    points: float
    max_points: float
    rows: list[Row]
    cases: list[CaseResult] = []
    """For instructors only."""


class CeilingFact(_Derived):
    """The most that a program of this kind may earn."""

    name: str
    most: float
    why: str


class Derivation(_Derived):
    """A result's points. Its parts' points add up to its own."""

    schema_version: Literal[1] = 1
    lab: str
    title: str
    student: str
    is_final: bool
    verdict: str
    points: float
    max_points: float
    parts: list[PartDerivation]
    ceilings: list[CeilingFact]


def derive(result: Result, lab: Lab, *, for_student: bool = False) -> Derivation:
    """How a result's points came about, by the lab that it was graded by.

    `for_student` leaves out what the lab's feedback withholds.
    """
    planned = {part.function: part for part in lab.parts}
    return Derivation(
        lab=result.lab,
        title=lab.title,
        student=result.student,
        is_final=result.verdict.is_final,
        verdict=result.verdict.value,
        points=result.points,
        max_points=result.max_points,
        parts=[
            _part(part, planned[part.function], lab, for_student)
            for part in result.parts
            if part.function in planned
        ],
        ceilings=[
            CeilingFact(name=name, most=ceiling.most, why=ceiling.why)
            for name, ceiling in sorted(lab.ceilings.items())
        ],
    )


def _part(part: PartResult, planned: Part, lab: Lab, for_student: bool) -> PartDerivation:
    return PartDerivation(
        function=part.function,
        title=part.title,
        verdict=part.verdict.value,
        points=part.points,
        max_points=part.max_points,
        rows=list(_rows(part, planned, lab, for_student)),
        cases=[] if for_student else part.cases,
    )


def _rows(part: PartResult, planned: Part, lab: Lab, for_student: bool) -> Iterator[Row]:
    yield _tests(part, planned, lab, for_student)
    factor = parallelism_share(part, planned.parallelism) if part.verdict in RIGHT else 1.0
    performance = [*_time(part, planned), *_counters(part, planned)]
    yield from (row.model_copy(update={"is_added": factor == 1}) for row in performance)
    if factor != 1 and performance:
        yield _product(part, factor)
    yield from _parallelism(part, planned)


def _tests(part: PartResult, planned: Part, lab: Lab, for_student: bool) -> Row:
    right = part.verdict in RIGHT
    cases = f"{part.tests_passed} of {part.tests_total} cases passed" if part.tests_total else ""
    if right and part.of_kind != kind.LAB:
        return _row("tests", part.points, planned.points, cases)
    if right:
        why = f"right answers: {cases}, and no data race or other error was found"
        return _row("tests", planned.points, planned.points, why)
    words = part_words(part)
    why = f"{words.label}{f', {cases}' if cases else ''}: {words.happened}"
    failure = failure_for_student(part, lab) if for_student else part.failure
    if failure:
        why += f" First failing case: {one_line(f'{failure.test}: {failure.message}')}"
    return _row("tests", part.points if part.of_kind == kind.HUNT else 0, planned.points, why)


def _time(part: PartResult, planned: Part) -> Iterator[Row]:
    timing = part.timing
    if timing and part.verdict in RIGHT:
        end = counting_end(timing)
        earned = share(timing.low, timing.full, timing.zero)
        why = f"time: {timing_words(timing)}"
        if 0 < earned < 1:
            why += (
                f" The end of the interval that is better for you counts: {_linear(end, timing)} "
                f"= {earned:.4f} of {points_text(timing.max_points)} points."
            )
        yield _row("time", timing.points, timing.max_points, why)
    elif planned.timing:
        yield _row("time", 0, planned.timing.points, f"time: {_not_measured(part)}")


def _linear(value: float | None, thresholds: TimingResult | ParallelismResult) -> str:
    """The formula of a share, with its numbers."""
    full, zero = thresholds.full, thresholds.zero
    if full < zero:
        return f"({zero:g} - {value:.4g}) / ({zero:g} - {full:g})"
    return f"({value:.4g} - {zero:g}) / ({full:g} - {zero:g})"


def _not_measured(part: PartResult) -> str:
    if part.verdict not in RIGHT:
        return "only parts with right answers are measured"
    if part.failure:
        return f"a call failed before it was measured: {one_line(part.failure.test)}"
    return "it was not measured"


def _counters(part: PartResult, planned: Part) -> Iterator[Row]:
    if part.counters and part.verdict in RIGHT:
        for counter in part.counters:
            yield _row("counter", counter.points, counter.max_points, _counter_why(counter))
        return
    for asked in planned.counters:
        side = "at least" if asked.at_most is None else "at most"
        why = f"{asked.counter} {side} {value_text(asked.full)}: {_not_measured(part)}"
        yield _row("counter", 0, asked.points, why)


def _counter_why(counter: CounterResult) -> str:
    words = counter_words(counter)
    earned = share_of_counter(counter.value, counter)
    if not 0 < earned < 1:
        return words
    return (
        f"{words} Between {value_text(counter.zero or 0)} and {asked_text(counter)} the points are "
        f"linear: {earned:.4f} of {points_text(counter.max_points)}."
    )


def _product(part: PartResult, factor: float) -> Row:
    before = performance_points(part.timing, part.counters)
    why = (
        f"points for time and counters, {points_text(before)}, times {factor:.4f}, the share that "
        "parallelism earns"
    )
    return _row("product", round(before * factor, 2), None, why)


def _parallelism(part: PartResult, planned: Part) -> Iterator[Row]:
    measured = part.parallelism
    if measured and part.verdict in RIGHT:
        words = parallelism_words(measured)
        why = words if words.startswith("parallelism") else f"parallelism: {words}"
        end = counting_end(measured)
        if 0 < measured.share < 1 and end is not None:
            why += f" {_linear(end, measured)} = {measured.share:.4f}."
        yield _row("parallelism", measured.points, measured.max_points, why)
    elif planned.parallelism:
        why = f"parallelism: {_not_measured(part)}"
        yield _row("parallelism", 0, planned.parallelism.points, why)


def _row(source: Source, points: float, most: float | None, why: str) -> Row:
    return Row(source=source, points=points, max_points=most, is_added=True, why=why)


def sum_of(part: PartDerivation) -> str:
    """The sum as a student would write it down: "40 + 12.5 + 3 = 55.5"."""
    terms = [points_text(row.points) for row in part.rows if row.is_added]
    return f"{' + '.join(terms)} = {points_text(part.points)}"
