"""What pages and terminals say of a submission on its way: one wording for all of them."""

import math

from grader.model.result import Result
from grader.model.verdict import Verdict
from grader.pages.presentation.facts import is_graded
from grader.pages.presentation.text import one_line
from grader.pages.presentation.words import PHASES, WORDS, points_text, result_words

SHOWN = {
    "verdict": "the verdict of each part, but not which one failed",
    "cases": "the first one that failed, its input's size and seed, but no values",
    "all": "the first one that failed, with the first wrong value beside the right one",
}
"""What is shown of hidden tests, by the names that course.toml has for it."""


def waiting_words(position: int, estimate_s: float | None, *, is_paused: bool = False) -> str:
    """A place in the queue: `Waiting: number 3 in the queue, about 2 min until the verdict.`"""
    place = "next in the queue" if position <= 1 else f"number {position} in the queue"
    if is_paused:
        return f"Waiting: {place}. Grading is paused; the place is kept."
    left = "" if estimate_s is None else f", {about(estimate_s)} until the verdict"
    return f"Waiting: {place}{left}."


def grading_words(phase: str) -> str:
    """What the grader does now."""
    words = PHASES.get(phase, one_line(phase))
    return f"Being graded: {words[:1].lower()}{words[1:]}." if words else "Being graded."


def verdict_words(result: Result) -> str:
    """Points and verdict: `85 of 100 points: data race.`"""
    label = result_words(result).label
    if not is_graded(result):
        return WORDS[Verdict.JUDGE_ERROR].happened
    return f"{points_text(result.points)} of {points_text(result.max_points)} points: {label}."


def about(seconds: float) -> str:
    """An estimate no more exact than it is: `about 40 s`, `about 3 min`, `about 1 h 20 min`."""
    if seconds < 55:
        return f"about {max(10, 10 * math.ceil(seconds / 10))} s"
    minutes = math.ceil(seconds / 60)
    if minutes < 60:
        return f"about {minutes} min"
    hours, minutes = divmod(10 * math.ceil(minutes / 10), 60)
    return f"about {hours} h" + (f" {minutes} min" if minutes else "")
