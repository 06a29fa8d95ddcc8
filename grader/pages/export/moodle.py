"""Grades for Moodle: a file to import into the gradebook, or a grading worksheet, filled in."""

import csv
import re
from collections.abc import Iterable
from pathlib import Path

from grader.model.errors import GraderError
from grader.model.files import replacing
from grader.model.lab import Lab
from grader.model.result import Result
from grader.pages.export.csv_cells import CsvCells
from grader.pages.export.csv_format import cell
from grader.pages.export.filling import Filled, Table, chosen_column, column_named, fill
from grader.pages.export.people import Person, Roster
from grader.pages.export.place import single_file
from grader.pages.export.scores import Scores
from grader.pages.presentation.facts import is_graded
from grader.pages.presentation.text import one_line

_GRADE = "Grade"
_PARTICIPANT = re.compile(r"\D*(\d+)")
"""The first column, `Participant 17`; the word depends on the site's language."""


def export(results: Iterable[Result], lab: Lab, path: Path) -> list[Path]:
    """Writes `path` (or `moodle.csv` in it), for Grades, Import, CSV file.

    Moodle asks which of its fields the first column is. A grade that is not final is left out.
    """
    target = single_file(path, "moodle.csv")
    with replacing(target) as file:
        rows = csv.writer(file, lineterminator="\r\n")
        rows.writerow(["Student", cell(one_line(lab.title))])
        for result in results:
            points = f"{result.points:.2f}" if is_graded(result) else ""
            rows.writerow([cell(one_line(result.student)), points])
    return [target]


def fill_in(scores: Scores, gradebook: Path, column: str | None, path: Path) -> Filled:
    """Writes `path` (or `moodle.csv` in it): the grading worksheet with the points.

    The worksheet's first column has the participant's number, as names of downloaded files have;
    the second the name, unless the assignment is anonymous. All other cells stay as they are.
    """
    cells = CsvCells(gradebook)
    people = [person for row in range(1, len(cells)) if (person := person_of(cells, row))]
    if not people:
        raise GraderError(
            f"{gradebook} is no grading worksheet: no row begins with a participant's number",
            "in the assignment, choose Download grading worksheet",
        )
    candidates = dict(enumerate(cells.header[1:], start=1))
    chosen = chosen_column(cells, candidates, column or _GRADE, bool(column))
    most, changeable = (
        column_named(cells, "Maximum Grade"),
        column_named(cells, "Grade can be changed"),
    )
    table = Table(
        cells,
        Roster(people),
        chosen,
        most=lambda row: cells.text(row, most),
        is_fixed=lambda row: cells.text(row, changeable).strip().casefold() == "no",
    )
    return fill(scores, table, single_file(path, "moodle.csv"))


def person_of(cells: CsvCells, row: int) -> Person | None:
    """Whom a row of a grading worksheet is about."""
    number = _PARTICIPANT.fullmatch(cells.text(row, 0).strip())
    if number is None:
        return None
    texts = [cells.text(row, column).strip() for column in range(1, len(cells.header))]
    addresses = tuple(text for text in texts if re.fullmatch(r"[^\s@]+@[^\s@]+", text))
    name = next((text for text in texts[:1] if text not in addresses), "")
    return Person(row, name or f"participant {number[1]}", number[1], addresses)
