"""`check`: is a lab whole, and does each of its samples get exactly its verdict?"""

from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.text import Text

from grader.cli.kits import find_kit, find_kits
from grader.cli.places import lab_names, sample_root, workspace
from grader.judging.sample.samples import Sample, lazy_samples, samples
from grader.model.manifest import Kit
from grader.model.result import Result
from grader.pages.report.progress import GradingProgress
from grader.people.checks.ceilings import above, unstated
from grader.people.checks.completeness import missing
from grader.people.checks.kept import Kept, usual_folder
from grader.people.checks.reachable_counters import misplaced
from grader.people.checks.survivors import candidates, stale, survivors
from grader.people.checks.unfinished import rows
from grader.people.checks.verdicts import cannot_tell, told


@dataclass(frozen=True)
class Checked:
    """What is wrong with one lab, and with which seed its samples were graded."""

    lab: str
    seed: int
    problems: list[str]


def check_labs(
    lab: str | None,
    given: Path | None,
    seed: int | None,
    *,
    mutate: bool,
    console: Console | None = None,
) -> list[Checked]:
    """Checks one lab or all of them. `mutate`: the tests as well."""
    console = console or Console()
    kits = [find_kit(lab, given)] if lab else find_kits(lab_names())
    checked = []
    for kit in kits:
        kept = Kept(usual_folder(kit.manifest.lab))
        chosen_seed = kept.seed(seed)
        problems = _check(kit, kept, chosen_seed, console)
        if mutate and not problems:
            problems = _told(_mutants(kit, kept, chosen_seed, console), console)
        if not problems:
            kept.forget()
        checked.append(Checked(kit.manifest.lab, chosen_seed, problems))
        state = f"{len(problems)} to fix" if problems else "whole"
        console.print(Text(f"{kit.manifest.lab}: {state}", style="bold"))
    return checked


def _check(kit: Kit, kept: Kept, seed: int, console: Console) -> list[str]:
    """What needs no grading is told first, so that nobody waits for it."""
    name = kit.manifest.lab
    found, lazy = samples(sample_root() / name), lazy_samples(sample_root() / name)
    problems = missing(kit, workspace() / "labs" / name, found)
    problems = _told([*problems, *rows(workspace(), name), *unstated(kit.lab, lazy)], console)
    problems += _told(_wrong_verdicts(kit, kept, found, seed, console), console)
    return problems + _told(_ceilings(kit, kept, lazy, seed, console), console)


def _told(problems: list[str], console: Console) -> list[str]:
    for problem in problems:
        console.print(Text(f"error: {problem}", style="red"), soft_wrap=True)
    return problems


def _mutants(kit: Kit, kept: Kept, seed: int, console: Console) -> list[str]:
    folder = sample_root() / kit.manifest.lab
    found = candidates(kit, folder)
    with GradingProgress(len(found), console, f"mutating {kit.manifest.file}") as progress:
        tested, whole = kept.grade("mutants"), kept.grade("samples")
        left = survivors(kit, folder, found, seed, progress.advance, tested, whole)
    console.print(f"{kit.manifest.lab}: {len(found)} mutants, {len(left)} survive")
    return [*stale(kit, folder), *left]


def _wrong_verdicts(
    kit: Kit, kept: Kept, found: list[Sample], seed: int, console: Console
) -> list[str]:
    problems = []
    reference: Result | None = None
    wrong: list[Result] = []
    with GradingProgress(len(found), console, f"checking {kit.manifest.lab}") as progress:
        for sample, result in kept.grade("samples")(kit, found, seed):
            progress.advance(result.verdict, sample.name)
            if reason := cannot_tell(sample, result):
                console.print(Text(f"not checked: {reason}", style="yellow"), soft_wrap=True)
            elif result.verdict is not sample.expected:
                problems.append(f"{told(sample, result)}\n  next: try again with --seed {seed}")
            if sample.is_wrong:
                wrong.append(result.model_copy(update={"diagnostics": []}))
            elif sample.path.name == kit.manifest.file:
                reference = result
    return [*problems, *misplaced(kit.lab, reference, wrong)]


def _ceilings(kit: Kit, kept: Kept, lazy: list[Sample], seed: int, console: Console) -> list[str]:
    graded: list[tuple[Sample, Result]] = []
    with GradingProgress(len(lazy), console, f"lazy programs of {kit.manifest.lab}") as progress:
        for sample, result in kept.grade("lazy", verdict_only=False)(kit, lazy, seed):
            progress.advance(result.verdict, sample.name)
            graded.append((sample, result))
    return list(above(kit.lab, graded))
