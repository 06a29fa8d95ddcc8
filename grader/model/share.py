"""What a measured value earns: the only place where thresholds become points.

The judge, the pages that explain points and `regrade`, which computes them again from stored
measurements, all take it from here.
"""

from collections.abc import Iterable

from grader.model.lab import CounterThreshold, Parallelism, Part
from grader.model.result import CounterResult, ParallelismResult, PartResult, TimingResult
from grader.model.verdict import Verdict

RIGHT = frozenset({Verdict.ACCEPTED, Verdict.TOO_SLOW})
"""Verdicts of parts whose answers are right: they earn their points and those for performance."""


def share(value: float, full: float, zero: float) -> float:
    """1 at `full` or better, 0 at `zero` or worse, linear in between; 0 for NaN.

    Less is better where `full` is below `zero`.
    """
    at_full, at_zero = (
        (value <= full, value >= zero) if full < zero else (value >= full, value <= zero)
    )
    if at_full:
        return 1.0
    if at_zero or value != value:
        return 0.0
    return (value - zero) / (full - zero)


def share_of_counter(value: float | None, asked: CounterThreshold | CounterResult) -> float:
    """The share that a counter earns: all or nothing without `zero`."""
    full = asked.at_most if asked.at_least is None else asked.at_least
    if value is None or full is None:
        return 0.0
    if asked.zero is not None:
        return share(value, full, asked.zero)
    return float(value <= full if asked.at_least is None else value >= full)


def points_for(most: float, earned: float) -> float:
    """Points are given to two decimals."""
    return round(most * earned, 2)


def counting_end(measured: TimingResult | ParallelismResult) -> float | None:
    """The end of the interval that is better for the student, or an exact value.

    Of a parallelism that is undecided, and whose median earns nothing, the median.
    """
    if isinstance(measured, TimingResult):
        return measured.low
    if measured.high is None:
        return measured.value
    open_end = measured.decision == "undecided" and measured.value is not None
    return measured.value if open_end and _is_zero(measured) else measured.high


def _is_zero(measured: ParallelismResult) -> bool:
    return share(measured.value or 0, measured.full, measured.zero) == 0


def points_by_noise(result: PartResult, part: Part) -> float:
    """How many fewer points a part had if undecided measurements counted at the worse end."""
    timing, parallelism = result.timing, result.parallelism
    if timing and timing.decision == "undecided":
        points = points_for(timing.max_points, share(timing.high, timing.full, timing.zero))
        timing = timing.model_copy(update={"points": points})
    if parallelism and parallelism.decision == "undecided":
        earned = share(parallelism.low or 0, parallelism.full, parallelism.zero)
        points = points_for(parallelism.max_points, earned)
        parallelism = parallelism.model_copy(update={"share": earned, "points": points})
    worse = result.model_copy(update={"timing": timing, "parallelism": parallelism})
    return round(part_points(result, part) - part_points(worse, part), 2)


def performance_points(timing: TimingResult | None, counters: Iterable[CounterResult]) -> float:
    """Points for time and counters before parallelism multiplies them."""
    return (timing.points if timing else 0) + sum(counter.points for counter in counters)


def parallelism_share(result: PartResult, asked: Parallelism | None) -> float:
    """What a part's points for time and counters are multiplied by.

    0 if parallelism was asked for and a call failed before it was measured.
    """
    if result.parallelism:
        return result.parallelism.share
    return 0.0 if asked else 1.0


def part_points(result: PartResult, part: Part) -> float:
    """A part's points: all or none for right answers, plus those for performance."""
    if result.verdict not in RIGHT:
        return 0
    performance = performance_points(result.timing, result.counters)
    performance *= parallelism_share(result, part.parallelism)
    performance += result.parallelism.points if result.parallelism else 0
    return round(part.points + performance, 2)
