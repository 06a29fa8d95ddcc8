"""What is said of a submission on its way, and how times and spans are shown."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from grader.model.verdict import Verdict
from grader.pages.presentation.tests.made_up_class import make_result
from grader.service.web.templating import moment, render
from grader.service.web.words import about, grading_words, verdict_words, waiting_words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "about 10 s"),
        (31, "about 40 s"),
        (60, "about 1 min"),
        (61, "about 2 min"),
        (3540, "about 59 min"),
        (3541, "about 1 h"),
        (4000, "about 1 h 10 min"),
    ],
)
def test_an_estimate_is_no_more_exact_than_it_is(seconds: float, words: str) -> None:
    assert about(seconds) == words


def test_says_the_place_and_leaves_out_an_unknown_estimate() -> None:
    assert waiting_words(1, None) == "Waiting: next in the queue."
    assert waiting_words(3, 90) == "Waiting: number 3 in the queue, about 2 min until the verdict."


def test_promises_no_time_while_grading_is_paused() -> None:
    words = waiting_words(2, 90, is_paused=True)
    assert words == "Waiting: number 2 in the queue. Grading is paused; the place is kept."


def test_names_a_phase_in_the_words_of_the_reports() -> None:
    assert grading_words("races") == "Being graded: race checker."
    assert grading_words("") == "Being graded."


def test_gives_no_points_for_what_was_not_judged() -> None:
    right = make_result("a", Verdict.ACCEPTED, Verdict.DATA_RACE)
    assert verdict_words(right).endswith("of 100 points: data race.")
    ours = make_result("a", Verdict.JUDGE_ERROR, Verdict.ACCEPTED)
    assert "points:" not in verdict_words(ours)


def test_a_time_names_its_zone_and_can_be_read_by_a_program() -> None:
    at = datetime(2026, 10, 23, 21, 59, 59, tzinfo=UTC)
    shown = moment(at, ZoneInfo("Europe/Berlin"))
    assert "Fri 23 Oct, 23:59 CEST" in shown
    assert 'datetime="2026-10-23T21:59:59+00:00"' in shown


def test_a_refusal_is_escaped_and_ends_with_a_full_stop() -> None:
    values = {"course": "C & D", "viewer": None, "here": "", "heading": "No", "back": "/"}
    page = render("error.html.j2", error="no lab is named <b>", next="look at the list", **values)
    assert "No lab is named &lt;b&gt;." in page
    assert "Look at the list." in page
    assert "C &amp; D" in page
    assert "<b>" not in page
