"""The pages' one jinja environment: every value is escaped, and only our own markup is not."""

import base64
import hashlib
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from grader.model.result import ParallelismResult, TimingResult
from grader.model.verdict import Verdict
from grader.pages.presentation.counter_words import asked_text, got_text, meaning, shown_advice
from grader.pages.presentation.gpu_words import gpu_words
from grader.pages.presentation.parallelism_words import parallelism_words
from grader.pages.presentation.roofline import gpu_speeds
from grader.pages.presentation.text import clean, one_line
from grader.pages.presentation.words import (
    DECISIONS,
    PHASES,
    WORDS,
    part_words,
    points_text,
    ratio_text,
)
from grader.pages.report.scale_figure import scale_figure
from grader.pages.report.small_roofline import small_roofline

_TEMPLATES = Path(__file__).resolve().parent / "templates"

_RANKS = {verdict: rank for rank, verdict in enumerate(Verdict)}


def own(text: str) -> Markup:
    """Marks the grader's own markup as safe; never pass a submission's text."""
    return Markup(text)  # noqa: S704


def style(*names: str) -> Markup:
    """The contents of these style sheets, in order."""
    return own("".join(_read(f"{name}.css") for name in names))


def script(*names: str) -> tuple[Markup, str]:
    """A page's script, and its hash for the page's Content-Security-Policy."""
    text = "".join(_read(f"{name}.js") for name in names)
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return own(text), f"sha256-{digest}"


def _read(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8")


def _roofline(timing: TimingResult) -> Markup:
    speeds = gpu_speeds(timing)
    return own(small_roofline(speeds) if speeds else "")


def _scale(measured: TimingResult | ParallelismResult) -> Markup:
    """A measured figure on the scale of its thresholds; empty where it cannot be drawn."""
    value = measured.ratio if isinstance(measured, TimingResult) else measured.value
    if value is None:
        return own("")
    low = value if measured.low is None else measured.low
    high = value if measured.high is None else measured.high
    return own(scale_figure(value, (low, high), full=measured.full, zero=measured.zero))


@cache
def environment() -> Environment:
    """Autoescape is on for every template, whatever its name."""
    made = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "points": points_text,
        "ratio": ratio_text,
        "clean": clean,
        "line": one_line,
        "sentence": lambda text: text[:1].upper() + text[1:],
        "day": lambda time: one_line(time)[:10],
    }
    made.globals |= {
        "words": WORDS,
        "part_words": part_words,
        "decisions": DECISIONS,
        "parallelism_words": parallelism_words,
        "gpu_words": gpu_words,
        "roofline": _roofline,
        "scale": _scale,
        "asked": asked_text,
        "got": got_text,
        "meaning": meaning,
        "advice": shown_advice,
        "phases": PHASES,
        "ranks": _RANKS,
    }
    return made
