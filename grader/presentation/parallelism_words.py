"""How parallel a part is, and what that means for its points, in words."""

from __future__ import annotations

from grader.model.result import ParallelismResult, ThreadsMeasurement
from grader.presentation.counter_words import value_text
from grader.presentation.words import points_text


def parallelism_words(result: ParallelismResult) -> str:
    """A few sentences: the figure, its thresholds, the points, and what they are multiplied by."""
    words = (
        f"{_figure(result)}. All {points_text(result.max_points)} points from "
        f"{value_text(result.full)}, none up to {value_text(result.zero)}; you have "
        f"{points_text(result.points)}."
    )
    if result.share < 1:
        words += (
            f" Points for time and counters count to {100 * result.share:.0f} %, as they are for "
            "parallel code."
        )
    return f"{words} {result.flagged}." if result.flagged else words


def _figure(result: ParallelismResult) -> str:
    if result.value is None:
        return "nothing was measured"
    if result.threads is None:
        return f"parallelism (work / span) {value_text(result.value)}{_interval(result)}"
    threads = result.threads
    return (
        f"{_team(threads)}: expected speedup of a team of {threads.team} {result.value:.2f}"
        f"{_interval(result)}{_measured(threads)}"
    )


def _interval(result: ParallelismResult) -> str:
    if result.low is None or result.high is None:
        return ""
    return f", interval {result.low:.2f} to {result.high:.2f}"


def _team(threads: ThreadsMeasurement) -> str:
    return (
        f"on average {threads.runnable:.2f} threads ran or waited for a core, the busiest ran "
        f"{threads.balance:.2f} times the mean, and together they used {threads.inflation:.2f} "
        "times the CPU time of one thread"
    )


def _measured(threads: ThreadsMeasurement) -> str:
    """Only where the cores are there: elsewhere the cores are what limits it."""
    if threads.speedup is None or threads.cores < 2:
        return ""
    return f"; on the {threads.cores} free cores of this machine it was {threads.speedup:.2f}"
