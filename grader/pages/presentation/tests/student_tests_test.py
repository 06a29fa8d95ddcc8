"""What is said of a file of tests, whose verdicts mean something else than a program's."""

import pytest

from grader.model.lab import Lab, Part
from grader.model.result import Failure, Key, PartResult, Result
from grader.model.verdict import Verdict
from grader.pages.presentation.derivation import derive
from grader.pages.presentation.words import part_words, result_words

LAB = Lab(
    title="Sum: tests",
    file="my_test.cc",
    model="cpu",
    parts=[Part(function="Sum", title="Sum", suite="SumTest", points=100)],
)


def graded(verdict: Verdict, points: float = 0, failure: Failure | None = None) -> Result:
    part = PartResult(
        function="Sum",
        title="Sum",
        of_kind="tests",
        verdict=verdict,
        points=points,
        max_points=100,
        tests_passed=7,
        tests_total=9,
        failure=failure,
    )
    return Result(
        lab="sum-tests",
        student="student07",
        source="my_test.cc",
        key=Key(kit="k", submission="s", seed=1, machine="m"),
        verdict=verdict,
        points=points,
        max_points=100,
        parts=[part],
    )


def test_a_test_that_fails_with_a_right_program_is_no_wrong_answer() -> None:
    assert result_words(graded(Verdict.WRONG_ANSWER)).label == "refuses a right program"


def test_a_part_without_a_test_is_no_stub() -> None:
    nothing = Failure(test="SumTest", message="no test ran", not_written=True)
    words = part_words(graded(Verdict.WRONG_ANSWER, failure=nothing).parts[0])
    assert words.happened == "Your file has no test of this part."


@pytest.mark.parametrize(("points", "said"), [(60.0, "miss faults"), (100.0, "every faulty one")])
def test_tests_that_pass_with_right_programs_are_told_whether_they_miss_faults(
    points: float, said: str
) -> None:
    assert said in result_words(graded(Verdict.ACCEPTED, points)).happened


def test_points_come_from_the_programs_that_were_judged_right() -> None:
    (part,) = derive(graded(Verdict.ACCEPTED, 60.0), LAB).parts
    assert [(row.points, row.why) for row in part.rows] == [(60, "7 of 9 cases passed")]
