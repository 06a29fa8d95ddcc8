"""A few lines of a program with a bar each for the accesses that they make, and what is wasted."""

from collections.abc import Sequence
from dataclasses import dataclass

from common.pictures.markup import Markup
from common.pictures.picture import Picture, Table
from common.pictures.shapes import fitted, rect, text

_WIDTH, _LEFT, _ROW = 396.0, 4.0, 54.0
_BAR = _WIDTH - 2 * _LEFT - 38


@dataclass(frozen=True)
class CostlyLine:
    """Accesses of one kind by a line; shares are of all accesses."""

    place: str
    code: str
    words: str
    share: float
    wasted: float


def line_costs(lines: Sequence[CostlyLine]) -> Picture:
    """The lines in this order."""
    marks: list[Markup] = []
    for number, line in enumerate(lines):
        y = 4 + number * _ROW
        needed, whole = _BAR * (line.share - line.wasted), _BAR * line.share
        marks.append(text(_LEFT, y + 10, fitted(f"{line.place}  {line.code}", _WIDTH), "code"))
        marks.append(rect(_LEFT, y + 16, needed, 12, "blue"))
        marks.append(rect(_LEFT + needed, y + 16, whole - needed, 12, "orange hatched"))
        marks.append(text(_LEFT + whole + 4, y + 26, f"{100 * line.share:.0f} %"))
        marks.append(text(_LEFT, y + 41, fitted(line.words, _WIDTH), "muted"))
    caption = (
        "A bar is a line's share of the cost of all accesses. Blue: needed; orange with stripes: "
        "wasted; a better pattern of accesses would avoid it."
    )
    rows = [
        [line.place, line.words, f"{100 * line.share:.0f} %", f"{100 * line.wasted:.0f} %"]
        for line in lines
    ]
    table = Table(["line", "accesses", "share of the cost", "wasted"], rows)
    size = (_WIDTH, 4 + len(lines) * _ROW)
    return Picture("What your lines cost.", caption, size, marks, table)
