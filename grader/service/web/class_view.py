"""A class in one lab as its page shows it: figures, verdicts, failures, and the curve's drawing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from grader.model.lab import Lab
from grader.model.result import Result
from grader.model.verdict import Verdict
from grader.pages.presentation.words import WORDS
from grader.pages.report.failures import Failures, Problem
from grader.pages.report.html import Known, write_report
from grader.pages.report.summary import ClassSummary
from grader.pages.report.templating import script
from grader.service.standing import Point, thinned

WIDTH, HEIGHT = 600, 140
"""Of the drawing of a curve."""
_MOST_POINTS = 300
_MOST_ROWS = 24
_MOST_PROBLEMS = 8


@dataclass(frozen=True)
class Curve:
    """A count over time, as points of an SVG polyline."""

    title: str
    line: str
    last: int


@dataclass(frozen=True)
class ClassView:
    """One lab's class."""

    title: str
    curves: list[Curve]
    first: datetime | None
    last: datetime | None
    deadline_x: float | None
    """Where the deadline is in the drawing; None where it is not between first and last."""
    rows: list[Point]
    """The curves' points for their table."""
    summary: ClassSummary
    verdicts: list[tuple[Verdict, str, int]]
    problems: list[Problem]


def class_view(
    lab: Lab, points: Sequence[Point], results: Iterable[Result], deadline: datetime | None
) -> ClassView:
    """`results`: of the submissions that count; `deadline`: without extensions."""
    summary, failures = ClassSummary(lab), Failures(lab)
    for result in results:
        summary.add(result)
        failures.add(result, "")
    verdicts = [(v, WORDS[v].label, count) for v, count in summary.counted_verdicts()]
    shown = thinned(list(points), _MOST_POINTS)
    return ClassView(
        lab.title,
        [
            Curve("Submissions", _line(shown, [p.submissions for p in shown]), len(points)),
            Curve("Teams with all points", _line(shown, [p.full for p in shown]), _full(points)),
        ],
        points[0].at if points else None,
        points[-1].at if points else None,
        _place(points, deadline),
        thinned(list(points), _MOST_ROWS),
        summary,
        verdicts,
        failures.commonest()[:_MOST_PROBLEMS],
    )


def _place(points: Sequence[Point], at: datetime | None) -> float | None:
    if at is None or not points or not points[0].at < at < points[-1].at:
        return None
    return round(WIDTH * ((at - points[0].at) / (points[-1].at - points[0].at)), 1)


def _full(points: Sequence[Point]) -> int:
    return points[-1].full if points else 0


def _line(points: Sequence[Point], counts: Sequence[int]) -> str:
    """Steps from the first instant to the last, as high as the last count."""
    if not points:
        return ""
    first, most = points[0].at, max(1, counts[-1])
    span = (points[-1].at - first).total_seconds() or 1.0
    places, height = [], float(HEIGHT)
    for point, count in zip(points, counts, strict=True):
        x = WIDTH * (point.at - first).total_seconds() / span
        places.append(f"{x:.1f},{height:.1f}")
        height = HEIGHT * (1 - count / most)
        places.append(f"{x:.1f},{height:.1f}")
    return " ".join([*places, f"{WIDTH},{height:.1f}"])


def report_of(lab: Lab, results: Iterable[Result], roster: Sequence[str]) -> tuple[str, str]:
    """The class's page as `report` writes it, and the hash of its script."""
    with TemporaryDirectory(prefix="grader-class-") as folder:
        page = write_report(results, lab, Path(folder), Known(roster or None))
        return page.read_text(encoding="utf-8"), script("report")[1]
