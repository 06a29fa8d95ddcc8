"""When students handed in, by Moodle's grading worksheet."""

import re
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from grader.model.errors import GraderError
from grader.pages.export.csv_cells import CsvCells
from grader.pages.export.filling import require_column
from grader.pages.export.moodle import person_of
from grader.pages.export.people import Person
from grader.people.course.local_time import instants

_COLUMN = "Last modified (submission)"
_NOTHING = ("", "-")
_FORMATS = ("%d %B %Y, %I:%M %p", "%d %B %Y, %H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S")
"""For instance Friday, 23 October 2026, 9:04 PM; the day of the week is left out."""


def worksheet_times(path: Path, zone: ZoneInfo) -> list[tuple[Person, datetime]]:
    """Everybody who handed in, with the time (UTC); Moodle writes local time, to the minute."""
    cells = CsvCells(path)
    column = require_column(cells, _COLUMN, "Moodle's grading worksheet")
    found = []
    for row in range(1, len(cells)):
        person, text = person_of(cells, row), cells.text(row, column).strip()
        if person is not None and text not in _NOTHING:
            found.append((person, _instant(text, zone, f"{path}:{row + 1}")))
    return found


def _instant(text: str, zone: ZoneInfo, where: str) -> datetime:
    plain = re.sub(r"^[A-Za-z]+, ", "", text)
    for pattern in _FORMATS:
        try:
            at = datetime.strptime(plain, pattern)
        except ValueError:
            continue
        return instants(at, zone)[0].astimezone(UTC)
    raise GraderError(
        f"{where}: {_COLUMN} is {text[:80]!r}, which is no time in English",
        "download the worksheet in English, or write the times to handed_in.csv",
    )
