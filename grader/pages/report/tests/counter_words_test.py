"""Counters as sentences, in every report."""

import io
from pathlib import Path

from rich.console import Console

from grader.model.lab import CounterThreshold, Lab
from grader.model.result import CounterResult, Result
from grader.model.verdict import Verdict
from grader.pages.presentation.counter_words import counter_words, got_text
from grader.pages.presentation.facts import split_points
from grader.pages.presentation.feedback import write_feedback
from grader.pages.presentation.tests.made_up_class import (
    LAB,
    counted_lab,
    counted_result,
    make_result,
)
from grader.pages.report.html import write_report
from grader.pages.report.terminal import print_student

ADVICE = "sum.cu:7: stores to c[] touch 32 sectors where 4 would do"
HOSTILE = "</code><script>alert(1)</script>"


def missed(advice: str = ADVICE) -> Result:
    return counted_result(0.125, "Add", advice)


def threshold_result(**keys: object) -> CounterResult:
    known: dict[str, object] = {
        **{"counter": "global_efficiency", "kernel": "*", "value": 0.125, "worst": "Add"},
        **{"at_least": 0.9, "points": 0, "max_points": 10, "why": "Be near", "advice": [ADVICE]},
    }
    return CounterResult.model_validate(known | keys)


def test_a_missed_threshold_says_what_was_counted_what_is_asked_and_what_to_do() -> None:
    words = counter_words(threshold_result(zero=0.5))
    assert words == (
        "global_efficiency: 0.125 in Add (share of the sectors moved by global accesses that was "
        "needed). All 10 points for at least 0.9, none for 0.5 or less; you have 0. Be near."
    )


def test_a_held_threshold_gives_no_advice() -> None:
    words = counter_words(threshold_result(value=1, points=10))
    assert words.endswith("All 10 points for at least 0.9; you have 10.")


def test_large_counts_are_whole_numbers_and_a_missing_value_is_not_zero() -> None:
    sectors = threshold_result(counter="global_load_sectors", value=16389, worst=None)
    assert got_text(sectors) == "16,389"
    assert got_text(threshold_result(value=None, worst=None)) == "nothing counted"


def test_points_are_split_into_answers_timing_and_counters() -> None:
    split = split_points(missed().parts[0], counted_lab())
    assert (split.tests, split.tests_max) == (20, 20)
    assert (split.counters, split.counters_max) == (0, 10)
    wrong = make_result("s", Verdict.WRONG_ANSWER, Verdict.ACCEPTED)
    split = split_points(wrong.parts[0], counted_lab())
    assert (split.counters, split.counters_max) == (0, 10)


def test_the_students_feedback_holds_the_threshold_and_the_simulators_advice(
    tmp_path: Path,
) -> None:
    text = write_feedback(missed(), counted_lab(), tmp_path).read_text(encoding="utf-8")
    assert "What is counted in your program:" in text
    assert "at least 0.9" in text
    assert r"stores to c\[\] touch 32 sectors where 4 would do" in text


def test_the_page_shows_counters_in_a_table_and_hostile_advice_as_text(tmp_path: Path) -> None:
    page = write_report([missed(HOSTILE)], counted_lab(), tmp_path).read_text(encoding="utf-8")
    assert "<h4>Counters: 0 of 10 points" in page
    assert "<td>0.125 in Add</td><td>at least 0.9</td>" in page
    assert "&lt;script&gt;alert(1)" in page
    assert "<script>alert" not in page


def test_the_terminal_shows_counters_with_advice() -> None:
    out = io.StringIO()
    print_student(missed(), counted_lab(), Console(file=out, width=200))
    assert "global_efficiency: 0.125 in Add" in out.getvalue()
    assert ADVICE in out.getvalue()


def test_a_lab_without_counters_looks_as_before(tmp_path: Path) -> None:
    plain = make_result("s", Verdict.ACCEPTED, Verdict.ACCEPTED)
    page = write_report([plain], LAB, tmp_path).read_text(encoding="utf-8")
    assert "<h4>Counters" not in page


def test_made_up_counters_fit_the_model() -> None:
    lab: Lab = counted_lab()
    assert isinstance(lab.parts[0].counters[0], CounterThreshold)
    assert lab.max_points == 100
