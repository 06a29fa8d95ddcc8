"""Grades one submission, from its file to its result."""

import tempfile
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Protocol

from common.lab.text_policy.policy import check_source
from grader.judging.collect.submission import Submission
from grader.judging.compile.build import Workspace
from grader.judging.compile.kit_rules import rules_of
from grader.judging.judge.builds import policy_broken
from grader.judging.judge.context import GradingContext
from grader.judging.judge.evidence import own_paths
from grader.judging.judge.phases import Phases
from grader.model.errors import JudgeError
from grader.model.manifest import Kit
from grader.model.result import Diagnostic, PartResult, Result
from grader.model.verdict import Verdict


class Grading(Protocol):
    """One submission while it is graded, in the way of its assignment's kind."""

    seconds: dict[str, float]
    """Wall time by what was done."""

    @property
    def diagnostics(self) -> Sequence[Diagnostic]: ...

    @property
    def lost(self) -> set[str]:
        """What the jails could not protect against."""

    def run(self) -> tuple[Verdict, list[PartResult]]:
        """The verdict and every part's result; no results where no part was tested."""


Start = Callable[[GradingContext, Workspace, str, Callable[[str], None]], Grading]
"""Of a context, the submission's folders, the key of its inputs, and what is told what is done."""


def grade(context: GradingContext, submission: Submission, start: Start = Phases) -> Result:
    """Grades one submission; JudgeError if the grader failed, never for the student's code."""
    problem = submission.problem
    if problem and problem.verdict is Verdict.JUDGE_ERROR:
        raise JudgeError(problem.text)
    if problem:
        found = Diagnostic(phase="handed_in", text=problem.text)
        broken = problem.verdict is Verdict.POLICY
        why = policy_broken([problem.text]) if broken else found
        return refused(context, submission, problem.verdict, why)
    source = submission.read()
    problems = check_source(source, rules_of(context.kit))
    if problems:
        return refused(context, submission, Verdict.POLICY, policy_broken(problems))
    try:
        with tempfile.TemporaryDirectory(dir=context.folder) as folder:
            work = Workspace(Path(folder), context.kit, source, context.headers)
            tell = partial(context.on_phase, submission.digest)
            grading = start(context, work, context.key_for(submission.digest), tell)
            verdict, parts = grading.run()
    except OSError as error:
        raise JudgeError(f"cannot work in {context.folder}: {error}") from error
    update = {
        "diagnostics": [_own_lines(entry) for entry in grading.diagnostics],
        "seconds": grading.seconds,
        "protections_lost": sorted(grading.lost),
    }
    return result_of(
        context, submission, verdict, parts or _nothing(context.kit, verdict)
    ).model_copy(update=update)


def judge_error(context: GradingContext, submission: Submission, text: str) -> Result:
    """The record of the grader's own failure, which neither gives nor takes points."""
    verdict = Verdict.JUDGE_ERROR
    diagnostic = Diagnostic(phase="judge", text=text)
    return refused(context, submission, verdict, diagnostic)


def refused(
    context: GradingContext, submission: Submission, verdict: Verdict, why: Diagnostic
) -> Result:
    """The result of what cannot be graded: no points in any part."""
    result = result_of(context, submission, verdict, _nothing(context.kit, verdict))
    return result.model_copy(update={"diagnostics": [why]})


def _nothing(kit: Kit, verdict: Verdict) -> list[PartResult]:
    return [
        PartResult(
            function=part.function,
            title=part.title,
            verdict=verdict,
            points=0,
            max_points=part.max_points,
        )
        for part in kit.lab.parts
    ]


def result_of(
    context: GradingContext, submission: Submission, verdict: Verdict, parts: list[PartResult]
) -> Result:
    """The result with these parts."""
    return Result(
        lab=context.kit.manifest.lab,
        student=submission.student,
        source=submission.source,
        key=context.key(submission),
        verdict=verdict,
        points=round(sum(part.points for part in parts), 2),
        max_points=context.kit.lab.max_points,
        parts=parts,
        graded_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _own_lines(diagnostic: Diagnostic) -> Diagnostic:
    return diagnostic.model_copy(update={"text": own_paths(diagnostic.text)})
