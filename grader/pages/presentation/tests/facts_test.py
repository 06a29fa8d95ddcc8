"""Facts derived from a result: whether it is final, how its points split, its flags."""

import pytest

from grader.model.verdict import Verdict
from grader.pages.presentation.facts import diagnostics_for_student, flags, is_graded, split_points
from grader.pages.presentation.tests.made_up_class import LAB, make_result


def test_takes_points_as_not_final_when_any_part_was_not_judged() -> None:
    result = make_result("student01", Verdict.WRONG_ANSWER, Verdict.JUDGE_ERROR)
    assert result.verdict is Verdict.WRONG_ANSWER
    assert not is_graded(result)


def test_takes_every_other_verdict_as_final() -> None:
    for verdict in set(Verdict) - {Verdict.JUDGE_ERROR, Verdict.NOT_GRADED}:
        assert is_graded(make_result("student01", verdict, Verdict.ACCEPTED))


def test_splits_points_into_right_answers_and_timing() -> None:
    part = make_result("student01", Verdict.TOO_SLOW, Verdict.ACCEPTED).parts[0]
    split = split_points(part, LAB)
    assert (split.tests, split.tests_max, split.timing, split.timing_max) == (30, 30, 0, 20)


def test_knows_the_timing_points_of_a_part_that_was_not_timed() -> None:
    part = make_result("student01", Verdict.WRONG_ANSWER, Verdict.ACCEPTED).parts[0]
    split = split_points(part, LAB)
    assert (split.tests, split.tests_max, split.timing, split.timing_max) == (0, 30, 0, 20)


@pytest.mark.parametrize("verdict", [Verdict.JUDGE_ERROR, Verdict.TAMPERING])
def test_flags_what_an_instructor_should_look_at(verdict: Verdict) -> None:
    assert any(flags(make_result("student01", verdict, Verdict.WRONG_ANSWER)))


def test_flags_an_undecided_timing_with_its_part() -> None:
    result = make_result("student01", Verdict.TOO_SLOW, Verdict.WRONG_ANSWER)
    assert result.parts[0].timing is not None
    assert not list(flags(result))
    result.parts[0].timing.flagged = "undecided after 60 pairs"
    assert list(flags(result)) == ["Partial sums: undecided after 60 pairs"]


def test_keeps_the_graders_own_log_from_the_student() -> None:
    result = make_result("student01", Verdict.JUDGE_ERROR, Verdict.ACCEPTED)
    assert result.diagnostics
    assert not diagnostics_for_student(result, LAB)
