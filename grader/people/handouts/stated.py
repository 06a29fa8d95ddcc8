"""What lab.toml says and a lab's handout repeats: the thresholds by which points are earned."""

import re
from collections.abc import Iterator
from pathlib import Path

from grader.model.lab import CounterThreshold, Lab, Part, load_lab
from grader.people.handouts.links import cells

PAGES = ("README.md", "POINTS.md")
"""The handout, and where the table would be too long for it, a page of its own."""


def unstated(folder: Path) -> list[str]:
    """A line for each threshold of the lab in `folder` that its pages do not state.

    lab.toml must be sound: LabError otherwise; OSError if there is no handout.
    """
    lab = load_lab(folder / "lab.toml")
    pages = [folder / name for name in PAGES if (folder / name).exists()] or [folder / PAGES[0]]
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    return [f"{pages[-1]}: {what}" for what in _unstated(lab, text)]


def _unstated(lab: Lab, text: str) -> Iterator[str]:
    rows = [cells(line) for line in text.splitlines() if line.startswith("|")]
    stated = set(re.findall(r"[\d,.]*\d", text))
    for part in lab.parts:
        for counter in part.counters:
            wanted = [f"`{counter.counter}`", *_numbers(counter)]
            if not any(set(wanted) <= set(row) for row in rows):
                yield f"{part.function}: no row of a table has {' | '.join(wanted)}"
        for what, number in _other_thresholds(part):
            if number not in stated:
                yield f"{part.function}: {what} = {number} is nowhere stated"


def _numbers(counter: CounterThreshold) -> list[str]:
    best = counter.at_most if counter.at_least is None else counter.at_least
    return [_said(n) for n in (best, counter.zero, counter.points) if n is not None]


def _other_thresholds(part: Part) -> Iterator[tuple[str, str]]:
    for name, bounds in (("timing", part.timing), ("parallelism", part.parallelism)):
        if bounds:
            yield f"{name}.full", _said(bounds.full)
            yield f"{name}.zero", _said(bounds.zero)
            yield f"{name}.points", _said(bounds.points)


def _said(number: float) -> str:
    return f"{number:,.12g}"
