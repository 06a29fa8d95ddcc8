"""Counts over a class."""

import math

from grader.model.verdict import Verdict
from grader.pages.presentation.tests.made_up_class import LAB, made_up_class, make_result
from grader.pages.report.summary import ClassSummary


def _summary(*results: object) -> ClassSummary:
    summary = ClassSummary(LAB)
    for result in results:
        summary.add(result)  # type: ignore[arg-type]
    return summary


def test_counts_every_verdict_in_the_order_of_the_enum() -> None:
    summary = _summary(*made_up_class(len(Verdict)))
    assert summary.counted_verdicts() == [(verdict, 1) for verdict in Verdict]


def test_leaves_who_was_not_judged_out_of_mean_and_median() -> None:
    wrong = make_result("student01", Verdict.COMPILE_ERROR, Verdict.COMPILE_ERROR)
    ours = make_result("student02", Verdict.JUDGE_ERROR, Verdict.ACCEPTED)
    summary = _summary(wrong, ours)
    assert (summary.mean, summary.median, summary.not_graded) == (0, 0, 1)


def test_has_no_mean_of_an_empty_class() -> None:
    assert (_summary().mean, _summary().median) == (None, None)


def test_counts_a_slow_but_right_part_among_the_right_answers() -> None:
    summary = _summary(make_result("student01", Verdict.TOO_SLOW, Verdict.WRONG_ANSWER))
    assert summary.parts["SumPartial"].right == 1
    assert summary.parts["SumQueue"].right == 0
    assert summary.parts["SumQueue"].commonest_mistake == (Verdict.WRONG_ANSWER, 1)


def test_keeps_ratios_that_are_no_numbers_out_of_the_plot() -> None:
    result = make_result("student01", Verdict.TOO_SLOW, Verdict.WRONG_ANSWER)
    assert result.parts[0].timing is not None
    result.parts[0].timing.high = math.inf
    assert _summary(result).parts["SumPartial"].ratios == []


def test_counts_a_lost_protection_once_per_submission() -> None:
    result = make_result("student01", Verdict.ACCEPTED, Verdict.ACCEPTED)
    result.protections_lost = ["no cgroup", "no cgroup"]
    assert _summary(result, result).protections["no cgroup"] == 2
