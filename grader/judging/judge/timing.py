"""Points for speed, from a measured interval and a part's thresholds."""

from grader.model.lab import Timing
from grader.model.result import TimingResult
from grader.model.share import points_for, share
from grader.sandbox.checker_report import Timed


def timing_result(timed: Timed, timing: Timing) -> TimingResult:
    """Points by the lower end of the interval, which is better for the student."""
    timing = timing.chosen(gpu=timed.device is not None)
    points = 0.0
    if timed.decision != "zero":
        points = points_for(timing.points, share(timed.low, timing.full, timing.zero))
    return TimingResult(
        ratio=timed.ratio,
        first=timed.first,
        low=timed.low,
        high=timed.high,
        pairs=timed.pairs,
        full=timing.full,
        zero=timing.zero,
        decision=timed.decision,
        student_ms=timed.student_ms,
        reference_ms=timed.reference_ms,
        points=points,
        max_points=timing.points,
        flagged="; ".join(doubts(timed)) or None,
        gpu=timed.device.timing() if timed.device else None,
    )


def doubts(timed: Timed) -> list[str]:
    """Why an instructor may want to look at a measured ratio."""
    reasons = []
    if timed.decision == "undecided":
        reasons.append(
            f"undecided after {timed.pairs} pairs: the interval {timed.low:.2f} to "
            f"{timed.high:.2f} counts at the end that is better for the student"
        )
    if timed.short_calls:
        reasons.append(f"calls shorter than {timed.shortest_ms:g} ms are hard to time")
    return reasons
