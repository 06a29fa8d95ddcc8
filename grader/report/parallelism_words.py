"""How parallel a part is, and what that means for its points, in words."""

from __future__ import annotations

from grader.model.result import ParallelismResult, ThreadsMeasurement
from grader.report.counter_words import value_text
from grader.report.words import points_text


def parallelism_words(result: ParallelismResult) -> str:
    """A few sentences: the figure, its thresholds, the points, and what they are multiplied by."""
    figure = "expected speedup" if result.threads else "parallelism (work / span)"
    if result.value is None:
        got = "nothing was measured"
    else:
        got = f"{figure} {value_text(result.value)}{_interval(result)}{_team(result.threads)}"
    words = (
        f"{got}. All {points_text(result.max_points)} points from {value_text(result.full)}, none "
        f"up to {value_text(result.zero)}; you have {points_text(result.points)}."
    )
    if result.share < 1:
        words += (
            f" Points for time and counters count to {100 * result.share:.0f} %, as they are for "
            "parallel code."
        )
    return f"{words} {result.flagged}." if result.flagged else words


def _interval(result: ParallelismResult) -> str:
    if result.low is None or result.high is None:
        return ""
    return f", interval {result.low:.2f} to {result.high:.2f}"


def _team(threads: ThreadsMeasurement | None) -> str:
    if threads is None:
        return ""
    return (
        f" of a team of {threads.team}: on average {threads.runnable:.2f} threads ran or waited "
        f"for a core, the busiest ran {threads.balance:.2f} times the mean, and together they "
        f"used {threads.inflation:.2f} times the CPU time of one thread"
    )
