"""Grades a lab's sample submissions, many at a time, and says what each got."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing

from grader.checks.counters import counter_lines
from grader.judge.bench import open_bench
from grader.judge.run import grade_all
from grader.model.manifest import Kit
from grader.model.result import Result
from grader.run.machine import cores
from grader.sample.samples import Sample


def grade_samples(kit: Kit, chosen: Sequence[Sample], seed: int) -> Iterator[tuple[Sample, Result]]:
    """Yields each sample's result as it is ready; only its verdict counts."""
    by_name = {sample.name: sample for sample in chosen}
    submissions = [sample.submission() for sample in chosen]
    with (
        open_bench(kit, seed, cores(), verdict_only=True) as bench,
        closing(grade_all(bench, submissions, cores())) as results,
    ):
        for submission, result in results:
            yield by_name[submission.student], result


def told(sample: Sample, result: Result) -> str:
    """One sample's result in a few lines, for whoever must find out why it is not as expected."""
    lines = [f"{sample.path}: expected {sample.expected}, got {result.verdict}"]
    for part in result.parts:
        failure = f": {part.failure.test}: {part.failure.message}" if part.failure else ""
        timing = part.timing
        ratio = f", ratio {timing.low:.2f} to {timing.high:.2f}" if timing else ""
        lines.append(f"  {part.function}: {part.verdict}{ratio}{failure}")
        lines += counter_lines(part)
    lines += [f"  {entry.phase}: {entry.text[:2000]}" for entry in result.diagnostics]
    return "\n".join(lines)
