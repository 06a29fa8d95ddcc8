"""A phase of one submission with its parts in runs of their own, several at a time."""

import time
from concurrent.futures import Executor
from dataclasses import replace

from grader.model.lab import Part
from grader.sandbox.checker_report import Report
from grader.sandbox.processes import Processes
from grader.sandbox.run_checker import CheckerRun, run_checker

_LEAST_S = 0.1


def run_part_by_part(processes: Processes, run: CheckerRun, pool: Executor) -> Report:
    """What run_checker() reports of the same run, as soon as `pool` has done all parts.

    All parts together get the run's time: a submission that spends it on some parts has nothing
    left for those that begin later.
    """
    begun = time.monotonic()

    def run_part(part: Part) -> Report:
        left_s = run.run_s - (time.monotonic() - begun)
        output = run.output.with_stem(f"{run.output.stem}_{part.function}")
        alone = replace(run, parts=[part], output=output, budget_s=max(left_s, _LEAST_S))
        return run_checker(processes, alone)

    # Later parts tend to take longer: a long one that comes last would leave cores idle.
    reports = list(pool.map(run_part, reversed(run.parts)))
    return Report(
        [case for report in reversed(reports) for case in report.cases],
        sorted({lost for report in reports for lost in report.protections_lost}),
    )
