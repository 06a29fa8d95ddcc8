"""A part's measured parallelism and its points, as sentences for students."""

from grader.model.result import ParallelismResult, ThreadsMeasurement
from grader.pages.presentation.counter_words import value_text
from grader.pages.presentation.words import points_text


def parallelism_words(result: ParallelismResult) -> str:
    """The figure, its thresholds and points, and the share that multiplies the other points."""
    words = (
        f"{_figure(result)}. All {points_text(result.max_points)} points from "
        f"{value_text(result.full)}, none up to {value_text(result.zero)}; you have "
        f"{points_text(result.points)}."
    )
    if result.share < 1:
        words += (
            f" Points for time and counters are multiplied by {100 * result.share:.0f} %, because "
            "they reward parallel code."
        )
    return f"{words} {result.flagged}." if result.flagged else words


def _figure(result: ParallelismResult) -> str:
    if result.value is None:
        return "nothing was measured"
    if result.threads is None:
        return f"parallelism (work / span) {value_text(result.value)}{_interval(result)}"
    threads = result.threads
    return (
        f"expected speedup with {threads.team} threads {result.value:.2f}{_interval(result)}"
        f"{_measured(threads)}: {_team(threads)}"
    )


def _interval(result: ParallelismResult) -> str:
    if result.low is None or result.high is None:
        return ""
    return f", interval {result.low:.2f} to {result.high:.2f}"


def _team(threads: ThreadsMeasurement) -> str:
    words = (
        f"on average {threads.runnable:.2f} threads ran or waited for a core, the busiest ran for "
        f"{threads.balance:.2f} times the mean time, and together they used "
        f"{threads.inflation:.2f} times the CPU time of a run with one thread"
    )
    if threads.copies > 1:
        words += (
            "; their CPU time grows with the number of threads, as if a team of "
            f"{threads.team} did the work {threads.copies:.1f} times"
        )
    if threads.shared_by:
        words += f"; the inputs and outputs were shared by {threads.shared_by:.2f} threads at most"
    return words


def _measured(threads: ThreadsMeasurement) -> str:
    """Empty on one core, where no speedup is possible."""
    if threads.speedup is None or threads.cores < 2:
        return ""
    return f" (measured on the {threads.cores} free cores of this machine: {threads.speedup:.2f})"
