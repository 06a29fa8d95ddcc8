"""The class's results as one HTML file for screen and print, without external resources."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from markupsafe import Markup

from grader.model.files import TextOut, make_folder, replacing, spooling
from grader.model.lab import Lab
from grader.model.result import PartResult, Result
from grader.model.verdict import Verdict
from grader.pages.presentation.facts import WHOLE_FILE, confidence, flags, is_graded, part_of, who
from grader.pages.presentation.text import cap, one_line
from grader.pages.presentation.words import Words, part_words, result_words
from grader.pages.report import charts
from grader.pages.report.attempts import Sign, signs
from grader.pages.report.changes import Change, change
from grader.pages.report.decisions import Decisions
from grader.pages.report.failures import Failures, Showing, showing
from grader.pages.report.gpu_figures import gpu_figures
from grader.pages.report.roster import attendance
from grader.pages.report.small_bars import bars_words, small_bars
from grader.pages.report.summary import ClassSummary
from grader.pages.report.templating import environment, own, script, style

_TEXT_LIMITS = ((8 * 2**20, 4000, 60), (16 * 2**20, 600, 8), (math.inf, 160, 2))
"""Page size below which these limits hold, then characters and lines of each text."""
_FIRST_PROBLEMS = 8
_MOST_PROBLEMS = 200


@dataclass(frozen=True)
class Known:
    """What a class page shows beside the results."""

    roster: Sequence[str] | None = None
    """Everyone who should have handed in."""
    before: Callable[[str], Result | None] = lambda _: None
    """The result that a student's present one replaced."""
    text: Callable[[str], str | None] = lambda _: None
    """What a student handed in."""


@dataclass(frozen=True)
class _Chart:
    title: str
    label: str
    svg: Markup


@dataclass(frozen=True)
class _Column:
    """One part's cells in one student's row."""

    part: PartResult | None
    words: Words | None
    timed: bool


@dataclass
class _Class:
    """What is gathered while the students are written."""

    summary: ClassSummary
    failures: Failures
    decisions: Decisions = field(default_factory=Decisions)
    changes: list[tuple[Showing, Change]] = field(default_factory=list)
    signs: list[tuple[Showing, Sign]] = field(default_factory=list)
    students: list[str] = field(default_factory=list)

    def add(self, result: Result, anchor: str, changed: Change | None) -> None:
        self.summary.add(result)
        self.failures.add(result, anchor)
        self.decisions.add(result, anchor)
        self.students.append(result.student)
        if changed:
            self.changes.append((showing(result, anchor), changed))


def write_report(results: Iterable[Result], lab: Lab, folder: Path, known: Known = Known()) -> Path:
    """Writes `folder/index.html` and returns it.

    Reads `results` once, in order, and keeps a few numbers of each. Replaces an older page only
    when the new one is complete. GraderError names a path that cannot be written.
    """
    page = make_folder(folder) / "index.html"
    gathered = _Class(ClassSummary(lab), Failures(lab))
    with replacing(page) as file, spooling() as (spool, spooled):
        _write_students(results, lab, known, gathered, spool)
        _write_page(file, spooled, lab, known, gathered)
    return page


def _write_students(
    results: Iterable[Result], lab: Lab, known: Known, gathered: _Class, spool: TextOut
) -> None:
    template = environment().get_template("student.html.j2")
    size = 0
    for number, result in enumerate(results, start=1):
        before = known.before(result.student)
        changed = change(before, result) if before else None
        gathered.add(result, f"s{number}", changed)
        found = signs(result, known.text(result.student))
        gathered.signs += [(showing(result, f"s{number}"), sign) for sign in found]
        html = template.render(_student(result, lab, f"s{number}", size), change=changed)
        size += len(html)
        spool.write(html)


def _student(result: Result, lab: Lab, anchor: str, page_size: int) -> dict[str, Any]:
    characters, lines = next((c, n) for size, c, n in _TEXT_LIMITS if page_size < size)
    parts = [(part_of(result, part.function), part) for part in lab.parts]
    levels = [confidence(lab, part.function) for part in result.parts]
    return {
        "result": result,
        "student": who(result) or "(no name)",
        "anchor": anchor,
        "graded": is_graded(result),
        "heading": result_words(result),
        "whole_file": result.verdict in WHOLE_FILE,
        "flags": [one_line(flag) for flag in flags(result)],
        "columns": [
            _Column(part, part_words(part) if part else None, planned.timing is not None)
            for part, planned in parts
        ],
        "width": 4 + sum(3 if part.timing else 2 for part in lab.parts),
        "levels": [f"{100 * level:g} %" if level else "" for level in levels],
        "cap": lambda text: cap(text, characters, lines),
    }


def _write_page(file: TextOut, students: IO[str], lab: Lab, known: Known, gathered: _Class) -> None:
    summary = gathered.summary
    code, digest = script("report")
    problems = gathered.failures.commonest()
    context = {
        "lab": lab,
        "summary": summary,
        "accepted": Verdict.ACCEPTED,
        "css": style("base", "report"),
        "script": code,
        "script_hash": digest,
        "histogram": _histogram(summary),
        "plots": _timing_plots(lab, summary),
        "bars": lambda part: own(small_bars(part.points, part.max_points)),
        "bars_words": bars_words,
        "gpu_figures": [(f, own(f.svg)) for f in gpu_figures(summary.parts.values())],
        "problems": problems[:_FIRST_PROBLEMS],
        "more_problems": problems[_FIRST_PROBLEMS:_MOST_PROBLEMS],
        "open_cases": gathered.decisions.open_cases(),
        "changes": gathered.changes,
        "signs": gathered.signs,
        "attendance": (
            None if known.roster is None else attendance(known.roster, gathered.students)
        ),
    }
    file.write(environment().get_template("report.html.j2").render(context))
    file.copy_from(students)
    file.write(environment().get_template("report_end.html.j2").render(context))


def _histogram(summary: ClassSummary) -> _Chart | None:
    if not summary.points:
        return None
    bins = charts.score_bins(summary.points, summary.max_points)
    step = summary.max_points / 10
    counts = ", ".join(f"{n} from {step * i:g}" for i, n in enumerate(bins[:10]) if n)
    label = f"Histogram of points: {counts or 'none below the top'}; {bins[10]} with all points."
    svg = charts.score_histogram(summary.points, summary.max_points)
    return _Chart("Points", label, own(svg))


def _timing_plots(lab: Lab, summary: ClassSummary) -> list[_Chart]:
    plots = []
    for number, part in enumerate(lab.parts):
        ratios = summary.parts[part.function].ratios
        timing = part.timing
        if timing is None or not ratios:
            continue
        fast = sum(interval.ratio <= timing.full for interval in ratios)
        slow = sum(interval.ratio >= timing.zero for interval in ratios)
        label = (
            f"Time divided by the reference's time for {len(ratios)} students: {fast} at or below "
            f"{timing.full:g}, {slow} at or above {timing.zero:g}, the others between."
        )
        svg = charts.timing_plot(ratios, timing.full, timing.zero, f"timing{number}")
        plots.append(_Chart(part.title, label, own(svg)))
    return plots
