"""The first wrong result of an array as a picture: expected beside got, and where they differ.

Drawn from the failure's own line, `element 31 of 1000: expected 0, got 1; 30 more are wrong: every
32nd from 31 to the end`, and at home from what the comparison wrote beside it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from common.lab.failure_pictures.positions import Grid, Positions, grid_in, parts_of, positions_in
from common.pictures.markup import Markup, count, plural, tag
from common.pictures.picture import Picture, Table
from common.pictures.shapes import Scale, axis, fitted, line, rect, text

_LINE = re.compile(
    r"element (\d{1,15}) of (\d{1,15}): expected (.+?), got (.+?)(?:, tolerance (\S+))?"
    r"(?:; (\d{1,15}) more (?:is|are) wrong: ([^;]+))?$"
)
_WIDTH, _STRIP, _CELLS, _MARGIN = 396, 22, 200, 10
_MOST_ROWS, _MOST_COLUMNS, _PERIODS = 60, 84, 8


@dataclass(frozen=True)
class Neighbour:
    """An element near the first wrong one."""

    index: int
    expected: str
    got: str
    is_wrong: bool
    writer: str = ""


@dataclass(frozen=True)
class Errors:
    """What a comparison found, and its line."""

    message: str
    first: int
    size: int
    more: int
    phrase: str
    near: Sequence[Neighbour]
    cells: Sequence[float] = field(default=())
    """Of each equal part of the array, how much is wrong; empty where only the phrase is known."""
    grid: Sequence[str] = field(default=())
    """Of rows and columns, or equal parts of them, which are wrong; "1" is."""

    def picture(self) -> Picture:
        """As SVG, with the same facts as a table."""
        marks, y = [], 0.0
        for draw in (self._near, self._strip, self._map):
            drawn, height = draw()
            marks.append(tag("g", drawn, transform=f"translate(0 {y:g})"))
            y += height
        columns = ["element", "expected", "got"]
        rows: list[list[object]] = [[near.index, near.expected, near.got] for near in self.near]
        if any(near.writer for near in self.near):
            columns.append("written by")
            rows = [[*row, near.writer] for row, near in zip(rows, self.near, strict=True)]
        return Picture("Wrong results.", self.caption, (_WIDTH, y), marks, Table(columns, rows))

    @property
    def caption(self) -> str:
        """The sentence about what the wrong elements have in common."""
        if not self.more:
            return f"Element {self.first} of {count(self.size)} alone is wrong."
        if self.phrase == "all":
            return f"All {plural(self.size, 'element')} are wrong."
        return f"{count(self.more + 1)} of {count(self.size)} elements are wrong: {self.phrase}."

    def _near(self) -> tuple[Markup, float]:
        """Expected above got, for each neighbour; then who wrote it."""
        left = 58.0
        width = min(90.0, (_WIDTH - left) / len(self.near)) if self.near[1:] else 180.0
        names = ["element", "expected", "got"]
        marks = [text(0, 14 + 18 * row, name, "muted") for row, name in enumerate(names)]
        for number, near in enumerate(self.near):
            x, middle = left + width * number, left + width * (number + 0.5)
            if near.is_wrong:
                marks.append(rect(x + 1, 19, width - 2, 36, "empty red"))
            look = "alarm" if near.is_wrong else ""
            for row, words in enumerate((str(near.index), *_short(near.expected, near.got))):
                way = look if row == 2 else "muted" if row == 0 else ""
                marks.append(text(middle, 14 + 18 * row, fitted(words, width - 4), way, "middle"))
        writers = list(self._writers(left, width))
        if writers:
            marks.append(text(0, 75, "written by", "muted"))
        return tag("g", *marks, *writers), 66 + (20 if writers else 0)

    def _writers(self, left: float, width: float) -> Iterator[Markup]:
        """A bracket below neighbours in a row that threads of one block wrote."""
        begin = 0
        for block, alike in groupby(near.writer.partition(",")[0] for near in self.near):
            end = begin + len(list(alike))
            if block:
                x, stop = left + width * begin + 3, left + width * end - 3
                yield line([(x, 59), (x, 62), (stop, 62), (stop, 59)], "purple")
                words = fitted(block, stop - x + 14)
                yield tag("g", text((x + stop) / 2, 75, words, "", "middle"), data_writer=block)
            begin = end

    def _strip(self) -> tuple[Markup, float]:
        """The whole array; a part with a wrong element is never empty."""
        shares = self.cells or self._shares()
        if not shares:
            return tag("g"), 0
        scale = Scale(0, self.size, _MARGIN, _WIDTH - _MARGIN)
        width = (_WIDTH - 2 * _MARGIN) / len(shares)
        marks = [rect(_MARGIN, 16, _WIDTH - 2 * _MARGIN, _STRIP, "empty grey")]
        begin = 0
        for share, alike in groupby(shares):
            end = begin + len(list(alike))
            if share:
                height = max(4.0, _STRIP * share)
                across = max(width * (end - begin), 1.5)
                marks.append(
                    rect(_MARGIN + width * begin, 16 + _STRIP - height, across, height, "red")
                )
            begin = end
        marks += [text(0, 11, "the whole array", "muted"), axis(scale, 16 + _STRIP + 4, "")]
        wrong = "".join("1" if share else "0" for share in shares)
        return tag("g", *marks, data_strip=wrong), 70

    def _shares(self) -> list[float]:
        positions = self._positions()
        if positions is None:
            return []
        parts = parts_of(self.size, min(self.size, _CELLS))
        return [positions.share(part.start, part.stop) for part in parts]

    def _positions(self) -> Positions | None:
        if not self.more:
            return Positions(self.first, self.first)
        return positions_in(self.phrase, self.size)

    def _map(self) -> tuple[Markup, float]:
        """Rows and columns, or a few periods below each other."""
        if grid := grid_in(self.phrase):
            return _map(_wrong_in(grid), f"{count(grid.rows)} rows of {count(grid.columns)}")
        if self.grid:
            return _map(self.grid, "as rows and columns")
        positions = self._positions()
        if positions is None or not 2 <= positions.period <= 4096:
            return tag("g"), 0
        period = positions.period
        begin = positions.low // period
        rows = min(_PERIODS, -(-self.size // period) - begin)
        inside = Positions(0, period - 1, period, positions.inside)
        grid = Grid(rows, period, (Positions(0, rows - 1), inside), is_union=False)
        words = f"a row for each {count(period)} elements, from {count(begin * period)} on"
        return _map(_wrong_in(grid), words)


def _wrong_in(grid: Grid) -> list[str]:
    return grid.wrong(min(grid.rows, _MOST_ROWS), min(grid.columns, _MOST_COLUMNS))


def _map(wrong: Sequence[str], words: str) -> tuple[Markup, float]:
    """A cell for each letter; rows that are alike are one shape."""
    if not wrong or not wrong[0]:
        return tag("g"), 0
    width = min((_WIDTH - 2) / len(wrong[0]), 14.0)
    height = max(width, 3.0)
    shapes, top, told = list[str](), 18.0, list[str]()
    for row, alike in groupby(wrong):
        rows = len(list(alike))
        told.append(f"{rows}*{row}")
        high = height * rows
        shapes += [
            f"M{1 + width * run.start():.4g} {top:.4g}h{width * len(run[0]):.4g}v{high:.4g}"
            f"h{-width * len(run[0]):.4g}z"
            for run in re.finditer("1+", row)
        ]
        top += high
    drawn = tag("path", d="".join(shapes), class_="red", fill="currentColor")
    lines = _lines(width, height, len(wrong[0]), len(wrong)) if width >= 6 else None
    box = rect(1, 18, width * len(wrong[0]), top - 18, "empty grey")
    label = text(0, 12, fitted(words, _WIDTH), "muted")
    return tag("g", label, drawn, lines, box, data_map="/".join(told)), top + 12


def _lines(width: float, height: float, columns: int, rows: int) -> Markup:
    across = (f"M1 {18 + height * row:.1f}h{width * columns:.1f}" for row in range(1, rows))
    down = (f"M{1 + width * at:.1f} 18v{height * rows:.1f}" for at in range(1, columns))
    return tag("path", d="".join([*across, *down]), class_="line rule")


def _short(expected: str, got: str) -> tuple[str, str]:
    """Long fractions with as few digits as tell them apart."""
    for digits in range(4, 18):
        shown = [_rounded(value, digits) for value in (expected, got)]
        if shown[0] != shown[1] or expected == got:
            return shown[0], shown[1]
    return expected, got


def _rounded(value: str, digits: int) -> str:
    if not re.fullmatch(r"-?\d+\.\d+(e[-+]\d+)?", value) or len(value) <= digits + 2:
        return value
    return f"{float(value):.{digits}g}"


def errors_in(text: str) -> Iterator[Errors]:
    """What the lines of a message say about arrays."""
    for row in text.splitlines():
        if match := _LINE.search(row.strip()):
            first, size = int(match[1]), int(match[2])
            if first < size:
                near = [Neighbour(first, match[3], match[4], is_wrong=True)]
                yield Errors(match[0], first, size, int(match[6] or 0), match[7] or "", near)


def errors_of(written: Mapping[str, Any]) -> Errors | None:
    """What a comparison wrote at home: its line, what is around it, and where it is wrong."""
    found = next(errors_in(written["message"]), None)
    if found is None:
        return None
    near = [Neighbour(*entry) for entry in written["near"]]
    return replace(found, near=near, cells=written["cells"], grid=written["grid"])
