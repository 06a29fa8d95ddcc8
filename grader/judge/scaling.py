"""Points for scaling: from the measured ratio of ratios and a part's thresholds."""

from __future__ import annotations

from grader.judge.timing import doubts, timing_result
from grader.model.lab import Scaling
from grader.model.result import ScalingMeasurement, ScalingResult
from grader.run.checker import Scaled

SLOW_ALONE = 4.0
"""Whoever is so much slower than the reference with one thread scales with little effort."""


def scaling_result(scaled: Scaled, scaling: Scaling) -> ScalingResult:
    """All points where the cores for a measurement were missing: that is not the code's fault."""
    result = ScalingResult(
        measured=None,
        free_cores=scaled.free_cores,
        needed_cores=scaled.needed_cores,
        full=scaling.full,
        zero=scaling.zero,
        points=scaling.points,
        max_points=scaling.points,
    )
    if scaled.timed is None:
        flag = (
            f"scaling not measured: {scaled.needed_cores} free cores are needed, "
            f"{scaled.free_cores} found; all its points are given"
        )
        return result.model_copy(update={"flagged": flag})
    update = {
        "measured": _measurement(scaled),
        "points": timing_result(scaled.timed, scaling).points,
        "flagged": "; ".join(_doubts(scaled)) or None,
    }
    return result.model_copy(update=update)


def _measurement(scaled: Scaled) -> ScalingMeasurement:
    timed = scaled.timed
    assert timed is not None
    return ScalingMeasurement(
        ratio=timed.ratio,
        low=timed.low,
        high=timed.high,
        pairs=timed.pairs,
        decision=timed.decision,
        curve=list(scaled.curve),
        student_serial=scaled.student_serial,
        reference_serial=scaled.reference_serial,
        student_ms=timed.student_ms,
        reference_ms=timed.reference_ms,
    )


def _doubts(scaled: Scaled) -> list[str]:
    timed = scaled.timed
    assert timed is not None
    found = [f"scaling: {doubt}" for doubt in doubts(timed)]
    alone = timed.student_ms / timed.reference_ms
    if timed.decision != "zero" and alone >= SLOW_ALONE:
        found.append(
            f"scaling: with one thread {alone:.1f} times the reference's time, and slow code "
            "scales easily"
        )
    return found
