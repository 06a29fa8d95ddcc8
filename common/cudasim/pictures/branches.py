"""Divergence: the lanes that took each side of a branch."""

from common.cudasim.pictures.evidence import LANES, Branch
from common.pictures.markup import Markup, count, plural
from common.pictures.picture import Picture, Table
from common.pictures.shapes import rects, text

_LEFT, _STEP, _ROW = 4.0, 11.3, 16.0
_LOOKS = ("blue", "orange")


def divergence(branch: Branch) -> Picture:
    """The two sides one after the other, as the warp runs them."""
    marks: list[Markup] = []
    for number, side in enumerate(branch.sides):
        y = 4 + number * (_ROW + 24)
        words = f"{_order(number)}, from line {side.place[1]}: {plural(len(side.lanes), 'lane')}"
        marks.append(text(_LEFT, y + 10, words))
        for takes, look in ((True, _LOOKS[number]), (False, "grey empty")):
            boxes = [
                (_LEFT + lane * _STEP + 0.5, y + 15, _STEP - 1, _ROW)
                for lane in range(LANES)
                if (lane in side.lanes) == takes
            ]
            marks.append(rects(boxes, look))
        for lane in (0, 8, 16, 24, 31):
            middle = _LEFT + (lane + 0.5) * _STEP
            marks.append(text(middle, y + 15 + 12, lane, "on", "middle"))
    rows = [
        [_order(number), side.place[1], ", ".join(map(str, side.lanes))]
        for number, side in enumerate(branch.sides)
    ]
    caption = (
        "A warp runs both sides, one after the other, while the other lanes wait (empty). "
        f"{count(branch.divergent)} of {count(branch.runs)} times the lanes of a warp took "
        "different sides; this is one of the most even divisions."
    )
    size = (2 * _LEFT + LANES * _STEP, 4 + 2 * (_ROW + 24))
    title = "Both sides of the branch"
    return Picture(title, caption, size, marks, Table(["side", "line", "lanes"], rows))


def _order(number: int) -> str:
    return ("One side", "The other")[number]
