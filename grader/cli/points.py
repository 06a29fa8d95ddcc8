"""`points`: what each accepted, slow and lazy sample of a lab earns, as a table for its note."""

import secrets
from fnmatch import fnmatchcase
from pathlib import Path

from rich.console import Console

from grader.cli.kits import find_kit
from grader.cli.places import sample_root
from grader.judging.sample.samples import Sample, lazy_samples, samples
from grader.model.errors import GraderError
from grader.model.files import replacing
from grader.model.result import PartResult, Result
from grader.model.verdict import Verdict
from grader.pages.presentation.counter_words import value_text
from grader.pages.presentation.words import points_text
from grader.pages.report.progress import GradingProgress
from grader.people.checks.verdicts import grade_samples

_SHOWN = frozenset({Verdict.ACCEPTED, Verdict.TOO_SLOW})


def print_points(
    lab: str, given: Path | None, seed: int | None, only: str, out: Path | None
) -> list[Result]:
    """Grades the samples whose names match `only` in full; prints Markdown, results go to `out`.

    Returns the results in the order of the table, each under its sample's name.
    """
    kit = find_kit(lab, given)
    folder = sample_root() / kit.manifest.lab
    right = [sample for sample in samples(folder) if sample.expected in _SHOWN]
    chosen = [s for s in right + lazy_samples(folder) if fnmatchcase(s.name, only)]
    if not chosen:
        raise GraderError(f"--only {only}: no sample of {lab} has such a name", "see solutions")
    seed = secrets.randbits(31) if seed is None else seed
    results: dict[str, Result] = {}
    console = Console(stderr=True)
    with GradingProgress(len(chosen), console, f"samples of {kit.manifest.lab}") as progress:
        for sample, result in grade_samples(kit, chosen, seed, verdict_only=False):
            progress.advance(result.verdict, sample.name)
            results[sample.name] = result
    titles = [part.function for part in kit.lab.parts]
    print(_row(["Program", "Points", *titles]))
    print(_row(["---", "---:", *("---:" for _ in titles)]))
    for sample in chosen:
        print(_row(_cells(sample, results[sample.name])))
    if out:
        with replacing(out) as file:
            for result in results.values():
                file.write(result.model_dump_json() + "\n")
    return [results[sample.name] for sample in chosen]


def _cells(sample: Sample, result: Result) -> list[str]:
    return [sample.name, points_text(result.points), *map(_part, result.parts)]


def _part(part: PartResult) -> str:
    """Points, and in brackets the parallelism where it was measured: "12.5 (3.4)"."""
    if part.verdict not in _SHOWN:
        return f"{points_text(part.points)} {part.verdict}"
    value = part.parallelism.value if part.parallelism else None
    return points_text(part.points) + (f" ({value_text(value)})" if value is not None else "")


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
