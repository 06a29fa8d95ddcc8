"""The kind "hunt": from what was handed in to its result."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from grader.judging.collect.several import parted
from grader.judging.collect.submission import Submission
from grader.judging.compile.build import Workspace
from grader.judging.hunts.book import Hunt
from grader.judging.hunts.grading import HandedIn, Shown, grade_hunt
from grader.judging.hunts.kit import book_of, lab_kit, rules_of, tests_kit
from grader.judging.hunts.shows import Shows, one_text
from grader.judging.judge import grading
from grader.judging.judge.context import GradingContext
from grader.judging.judge.parts import overall
from grader.model.errors import JudgeError
from grader.model.kind import DIAGNOSIS, SHOWS_TEST
from grader.model.result import Diagnostic, Result
from grader.model.verdict import Verdict


def grade(context: GradingContext, submission: Submission) -> Result:
    """Grades one student's hunt; JudgeError if the grader failed, never for the student's code."""
    if submission.problem:
        return grading.grade(context, submission)
    kit = context.kit
    try:
        student, files = parted(submission.read())
    except ValueError as error:
        raise JudgeError(f"{submission.source} was not collected as a hunt: {error}") from error
    hunt = book_of(kit).hunt(student)
    if hunt is None:
        text = f"no hunt was drawn for {student}: the roster has other names"
        why = Diagnostic(phase="handed_in", text=text)
        return grading.refused(context, submission, Verdict.NOTHING_GRADABLE, why)
    handed_in = HandedIn(files[kit.manifest.file].decode(), files[DIAGNOSIS], files[SHOWS_TEST])
    told: list[Result] = []
    parts, diagnostics = grade_hunt(
        rules_of(kit),
        hunt,
        handed_in,
        partial(_judge, context, submission, told),
        partial(_show, context, submission, told, hunt),
    )
    result = grading.result_of(context, submission, overall(parts), parts)
    seconds: dict[str, float] = {}
    for each in told:
        seconds |= each.seconds
    lost = sorted({line for each in told for line in each.protections_lost})
    update = {"diagnostics": diagnostics, "seconds": seconds, "protections_lost": lost}
    return result.model_copy(update=update)


def _judge(
    context: GradingContext, submission: Submission, told: list[Result], program: str
) -> Result:
    """By the lab, without a clock: a small change of a right program is as fast."""
    kit = lab_kit(context.kit)
    file, data = kit.manifest.file, program.encode()
    inner = replace(context, kit=kit, verdict_only=True, clock=False)
    one = one_text(submission.student, submission.source, file, data)
    told.append(grading.grade(inner, one))
    return told[-1]


def _show(
    context: GradingContext,
    submission: Submission,
    told: list[Result],
    hunt: Hunt,
    tests: bytes,
    suites: Sequence[str],
) -> Sequence[Shown] | str:
    kit = tests_kit(context.kit)
    programs = [hunt.library, *(fault.library for fault in hunt.faults)]
    running: list[Shows] = []

    def start(
        context: GradingContext, work: Workspace, key: str, tell: Callable[[str], None]
    ) -> Shows:
        running.append(Shows(context, work, key, tell, suites, programs))
        return running[-1]

    one = one_text(submission.student, submission.source, SHOWS_TEST, tests)
    result = grading.grade(replace(context, kit=kit), one, start)
    told.append(result)
    if result.verdict is not Verdict.ACCEPTED:
        return "\n".join(entry.text for entry in result.diagnostics)
    verdicts = running[0].verdicts
    return [
        Shown(
            verdicts[suite, programs[0]] is Verdict.ACCEPTED,
            [_fails(verdicts.get((suite, name), Verdict.NOT_GRADED)) for name in programs[1:]],
        )
        for suite in suites
    ]


def _fails(verdict: Verdict) -> bool:
    return verdict not in (Verdict.ACCEPTED, Verdict.NOT_GRADED)
