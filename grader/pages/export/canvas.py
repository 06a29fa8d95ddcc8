"""The gradebook file that Canvas imports: made new, or a gradebook that it exported, filled in."""

import csv
import re
from collections.abc import Iterable
from pathlib import Path

from grader.model.files import replacing
from grader.model.lab import Lab
from grader.model.result import Result
from grader.pages.export.csv_cells import CsvCells
from grader.pages.export.csv_format import cell
from grader.pages.export.filling import (
    Filled,
    Table,
    chosen_column,
    column_named,
    fill,
    require_column,
)
from grader.pages.export.people import Person, Roster
from grader.pages.export.place import single_file
from grader.pages.export.scores import Scores
from grader.pages.presentation.facts import is_graded
from grader.pages.presentation.text import one_line

_WHAT = "Canvas's gradebook"
_HANDLES = ("SIS User ID", "SIS Login ID", "Integration ID")
_ASSIGNMENT = re.compile(r"(?P<title>.*) \(\d+\)", re.DOTALL)
"""Canvas adds its number to an assignment's title."""
_READ_ONLY = "(read only)"
_TEST_STUDENT = "Student, Test"
_EXCUSED = "EX"


def export(results: Iterable[Result], lab: Lab, path: Path) -> list[Path]:
    """Writes `path` (or `canvas.csv` in it).

    Canvas matches the column by the lab's title or offers to make a new assignment; it matches
    students by login, then by name. A score that is not final is left blank, which Canvas reads as
    no score. Scores have two decimals because Canvas compares them so.
    """
    target = single_file(path, "canvas.csv")
    with replacing(target) as file:
        rows = csv.writer(file, lineterminator="\r\n")
        rows.writerow(["Student", "ID", "SIS Login ID", "Section", cell(one_line(lab.title))])
        rows.writerow(["    Points Possible", "", "", "", f"{lab.max_points:.2f}"])
        for result in results:
            name = cell(one_line(result.student))
            rows.writerow([name, "", name, "", f"{result.points:.2f}" if is_graded(result) else ""])
    return [target]


def fill_in(scores: Scores, gradebook: Path, column: str | None, path: Path) -> Filled:
    """Writes `path` (or `canvas.csv` in it): the exported gradebook with the points.

    The column is the assignment with the scores' title, or the one that is named. All other cells,
    the rows above the students, the test student and who is excused stay as they are.
    """
    cells = CsvCells(gradebook)
    number = require_column(cells, "ID", _WHAT)
    name = require_column(cells, "Student", _WHAT)
    # Rows above the students, for points possible and posting policies, have no ID.
    rows = [row for row in range(1, len(cells)) if cells.text(row, number).strip()]
    above = [row for row in range(1, len(cells)) if row not in set(rows)]
    handles = [column_named(cells, handle) for handle in _HANDLES]
    people = [
        Person(
            row=row,
            name=cells.text(row, name),
            number=cells.text(row, number).strip(),
            handles=tuple(filter(None, (cells.text(row, h).strip() for h in handles))),
        )
        for row in rows
        if cells.text(row, name).strip() != _TEST_STUDENT
    ]
    chosen = chosen_column(cells, _assignments(cells, above), column or scores.title, bool(column))
    most = next((cells.text(row, chosen) for row in above if cells.text(row, name).strip()), "")
    table = Table(
        cells,
        Roster(people),
        chosen,
        most=lambda _: most,
        is_fixed=lambda row: cells.text(row, chosen).strip().upper() == _EXCUSED,
    )
    return fill(scores, table, single_file(path, "canvas.csv"))


def _assignments(cells: CsvCells, above: list[int]) -> dict[int, str]:
    """Columns of assignments with their titles; Canvas ignores what it marks as read-only."""
    found: dict[int, str] = {}
    for column, header in enumerate(cells.header):
        match = _ASSIGNMENT.fullmatch(header.strip())
        if match and not any(_READ_ONLY in cells.text(row, column).casefold() for row in above):
            found[column] = match["title"]
    return found
