"""Compares expected with measured speedups for the samples of the CPU labs.

    bazel run //grader/proof/bench:speedups -- [--lab LAB] [--folder FOLDER] [--team N]

The expected speedup is the figure of parts.parallelism in lab.toml; the measured one is that of the
same calls and limited by the cores. The error of the prediction is printed only if at least as many
cores are free as the team has threads.
"""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import click

from common.lab.programming_models.phases import TIMING
from grader.cli.kits import find_kits
from grader.cli.places import lab_names, sample_root
from grader.judging.compile.build import Workspace, compile_build
from grader.judging.judge.context import GradingContext, open_context
from grader.judging.sample.samples import Sample, lazy_samples, samples
from grader.model.errors import GraderError
from grader.model.lab import Parallelism, Part
from grader.model.manifest import Kit
from grader.sandbox.checker_report import TeamRun
from grader.sandbox.machine import cores
from grader.sandbox.run_checker import CheckerRun, run_checker

_ROW = "{:<18} {:<44} {:>14} {:>6} {:>8} {:>8} {:>7} {:>8} {:>6} {:>6} {:>8}"


def _asked(part: Part, budget_s: float) -> Part:
    """The part with its parallelism, or default thresholds, and a time budget to measure it."""
    suite = part.timing.suite if part.timing else ""
    asked = part.parallelism or Parallelism(suite=suite, points=1, full=2.2, zero=1.3)
    update = {"parallelism": asked.model_copy(update={"budget_s": budget_s})}
    return part.model_copy(update=update)


def _chosen(lab: str, folders: tuple[str, ...]) -> list[Sample]:
    folder = sample_root() / lab
    found = [*samples(folder), *lazy_samples(folder)]
    return [s for s in found if s.name.split("/")[0] in folders]


def _runs(
    context: GradingContext, sample: Sample, team: int
) -> Iterator[tuple[str, TeamRun | str]]:
    """Each part's measurement, or why there is none."""
    kit = context.kit
    with tempfile.TemporaryDirectory(dir=context.folder) as folder:
        work = Workspace(Path(folder), kit, sample.submission().read())
        compiled = compile_build(context.processes, kit, work, "tests")
        if compiled.library is None:
            raise GraderError(f"{sample.path} does not compile: {compiled.text}", "correct it")
        parts = [_asked(part, 1.0) for part in kit.lab.parts if part.timing]
        before = time.monotonic()
        run = CheckerRun(
            kit,
            TIMING,
            parts=[part.model_copy(update={"timing": None}) for part in parts],
            library=compiled.library,
            key=f"{1:032x}",
            output=work.folder / "timing.json",
            team=team,
        )
        report = run_checker(context.processes, run)
    print(f"{sample.name}: {time.monotonic() - before:.1f} s")
    for part in parts:
        case = next(c for c in report.cases if part.timing and c.belongs_to(part.timing.suite))
        yield part.function, case.team_run if case.team_run else f"{case.verdict} {case.message}"


def _line(function: str, name: str, run: TeamRun | str) -> str:
    if isinstance(run, str) or run.measured is None:
        return f"{function:<18} {name:<44} {run if isinstance(run, str) else 'not measured'}"
    got = run.measured
    error = f"{100 * (got.value / got.speedup - 1):+.0f} %" if run.cores >= run.team else "-"
    return _ROW.format(
        function,
        name,
        f"{got.low:.2f}..{got.high:.2f}",
        f"{got.value:.2f}",
        f"{got.runnable:.2f}",
        f"{got.inflation:.2f}",
        f"{got.balance:.2f}",
        f"{got.speedup:.2f}",
        error,
        got.rounds,
        f"{got.alone_ms:.1f}",
    )


def _print_lab(kit: Kit, folders: tuple[str, ...], pattern: str, team: int) -> None:
    head = ("part", "sample", "interval", "value", "runnable", "inflated", "balance", "measured")
    print(_ROW.format(*head, "error", "rounds", "alone ms"))
    with open_context(kit, 1, 1) as context:
        for sample in _chosen(kit.manifest.lab, folders):
            if pattern in sample.name:
                for function, run in _runs(context, sample, team):
                    print(_line(function, sample.name, run), flush=True)


@click.command()
@click.option("--lab", "labs", multiple=True, help="Default: all CPU labs.")
@click.option("--folder", "folders", multiple=True, default=("accepted",), show_default=True)
@click.option("--only", default="", help="Only samples whose name contains this.")
@click.option("--team", default=0, help="Threads; default: one per core, at most 4.")
def main(labs: tuple[str, ...], folders: tuple[str, ...], only: str, team: int) -> None:
    """Prints a table for each lab."""
    for kit in find_kits(list(labs or lab_names())):
        if kit.lab.measures_teams:
            print(f"\n{kit.manifest.lab}")
            _print_lab(kit, folders, only, team or max(2, min(4, cores())))


if __name__ == "__main__":
    main()
