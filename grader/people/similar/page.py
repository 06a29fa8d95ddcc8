"""Pairs of texts side by side, as one page."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.model.files import replacing
from grader.model.lab import Lab
from grader.pages.report.templating import environment, style
from grader.people.similar.given import without
from grader.people.similar.pairs import Pair


@dataclass(frozen=True)
class Line:
    """One line of a text."""

    number: int
    text: str
    part: int
    """The number of the shared part that it belongs to, from 1; 0 for none."""
    is_given: bool


@dataclass(frozen=True)
class Facts:
    """What was compared."""

    submissions: int
    texts: int
    at_least: int
    earlier: int = 0
    """Submissions of earlier terms."""


def write_page(
    pairs: Sequence[Pair], lab: Lab, facts: Facts, given: frozenset[str], path: Path
) -> Path:
    """Writes the page, whole or not at all, and returns its path."""
    template = environment().get_template("similar.html.j2")
    shown = [(pair, lines(pair, given, 0), lines(pair, given, 1)) for pair in pairs]
    css = style("base", "similar")
    with replacing(path) as file:
        file.write(template.render(lab=lab, pairs=shown, facts=facts, css=css))
    return path


def lines(pair: Pair, given: frozenset[str], side: int) -> list[Line]:
    """One side's text, each line with the shared part that it belongs to: the longest one."""
    text = (pair.left_text, pair.right_text)[side]
    parts = [0] * (text.count("\n") + 2)
    for number, run in reversed(list(enumerate(pair.runs, start=1))):
        first, last = (run.left, run.right)[side]
        parts[first : last + 1] = [number] * len(parts[first : last + 1])
    own = without(given, text).splitlines()
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        is_given = bool(line.strip()) and not own[number - 1].strip()
        part = 0 if is_given or not line.strip() else parts[min(number, len(parts) - 1)]
        found.append(Line(number, line, part, is_given))
    return found
