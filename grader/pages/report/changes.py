"""How a student's result differs from the one that it replaced."""

from dataclasses import dataclass

from grader.model.result import Result
from grader.pages.presentation.facts import is_graded
from grader.pages.presentation.words import points_text, result_words


@dataclass(frozen=True)
class Change:
    """Points and verdict before and now, as text, and what else is different."""

    before_text: str
    now_text: str
    gain: float
    why: str


def change(before: Result, now: Result) -> Change | None:
    """None unless points or verdict changed; a result that is not final has no points."""
    texts = _text(before), _text(now)
    if texts[0] == texts[1]:
        return None
    both = is_graded(before) and is_graded(now)
    return Change(*texts, now.points - before.points if both else 0, _why(before, now))


def _text(result: Result) -> str:
    label = result_words(result).label
    return f"{points_text(result.points)} points, {label}" if is_graded(result) else label


def _why(before: Result, now: Result) -> str:
    old, new = before.key, now.key
    differs = {
        "another file": old.submission != new.submission,
        "other tests or thresholds (kit)": old.kit != new.kit,
        "another seed": old.seed != new.seed,
        "another kind of machine": old.machine != new.machine,
    }
    return ", ".join(what for what, is_so in differs.items() if is_so) or "graded again"
