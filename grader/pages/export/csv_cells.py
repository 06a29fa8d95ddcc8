"""A CSV file of another program in which some cells change and every other byte stays."""

import re
from collections.abc import Iterator
from pathlib import Path

from grader.model.errors import GraderError
from grader.model.files import replacing

_MAX_BYTES = 64 << 20
_DELIMITERS = (",", ";", "\t")
_BOM = "\ufeff"
_SAVE = "export it again, and save it as CSV in UTF-8 if you have opened it in a spreadsheet"


class CsvCells:
    """Rows of cells as they are written, quotes and all (RFC 4180)."""

    def __init__(self, path: Path) -> None:
        """GraderError names what makes the file unreadable."""
        self.path = path
        text = _read(path)
        self._bom = _BOM if text.startswith(_BOM) else ""
        text = text.removeprefix(_BOM)
        first = text.partition("\n")[0]
        self._delimiter = max(_DELIMITERS, key=first.count)
        self._rows: list[list[str]] = []
        self._ends: list[str] = []
        for cells, end in self._scan(text):
            self._rows.append(cells)
            self._ends.append(end)
        if not self._rows:
            raise GraderError(f"{path} is empty", _SAVE)

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def header(self) -> list[str]:
        return [self.text(0, column) for column in range(len(self._rows[0]))]

    def text(self, row: int, column: int | None) -> str:
        """A cell's text; empty where the row is shorter, or the column is None."""
        if column is None or column >= len(self._rows[row]):
            return ""
        raw = self._rows[row][column]
        return raw[1:-1].replace('""', '"') if raw.startswith('"') else raw

    def put(self, row: int, column: int, text: str) -> None:
        """Changes a cell; it keeps its quotes if it has any."""
        cells = self._rows[row]
        cells += [""] * (column + 1 - len(cells))
        special = any(letter in text for letter in (self._delimiter, '"', "\r", "\n"))
        quoted = special or cells[column].startswith('"')
        cells[column] = '"' + text.replace('"', '""') + '"' if quoted else text

    def write(self, path: Path) -> None:
        """GraderError if that fails; the old file then stays."""
        with replacing(path) as file:
            file.write(self._bom)
            for cells, end in zip(self._rows, self._ends, strict=True):
                file.write(self._delimiter.join(cells) + end)

    def _scan(self, text: str) -> Iterator[tuple[list[str], str]]:
        """Each row's cells, and how its line ends."""
        separator = re.escape(self._delimiter)
        cell = re.compile(rf'("(?:[^"]|"")*"|[^"{separator}\r\n]*)({separator}|\r\n|\n|\r|\Z)')
        place, cells = 0, list[str]()
        while place < len(text) or cells:
            match = cell.match(text, place)
            if match is None:
                line = text.count("\n", 0, place) + 1
                raise GraderError(f"{self.path} is not CSV: line {line}", _SAVE)
            cells.append(match[1])
            place = match.end()
            if match[2] != self._delimiter:
                yield cells, match[2]
                cells = []


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
    except OSError as error:
        raise GraderError(f"cannot read {path}: {error.strerror}", "check the path") from error
    if len(data) > _MAX_BYTES:
        raise GraderError(f"{path} is larger than {_MAX_BYTES >> 20} MB", "check the path")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise GraderError(f"{path} is not UTF-8: byte {error.start}", _SAVE) from error
    if "\0" in text:
        raise GraderError(f"{path} is not text: it has a byte 0", _SAVE)
    return text
