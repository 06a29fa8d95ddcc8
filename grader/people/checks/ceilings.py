"""Ceilings: the most points that right programs without the parallel work may earn."""

from collections.abc import Iterable, Iterator, Sequence

from grader.judging.sample.samples import Sample
from grader.model.lab import Lab
from grader.model.result import Result
from grader.model.share import points_by_noise
from grader.model.verdict import Verdict

_RIGHT = frozenset({Verdict.ACCEPTED, Verdict.TOO_SLOW, Verdict.POLICY})


def unstated(lab: Lab, lazy: Sequence[Sample]) -> Iterator[str]:
    """Lines on lazy samples without a ceiling, and ceilings without a sample."""
    there = {sample.path.stem: sample for sample in lazy}
    required = lab.usual_ceilings
    for name, sample in there.items():
        if name not in lab.ceilings:
            yield f"{sample.path}: no ceiling\n  next: give {name} one in lab.toml's [ceilings]"
    for name, ceiling in lab.ceilings.items():
        if name not in there:
            yield f"lab.toml: ceilings.{name}: no sample\n  next: add lazy/{name}"
        usual = required.get(name, max(required.values(), default=0))
        if ceiling.most > usual and not ceiling.why:
            yield (
                f"lab.toml: ceilings.{name}: {ceiling.most:g}, limit {usual:g}\n"
                "  next: lower it, or write { most = ..., why = ... }"
            )


def needs_clock(lab: Lab, lazy: Sample) -> bool:
    """Whether only a clock proves that the program stays below its ceiling."""
    ceiling = lab.ceilings.get(lazy.path.stem)
    return ceiling is not None and ceiling.clock


def _without_noise(lab: Lab, result: Result) -> float:
    by_function = {part.function: part for part in lab.parts}
    return result.points - sum(
        points_by_noise(part, by_function[part.function])
        for part in result.parts
        if part.function in by_function
    )


def above(lab: Lab, graded: Iterable[tuple[Sample, Result]]) -> Iterator[str]:
    """Lines on lazy samples that earn more than their ceiling, give wrong answers, or were not
    judged. What is undecided counts at its worse end, which noise cannot raise."""
    for sample, result in graded:
        if result.verdict is Verdict.JUDGE_ERROR:
            yield f"{sample.path}: not judged: {result.diagnostics[0].text}"
            continue
        ceiling = lab.ceilings.get(sample.path.stem)
        points = _without_noise(lab, result)
        if ceiling and points > ceiling.most:
            yield f"{sample.path}: {points:g} points, limit {ceiling.most:g}"
        for part in result.parts:
            if part.verdict not in _RIGHT:
                said = f": {part.failure.message}" if part.failure else ""
                yield (
                    f"{sample.path}: {part.function}: {part.verdict}{said}\n"
                    "  next: correct the sample"
                )
