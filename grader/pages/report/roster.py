"""The list of a course's students, and who of them has not handed in."""

import csv
import io
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from grader.model.errors import GraderError
from grader.pages.presentation.text import one_line

_MOST_BYTES = 16 << 20
_NAMED = ("student", "user", "sis login", "sis user")
_HEADS = frozenset(
    {"name", "names", "students", "login", "username", "id", "email", "e-mail"}
    | {f"{named}{end}" for named in _NAMED for end in ("", " name", " id")}
)


@dataclass(frozen=True)
class Attendance:
    """Who is on the roster or handed in, but not both; each in the order of its list."""

    expected: int
    missing: list[str]
    unknown: list[str]
    """Handed in, but not on the roster."""


def read_roster(path: Path, handed_in: Iterable[str], column: str | None = None) -> list[str]:
    """Names from a file with one a line, or from a column of a CSV file.

    The column is `column` by its head, else the one with most names of those who `handed_in`, else
    the first. GraderError if the file cannot be read, has no such column, or no names.
    """
    rows = [row for row in _rows(path) if any(cell.strip() for cell in row)]
    if not rows:
        raise GraderError(f"{path} has no names", "write one name a line, as grade prints them")
    heads = [_key(cell) for cell in rows[0]]
    if column is not None:
        if _key(column) not in heads:
            known = ", ".join(one_line(cell) for cell in rows[0])
            raise GraderError(f"{path} has no column {column!r}", f"it has {known}")
        return _names(rows[1:], heads.index(_key(column)))
    index = _column(rows, {_key(name) for name in handed_in})
    has_head = index < len(heads) and heads[index] in _HEADS
    names = _names(rows[has_head:], index)
    if not names:
        raise GraderError(f"{path} has no names", "write one name a line, as grade prints them")
    return names


def attendance(roster: Iterable[str], handed_in: Iterable[str]) -> Attendance:
    """Names are equal if they differ only in case, blanks around them or Unicode form."""
    expected = {_key(name): name for name in roster}
    there = {_key(name): name for name in handed_in}
    return Attendance(
        len(expected),
        [name for key, name in expected.items() if key not in there],
        [name for key, name in there.items() if key not in expected],
    )


def _rows(path: Path) -> list[list[str]]:
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise GraderError(f"cannot read {path}: {error.strerror}", "check --roster") from error
    if len(data) > _MOST_BYTES:
        raise GraderError(
            f"{path} has more than {_MOST_BYTES >> 20} MiB", "is it a list of names? check --roster"
        )
    text = data.decode("utf-8-sig", "replace")
    head = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=head.count)
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    except csv.Error as error:
        raise GraderError(f"{path} is not CSV: {error}", "write one name a line") from error


def _column(rows: list[list[str]], known: set[str]) -> int:
    width = max(map(len, rows))
    counts = [sum(_key(name) in known for name in _names(rows, at)) for at in range(width)]
    if any(counts):
        return counts.index(max(counts))
    heads = [_key(cell) for cell in rows[0]]
    return next((at for at, head in enumerate(heads) if head in _HEADS), 0)


def _names(rows: list[list[str]], index: int) -> list[str]:
    cells = (row[index].strip() for row in rows if index < len(row))
    return list(dict.fromkeys(cell for cell in cells if cell))


def _key(name: str) -> str:
    return unicodedata.normalize("NFC", name).strip().casefold()
