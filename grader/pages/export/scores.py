"""What a gradebook gets: points for each student, from a lab's results or from elsewhere."""

from collections.abc import Iterable
from dataclasses import dataclass

from grader.model.lab import Lab
from grader.model.result import Result
from grader.model.verdict import Verdict
from grader.pages.presentation.facts import is_graded


@dataclass(frozen=True)
class Score:
    """One student's points."""

    student: str
    points: float | None
    """None if they are not final."""
    source: str = ""
    """The handed-in file as it was found; its name may hold the platform's number."""
    waiting: bool = False
    """Whether it was found, but not graded."""
    not_marked: bool = False
    """Whether a human marker's points are missing."""


@dataclass(frozen=True)
class Scores:
    """The scores of one column, read once."""

    title: str
    """The column's, where nobody names one."""
    max_points: float
    each: Iterable[Score]


def scores_of(results: Iterable[Result], lab: Lab) -> Scores:
    """The results' points, as they are graded."""
    each = (
        Score(
            result.student,
            result.points if is_graded(result) else None,
            result.source,
            result.verdict is Verdict.NOT_GRADED,
        )
        for result in results
    )
    return Scores(lab.title, lab.max_points, each)
