"""The class's results as one HTML file for screen and print, without external resources."""

from __future__ import annotations

import base64
import hashlib
import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from grader.model.lab import Lab
from grader.model.result import PartResult, Result, TimingResult
from grader.model.verdict import Verdict
from grader.presentation.counter_words import advice_lines, asked_text, got_text, meaning
from grader.presentation.facts import WHOLE_FILE, confidence, flags, is_graded, part_of
from grader.presentation.files import TextOut, make_folder, replacing, spooling
from grader.presentation.gpu_words import gpu_words
from grader.presentation.parallelism_words import parallelism_words
from grader.presentation.roofline import gpu_speeds
from grader.presentation.text import cap, clean, one_line
from grader.presentation.words import (
    DECISIONS,
    WORDS,
    Words,
    part_words,
    points_text,
    ratio_text,
    result_words,
)
from grader.report import charts
from grader.report.gpu_figures import gpu_figures
from grader.report.small_roofline import small_roofline
from grader.report.summary import ClassSummary

_TEMPLATES = Path(__file__).resolve().parent / "templates"
_TEXT_LIMITS = ((8 * 2**20, 4000, 60), (16 * 2**20, 600, 8), (math.inf, 160, 2))
"""Page size below which these limits hold, then characters and lines of each text."""

PHASES = {
    "policy": "Rules of the lab",
    "compile": "Compiler",
    "tests": "Tests",
    "races": "Race and memory checker",
    "counters": "Simulator: counters",
    "timing": "Timing",
    "judge": "The grader's own log (not the student's fault)",
}
_RANKS = {verdict: rank for rank, verdict in enumerate(Verdict)}


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


@dataclass(frozen=True)
class _Strip:
    """Places on the timing strip, in percent from its left."""

    full: float
    zero: float
    low: float
    high: float
    ratio: float


def write_report(results: Iterable[Result], lab: Lab, folder: Path) -> Path:
    """Writes `folder/index.html` and returns it.

    Reads `results` once, in order, and keeps a few numbers of each. Replaces an older page only
    when the new one is complete. GraderError names a path that cannot be written.
    """
    page = make_folder(folder) / "index.html"
    environment = _environment()
    summary = ClassSummary(lab)
    with replacing(page) as file, spooling() as (spool, spooled):
        _write_students(results, lab, summary, environment, spool)
        _write_page(file, spooled, lab, summary, environment)
    return page


def _write_students(
    results: Iterable[Result],
    lab: Lab,
    summary: ClassSummary,
    environment: Environment,
    spool: TextOut,
) -> None:
    template = environment.get_template("student.html.j2")
    size = 0
    for number, result in enumerate(results, start=1):
        summary.add(result)
        html = template.render(_student(result, lab, f"s{number}", size))
        size += len(html)
        spool.write(html)


def _student(result: Result, lab: Lab, anchor: str, page_size: int) -> dict[str, Any]:
    characters, lines = next((c, n) for size, c, n in _TEXT_LIMITS if page_size < size)
    parts = [(part_of(result, part.function), part) for part in lab.parts]
    levels = [confidence(lab, part.function) for part in result.parts]
    return {
        "result": result,
        "student": one_line(result.student) or "(no name)",
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
        "strips": [_strip(part.timing) if part.timing else None for part in result.parts],
        "levels": [f"{100 * level:g} %" if level else "" for level in levels],
        "cap": lambda text: cap(text, characters, lines),
    }


def _strip(timing: TimingResult) -> _Strip | None:
    """Positions on a logarithmic scale; None unless all values are positive and finite."""
    values = (timing.full, timing.zero, timing.low, timing.high, timing.ratio)
    if not all(0 < value < math.inf for value in values):
        return None
    first, last = math.log(min(values) / 1.4), math.log(max(values) * 1.4)
    return _Strip(*(round(100 * (math.log(v) - first) / (last - first), 2) for v in values))


def _write_page(
    file: TextOut, students: IO[str], lab: Lab, summary: ClassSummary, environment: Environment
) -> None:
    script = (_TEMPLATES / "report.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    context = {
        "lab": lab,
        "summary": summary,
        "accepted": Verdict.ACCEPTED,
        "css": _own((_TEMPLATES / "report.css").read_text(encoding="utf-8")),
        "script": _own(script),
        "script_hash": f"sha256-{digest}",
        "histogram": _histogram(summary),
        "plots": _timing_plots(lab, summary),
        "gpu_figures": [(f, _own(f.svg)) for f in gpu_figures(summary.parts.values())],
    }
    file.write(environment.get_template("report.html.j2").render(context))
    file.copy_from(students)
    file.write(environment.get_template("report_end.html.j2").render(context))


def _histogram(summary: ClassSummary) -> _Chart | None:
    if not summary.points:
        return None
    bins = charts.score_bins(summary.points, summary.max_points)
    step = summary.max_points / 10
    counts = ", ".join(f"{n} from {step * i:g}" for i, n in enumerate(bins[:10]) if n)
    label = f"Histogram of points: {counts or 'none below the top'}; {bins[10]} with all points."
    svg = charts.score_histogram(summary.points, summary.max_points)
    return _Chart("Points", label, _own(svg))


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
        plots.append(_Chart(part.title, label, _own(svg)))
    return plots


def _roofline(timing: TimingResult) -> Markup:
    speeds = gpu_speeds(timing)
    return _own(small_roofline(speeds) if speeds else "")


def _own(text: str) -> Markup:
    """Marks the grader's own markup as safe; never pass a submission's text."""
    return Markup(text)  # noqa: S704


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "points": points_text,
        "ratio": ratio_text,
        "clean": clean,
        "line": one_line,
        "day": lambda time: one_line(time)[:10],
    }
    environment.globals |= {
        "words": WORDS,
        "part_words": part_words,
        "decisions": DECISIONS,
        "parallelism_words": parallelism_words,
        "gpu_words": gpu_words,
        "roofline": _roofline,
        "asked": asked_text,
        "got": got_text,
        "meaning": meaning,
        "advice": advice_lines,
        "phases": PHASES,
        "ranks": _RANKS,
    }
    return environment
