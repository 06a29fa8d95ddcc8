"""Results in the formats that other tools read."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TypeVar

from grader.model.errors import GraderError
from grader.model.lab import Lab
from grader.model.result import Result
from grader.pages.export import (
    canvas,
    classroom50,
    csv_format,
    feedback,
    github,
    gradescope,
    json_format,
    junit,
    moodle,
    prairielearn,
)
from grader.pages.export.filling import Filled
from grader.pages.export.scores import Scores

_T = TypeVar("_T")

Export = Callable[[Iterable[Result], Lab, Path], list[Path]]
"""Reads the results once, in order, and returns the files it wrote."""

FORMATS: dict[str, Export] = {
    "canvas": canvas.export,
    "classroom50": classroom50.export,
    "csv": csv_format.export,
    "feedback": feedback.export,
    "github": github.export,
    "gradescope": gradescope.export,
    "json": json_format.export,
    "junit": junit.export,
    "moodle": moodle.export,
    "prairielearn": prairielearn.export,
}

Fill = Callable[[Scores, Path, str | None, Path], Filled]
"""Fills the points into a table that the other program exported."""

FILLED: dict[str, Fill] = {"canvas": canvas.fill_in, "moodle": moodle.fill_in}


def write(format_name: str, results: Iterable[Result], lab: Lab, path: Path) -> list[Path]:
    """Writes results as one of FORMATS and returns the files.

    `path` is the file to write, or an existing folder, where the file gets the format's usual name.
    Formats of one file per student write into a folder of the format's name in `path`. Results
    are read once and not kept. GraderError names an unknown format, or the path that could not be
    written; existing files are replaced atomically.
    """
    return _known(format_name, FORMATS)(results, lab, path)


def fill(
    format_name: str, scores: Scores, gradebook: Path, column: str | None, path: Path
) -> Filled:
    """Writes `gradebook`, which the format's program exported, to `path` with the scores' points.

    `column` is the header of the column for points; without it the format finds it. GraderError as
    for `write`, and if the gradebook cannot be read or has no such column.
    """
    return _known(format_name, FILLED)(scores, gradebook, column, path)


def _known(name: str, formats: Mapping[str, _T]) -> _T:
    if name not in formats:
        filled = " that fills in a gradebook" if formats is FILLED else ""
        step = f"use one of: {', '.join(formats)}"
        raise GraderError(f"no export format{filled}: {name!r}", step)
    return formats[name]
