"""Results of a made-up class, for tests of the store."""

from grader.model.result import Diagnostic, Key, Result
from grader.model.verdict import Verdict


def result(student: str = "student01", digest: str = "d1", points: float = 50) -> Result:
    return Result(
        lab="fake_sum",
        student=student,
        source=f"/class/{student}/sum.cc",
        key=Key(kit="k", submission=digest, seed=1, machine="m"),
        verdict=Verdict.WRONG_ANSWER,
        points=points,
        max_points=100,
        diagnostics=[Diagnostic(phase="tests", text="expected 1 ☃\n\0got 2")],
    )


def judge_error(digest: str = "d1") -> Result:
    return result(digest=digest).model_copy(update={"verdict": Verdict.JUDGE_ERROR, "points": 0})


def who(*students: str) -> list[tuple[str, str]]:
    return [(student, f"/class/{student}/sum.cc") for student in students]
