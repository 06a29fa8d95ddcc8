"""The kinds of assignments: how what was handed in is graded, by the kit's manifest."""

from collections.abc import Mapping

from grader.judging.collect.submission import Submission
from grader.judging.hunts import run as hunts
from grader.judging.judge import grading
from grader.judging.judge.context import GradingContext
from grader.judging.judge.grading import Start
from grader.judging.judge.phases import Phases
from grader.judging.student_tests.grading import StudentTests
from grader.model import kind
from grader.model.result import Result

KINDS: Mapping[str, Start] = {kind.LAB: Phases, kind.TESTS: StudentTests}


def grade(context: GradingContext, submission: Submission) -> Result:
    """Grades one submission; JudgeError if the grader failed, never for the student's code."""
    if context.kit.manifest.kind == kind.HUNT:
        return hunts.grade(context, submission)
    return grading.grade(context, submission, KINDS[context.kit.manifest.kind])
