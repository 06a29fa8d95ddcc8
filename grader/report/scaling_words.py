"""How code scales, in words that a student understands."""

from __future__ import annotations

from grader.model.result import ScalingMeasurement, ScalingResult
from grader.report.words import DECISIONS, points_text, ratio_text


def scaling_words(scaling: ScalingResult) -> str:
    """The speedup, how it compares with the reference's, Amdahl's fraction, and the points."""
    points = points_text(scaling.max_points)
    if scaling.measured is None:
        found = "was" if scaling.free_cores == 1 else "were"
        return (
            f"Not measured: {scaling.needed_cores} free cores are needed, {scaling.free_cores} "
            f"{found} free on this machine. You have all {points} points for scaling."
        )
    return (
        f"{_speedups(scaling.measured)} {_ratio(scaling.measured)} All {points} points for scaling "
        f"up to {scaling.full:g}, none from {scaling.zero:g}; "
        f"you have {points_text(scaling.points)}."
    )


def not_scaled_words(part: str, count: int) -> str:
    """What a class should know where this machine could not measure `count` submissions."""
    were = "submission was" if count == 1 else "submissions were"
    return (
        f"{part}: {count} {were} not measured for scaling and got all its points: too few cores "
        "were free. Grade with --force on a quiet machine with more cores to measure them."
    )


def serial_text(fraction: float) -> str:
    """Amdahl's fraction as a share: "about 4 %"."""
    percent = round(100 * fraction)
    return f"about {percent} %" if percent else "less than 1 %"


def _speedups(measured: ScalingMeasurement) -> str:
    last = measured.curve[-1]
    return (
        f"Your code is {ratio_text(last.student)} times as fast with {last.threads} threads as "
        f"with one, the reference {ratio_text(last.reference)} times. By Amdahl's law "
        f"{serial_text(measured.student_serial)} of the work runs on one thread, of the "
        f"reference's {serial_text(measured.reference_serial)}."
    )


def _ratio(measured: ScalingMeasurement) -> str:
    return (
        f"From one thread to {measured.curve[-1].threads} the time relative to the reference's "
        f"grows by a factor of {ratio_text(measured.ratio)} "
        f"(interval {ratio_text(measured.low)} to {ratio_text(measured.high)}, "
        f"{measured.pairs} rounds): {DECISIONS[measured.decision]}."
    )
