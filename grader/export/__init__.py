"""Results in the formats that other tools read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from grader.export import canvas, csv_format, feedback, gradescope, json_format, junit
from grader.model.errors import GraderError
from grader.model.lab import Lab
from grader.model.result import Result

Export = Callable[[Iterable[Result], Lab, Path], list[Path]]
"""Reads the results once, in order, and returns the files it wrote."""

FORMATS: dict[str, Export] = {
    "canvas": canvas.export,
    "csv": csv_format.export,
    "feedback": feedback.export,
    "gradescope": gradescope.export,
    "json": json_format.export,
    "junit": junit.export,
}


def write(format_name: str, results: Iterable[Result], lab: Lab, path: Path) -> list[Path]:
    """Writes results as one of FORMATS and returns the files.

    `path` is the file to write, or an existing folder, where the file gets the format's usual name.
    Formats of one file per student write into a folder of the format's name in `path`. Results
    are read once and not kept. GraderError names an unknown format, or the path that could not be
    written; existing files are replaced atomically.
    """
    export = FORMATS.get(format_name)
    if export is None:
        raise GraderError(f"no export format {format_name!r}", f"use one of: {', '.join(FORMATS)}")
    return export(results, lab, path)
