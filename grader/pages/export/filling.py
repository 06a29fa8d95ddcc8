"""Fills points into a table that another program exported; the formats say what is where."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from grader.model.errors import GraderError
from grader.pages.export.csv_cells import CsvCells
from grader.pages.export.people import Matches, Roster, match
from grader.pages.export.scores import Scores
from grader.pages.presentation.text import names_text, one_line

_DECIMAL_COMMA = re.compile(r"\d+,\d+")


@dataclass(frozen=True)
class Filled:
    """The file that was written, and what its reader should know."""

    path: Path
    notes: list[str]


@dataclass(frozen=True)
class Table:
    """Where a table has its people and its scores."""

    cells: CsvCells
    roster: Roster
    column: int
    most: Callable[[int], str]
    """The text of a row's maximum score; empty if the table does not say."""
    is_fixed: Callable[[int], bool]
    """Whether a row's score must stay as it is."""


def fill(scores: Scores, table: Table, target: Path) -> Filled:
    """Writes `target`: the table with the points of those students whose row is known.

    Scores that are not final, students without a row and rows without a score are named in the
    notes; their cells stay as they are.
    """
    points: dict[str, float] = {}
    not_judged: list[str] = []
    waiting: list[str] = []
    not_marked: list[str] = []
    found: list[tuple[str, list[int]]] = []
    for score in scores.each:
        found.append((score.student, table.roster.rows_of(score)))
        if score.points is None:
            why = waiting if score.waiting else not_marked if score.not_marked else not_judged
            why.append(score.student)
        else:
            points[score.student] = score.points
    matches = match(found)
    replaced, fixed = _put(table, scores.max_points, points, matches)
    table.cells.write(target)
    missing = [p.name for p in table.roster.people if p.row not in matches.rows]
    written = sum(student in points for student in matches.rows.values()) - len(fixed)
    notes = [f"filled in {written} of {len(table.roster.people)} students' points"]
    notes += _scale_note(table, scores.max_points)
    for names, words in (
        (not_judged, "not judged, left as they were; grade the lab again"),
        (waiting, "not graded yet, left as they were; run the same `grade` command again"),
        (not_marked, "no marks yet, left as they were; give the rubric's points first"),
        (matches.unknown, "a result but no row, to be entered by hand"),
        (matches.unclear, "several rows match, or one matches several; to be entered by hand"),
        (missing, "a row but no result, left as they were"),
        (fixed, "excused or locked, left as they were"),
        (replaced, "another score was replaced"),
    ):
        notes += _listed(names, words)
    return Filled(target, notes)


def _put(
    table: Table, max_points: float, points: dict[str, float], matches: Matches
) -> tuple[list[str], list[str]]:
    """Changes the cells; returns whose score was replaced, and whose could not be."""
    replaced: list[str] = []
    fixed: list[str] = []
    for row, student in matches.rows.items():
        if student not in points:
            continue
        if table.is_fixed(row):
            fixed.append(student)
            continue
        old = table.cells.text(row, table.column)
        new = _score(points[student], max_points, table.most(row))
        if _number(old) is not None and _number(old) != _number(new):
            replaced.append(f"{student} ({old.strip()} → {new})")
        if old.strip() == "" or _number(old) != _number(new):
            table.cells.put(row, table.column, new)
    return replaced, fixed


def _score(points: float, max_points: float, most: str) -> str:
    """Two decimals, on the table's scale and with its decimal sign."""
    scale = (_number(most) or max_points) / max_points
    text = f"{points * scale:.2f}"
    return text.replace(".", ",") if _DECIMAL_COMMA.fullmatch(most.strip()) else text


def _scale_note(table: Table, max_points: float) -> list[str]:
    texts = {table.most(person.row).strip() for person in table.roster.people}
    others = sorted(t for t in texts if _number(t) not in (None, 0, max_points))
    if not others:
        return []
    return [f"scaled from {max_points:g} points to the table's {', '.join(others)}"]


def _number(text: str) -> float | None:
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        return None


def _listed(names: list[str], words: str) -> list[str]:
    if not names:
        return []
    return [f"{words} ({len(names)}): {names_text(names)}"]


def column_named(cells: CsvCells, *names: str) -> int | None:
    """The first of the header's columns with one of these names, whatever its case."""
    wanted = {name.casefold() for name in names}
    return next(
        (n for n, text in enumerate(cells.header) if text.strip().casefold() in wanted), None
    )


def require_column(cells: CsvCells, name: str, what: str) -> int:
    """GraderError if the header lacks the column."""
    column = column_named(cells, name)
    if column is None:
        raise GraderError(
            f"{cells.path} has no column {name!r}", f"give {what} as it was exported, in English"
        )
    return column


def chosen_column(cells: CsvCells, candidates: dict[int, str], wanted: str, given: bool) -> int:
    """The one candidate {column: title} that is called `wanted`, or whose header is."""
    plain = one_line(wanted).casefold()
    found = [
        number
        for number, title in candidates.items()
        if plain in (one_line(title).casefold(), one_line(cells.header[number]).casefold())
    ]
    if len(found) == 1:
        return found[0]
    known = ", ".join(repr(one_line(cells.header[number])) for number in candidates) or "none"
    count = "several columns" if found else "no column"
    step = "correct --column" if given else "name the column with --column"
    raise GraderError(f"{cells.path} has {count} {wanted!r} for scores", f"{step}; it has {known}")
