"""Grades a lab's sample submissions, several at a time, and describes each result."""

from collections.abc import Iterator, Sequence
from contextlib import closing

from grader.judging.judge.context import open_context
from grader.judging.kinds.run import grade_all
from grader.judging.sample.samples import Sample
from grader.model.errors import TooBusyError
from grader.model.manifest import Kit
from grader.model.result import PartResult, Result
from grader.model.verdict import Verdict
from grader.pages.presentation.parallelism_words import parallelism_words
from grader.people.checks.reachable_counters import counter_lines
from grader.sandbox.machine import cores


def grade_samples(
    kit: Kit,
    chosen: Sequence[Sample],
    seed: int,
    *,
    verdict_only: bool = True,
    clock: bool = True,
    bound: bool = False,
) -> Iterator[tuple[Sample, Result]]:
    """Yields each sample's result as it is ready; its points count unless `verdict_only`. Without a
    clock a verdict never rests on timing. `bound`: the points are an upper bound."""
    by_name = {sample.name: sample for sample in chosen}
    submissions = [sample.submission() for sample in chosen]
    with (
        open_context(
            kit, seed, cores(), verdict_only=verdict_only, clock=clock, bound=bound
        ) as context,
        closing(grade_all(context, submissions, cores())) as results,
    ):
        for submission, result in results:
            yield by_name[submission.student], result


def cannot_tell(sample: Sample, result: Result) -> str | None:
    """Why this machine cannot decide whether a sample is too slow; None if it can."""
    if sample.expected is Verdict.TOO_SLOW and (said := too_busy(result)):
        return f"{sample.path}: {said}"
    if (sample.expected, result.verdict) != (Verdict.TOO_SLOW, Verdict.ACCEPTED):
        return None
    for part in result.parts:
        found = part.parallelism
        if found and (found.value is None or found.decision == "undecided"):
            return f"{sample.path}: {part.function}: {found.flagged}"
        if part.timing and part.timing.decision == "undecided":
            return f"{sample.path}: {part.function}: {part.timing.flagged}"
    return None


def too_busy(result: Result) -> str | None:
    """Why the machine could not measure a submission; None if it was judged or failed otherwise."""
    if result.verdict is not Verdict.JUDGE_ERROR:
        return None
    texts = (entry.text for entry in result.diagnostics)
    return next((text for text in texts if text.startswith(TooBusyError.BEGINS)), None)


def told(sample: Sample, result: Result) -> str:
    """One sample's result in a few lines, to explain why it is not as expected."""
    lines = [f"{sample.path}: expected {sample.expected}, got {result.verdict}"]
    for part in result.parts:
        failure = f": {part.failure.test}: {part.failure.message}" if part.failure else ""
        timing = part.timing
        ratio = f", ratio {timing.low:.2f} to {timing.high:.2f}" if timing else ""
        lines.append(f"  {part.function}: {part.verdict}{ratio}{failure}")
        lines += [*_parallelism_lines(part), *counter_lines(part)]
    lines += [f"  {entry.phase}: {entry.text[:2000]}" for entry in result.diagnostics]
    return "\n".join(lines)


def _parallelism_lines(part: PartResult) -> list[str]:
    found = part.parallelism
    return [f"    parallelism: {parallelism_words(found)}"] if found else []
