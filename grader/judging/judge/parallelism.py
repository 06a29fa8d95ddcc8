"""The share of a CPU part's performance points that its measured parallelism earns."""

from collections.abc import Iterator

from grader.model.lab import Parallelism
from grader.model.result import ParallelismResult, ThreadsMeasurement
from grader.model.share import counting_end, points_for, share
from grader.sandbox.checker_report import TeamRun


def threads_result(run: TeamRun, asked: Parallelism) -> ParallelismResult:
    """Points by the upper end of the interval, and all points if this machine cannot measure.

    An undecided interval earns nothing if its median is not above `zero`.
    """
    result = ParallelismResult(
        value=None,
        full=asked.full,
        zero=asked.zero,
        decision="full",
        share=1,
        points=asked.points,
        max_points=asked.points,
    )
    measured = run.measured
    if measured is None:
        flag = (
            "parallelism not measured: this kernel does not report run-queue wait, without which "
            f"2 free cores are needed; found {run.cores}; all points count"
        )
        return result.model_copy(update={"flagged": flag})
    threads = ThreadsMeasurement(
        team=run.team,
        runnable=measured.runnable,
        balance=measured.balance,
        inflation=measured.inflation,
        copies=measured.copies,
        shared_by=measured.shared_by or None,
        rounds=measured.rounds,
        cores=run.cores,
        speedup=measured.speedup,
    )
    update: dict[str, object] = {
        "value": measured.value,
        "low": measured.low,
        "high": measured.high,
        "decision": measured.decision,
        "threads": threads,
    }
    result = result.model_copy(update=update)
    end = counting_end(result)
    earned = 0.0
    if end is not None and measured.decision != "zero":
        earned = share(end, asked.full, asked.zero)
    update = {
        "share": earned,
        "points": points_for(asked.points, earned),
        "flagged": "; ".join(_doubts(run, earned)) or None,
    }
    return result.model_copy(update=update)


def _doubts(run: TeamRun, earned: float) -> Iterator[str]:
    measured = run.measured
    assert measured is not None
    if not run.waits_counted:
        yield (
            "parallelism: this kernel does not report run-queue wait, so the run time on "
            f"{run.cores} cores was used"
        )
    if measured.decision == "undecided":
        counts = "counts at the end that is better for the student"
        if earned == 0:
            counts = f"earns nothing, as its median {measured.value:.2f} does not"
        yield (
            f"parallelism: undecided after {measured.rounds} rounds: the interval "
            f"{measured.low:.2f} to {measured.high:.2f} {counts}"
        )
    if measured.short_calls:
        yield f"parallelism: calls shorter than {measured.shortest_ms:g} ms are hard to measure"
