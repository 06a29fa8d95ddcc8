"""Every verdict has its sentences, and a stub has its own."""

import pytest

from grader.model.result import Failure
from grader.model.verdict import Verdict
from grader.pages.presentation.tests.made_up_class import make_result
from grader.pages.presentation.words import (
    NOT_ALL_POINTS,
    NOT_AS_ASKED,
    NOT_WRITTEN,
    WORDS,
    Words,
    points_text,
    ratio_text,
    result_words,
    timing_words,
)


@pytest.mark.parametrize("verdict", list(Verdict))
def test_tells_what_happened_and_what_to_do_next_for_every_verdict(verdict: Verdict) -> None:
    words = WORDS[verdict]
    for sentence in (words.happened, words.next_step):
        assert sentence[0].isupper()
        assert sentence.endswith(".")


def test_gives_every_verdict_a_label_of_its_own() -> None:
    assert len({words.label for words in WORDS.values()}) == len(Verdict)


def test_says_that_a_judge_error_is_not_the_students_fault() -> None:
    assert "not the fault of your code" in WORDS[Verdict.JUDGE_ERROR].happened


def test_tells_an_untouched_stub_from_a_wrong_answer() -> None:
    result = make_result("student01", Verdict.WRONG_ANSWER, Verdict.ACCEPTED)
    assert result_words(result) is WORDS[Verdict.WRONG_ANSWER]
    stub = "sum.cc: SumPartial (line 12) is not written yet: replace LAB_NOT_WRITTEN()"
    result.parts[0].failure = Failure(test="SumPartialTest.X", message=stub)
    assert result_words(result) is WORDS[Verdict.WRONG_ANSWER]
    result.parts[0].failure = Failure(test="SumPartialTest.X", message=stub, not_written=True)
    assert result_words(result) is NOT_WRITTEN


def test_does_not_say_that_a_file_was_refused_when_one_part_of_it_was() -> None:
    result = make_result("student01", Verdict.POLICY, Verdict.ACCEPTED)
    result.parts[0].tests_total = 11
    assert result_words(result) is NOT_AS_ASKED
    result.parts[0].tests_total = 0
    assert result_words(result) is WORDS[Verdict.POLICY]


def test_does_not_say_that_nothing_is_to_fix_where_points_are_missing() -> None:
    result = make_result("student01", Verdict.ACCEPTED, Verdict.ACCEPTED)
    result.points = result.max_points
    assert result_words(result) is WORDS[Verdict.ACCEPTED]
    result.points -= 0.5
    assert result_words(result) is NOT_ALL_POINTS


def test_does_not_say_that_all_answers_were_right_where_a_later_part_has_a_race() -> None:
    result = make_result("student01", Verdict.TOO_SLOW, Verdict.DATA_RACE)
    assert "Your code" not in result_words(result).happened
    assert result_words(result).happened.startswith("A function gave the right answer")


def _found(verdict: Verdict, message: str) -> Words:
    result = make_result("student01", verdict, Verdict.ACCEPTED)
    result.parts[0].failure = Failure(test="SumTest.X", message=message)
    return result_words(result)


@pytest.mark.parametrize("kind", ["warp_invalid_mask", "warp_divergence", "warp_undefined_lane"])
def test_says_nothing_of_barriers_where_a_mask_or_lane_is_wrong(kind: str) -> None:
    words = _found(Verdict.BARRIER_DIVERGENCE, f"{kind}: kernel K, sum.cu:7: __shfl_sync() …")
    assert "barrier" not in f"{words.label} {words.sentence}"
    assert "mask" in words.next_step


@pytest.mark.parametrize(
    ("verdict", "kind", "word"),
    [
        (Verdict.OUT_OF_BOUNDS, "misaligned", "multiple of its size"),
        (Verdict.OUT_OF_BOUNDS, "host_pointer", "by value"),
        (Verdict.OUT_OF_BOUNDS, "device_pointer_on_host", "cudaMemcpy()"),
        (Verdict.DATA_RACE, "missing_synchronisation", "cudaStreamSynchronize()"),
        (Verdict.RUNTIME_ERROR, "assertion", "the same report"),
    ],
)
def test_fits_the_next_step_to_what_the_simulator_found(
    verdict: Verdict, kind: str, word: str
) -> None:
    words = _found(verdict, f"{kind}: kernel K, sum.cu:7: and so on")
    assert words.label == WORDS[verdict].label
    assert word in words.sentence
    assert "exit" not in words.sentence


def test_keeps_the_verdicts_words_for_other_findings_and_deaths() -> None:
    race = _found(Verdict.DATA_RACE, "data_race: kernel K, sum.cu:7: write of shared memory …")
    assert race is WORDS[Verdict.DATA_RACE]
    death = _found(Verdict.RUNTIME_ERROR, "the program died of SIGSEGV inside Sum: null pointer")
    assert death is WORDS[Verdict.RUNTIME_ERROR]


@pytest.mark.parametrize(("points", "text"), [(30.0, "30"), (27.456, "27.46"), (0.0, "0")])
def test_writes_points_without_needless_digits(points: float, text: str) -> None:
    assert points_text(points) == text


@pytest.mark.parametrize(("ratio", "text"), [(0.951, "0.95"), (12.34, "12.3"), (140.2, "140")])
def test_writes_ratios_to_three_digits(ratio: float, text: str) -> None:
    assert ratio_text(ratio) == text


def test_states_interval_thresholds_and_points_of_a_timing() -> None:
    timing = make_result("student01", Verdict.TOO_SLOW, Verdict.ACCEPTED).parts[0].timing
    assert timing is not None
    words = timing_words(timing)
    facts = "6.80 times", "6.20 to 7.50", "up to a ratio of 1.5", "none from 4;", "you have 0."
    for fact in facts:
        assert fact in words
