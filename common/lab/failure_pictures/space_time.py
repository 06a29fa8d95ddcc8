"""Space-time diagrams: a lane for each thread, time downwards, and what orders the lanes.

An arrow leads from what happens before to what happens after it. A red dashed one is missing.
"""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field

from common.pictures.markup import Markup, tag
from common.pictures.picture import Picture, Table
from common.pictures.shapes import LETTER, arrow, fitted, line, rect, text

WIDTH = 396
_TOP, _GAP, _LINE, _EMPTY = 40, 36, 15, 20
_FITS = 26
"""Letters in the box of one lane of two."""
_LOOKS = {"write": "orange", "read": "blue", "wait": "purple", "other": "grey"}


@dataclass(frozen=True)
class Lane:
    """A thread, a stream, the host."""

    name: str
    about: str = ""


@dataclass(frozen=True)
class Event:
    """Something that a lane does in a row of time. `look`: write, read, wait or other."""

    lane: int
    row: int
    what: str
    place: str = ""
    code: str = ""
    look: str = "other"
    notes: Sequence[str] = ()
    """What the lane holds meanwhile, and how it came there."""

    @property
    def words(self) -> str:
        return f"{self.what}, {self.place}" if self.place else self.what

    @property
    def head(self) -> Sequence[str]:
        """The words in one line if they fit, else the place below."""
        is_short = not self.place or len(self.words) <= _FITS
        return [self.words] if is_short else [self.what, self.place]

    @property
    def height(self) -> float:
        return 12.0 + _LINE * (len(self.head) + bool(self.code) + len(self.notes))


@dataclass(frozen=True)
class Order:
    """What makes one lane wait for another, or would; across all lanes if it is a barrier."""

    begin: tuple[int, int]
    """Lane and row, of the event that comes first."""
    end: tuple[int, int]
    what: str
    is_missing: bool = False
    is_barrier: bool = False

    @property
    def words(self) -> str:
        return f"missing: {self.what}" if self.is_missing else self.what


@dataclass(frozen=True)
class SpaceTime:
    """What threads did, row by row."""

    title: str
    caption: str
    lanes: Sequence[Lane]
    events: Sequence[Event]
    orders: Sequence[Order] = field(default=())

    def picture(self) -> Picture:
        """As SVG, with the same facts as a table."""
        last = max(event.row for event in self.events)
        ends_open = any(order.end[1] > last for order in self.orders)
        height = self._top(last) + self._height(last) + (_GAP if ends_open else 14)
        marks = [self._lane(index, height) for index in range(len(self.lanes))]
        marks += map(self._order, self.orders)
        marks += map(self._event, self.events)
        marks += map(self._label, self.orders)
        return Picture(self.title, self.caption, (WIDTH, height), marks, self._table())

    def _lane(self, index: int, height: float) -> Markup:
        lane, x = self.lanes[index], self._middle(index)
        return tag(
            "g",
            text(x, 12, fitted(lane.name, self._width()), "", "middle"),
            text(x, 26, fitted(lane.about, self._width()), "muted", "middle"),
            line([(x, 32), (x, height)], "rule"),
            data_lane=lane.name,
        )

    def _event(self, event: Event) -> Markup:
        width, height = self._width() - 10, event.height
        x, y = self._middle(event.lane) - width / 2, self._top(event.row)
        look = _LOOKS[event.look]
        lines = [
            *((words, "") for words in event.head),
            (event.code, "code"),
            *((note, "muted") for note in event.notes),
        ]
        shown = [(words, way) for words, way in lines if words]
        return tag(
            "g",
            tag("title", ": ".join(filter(None, (event.words, event.code)))),
            rect(x, y, width, height, "paper"),
            rect(x, y, width, height, f"empty {look}"),
            rect(x, y, 4, height, look),
            *(
                text(x + 10, y + 18 + _LINE * number, fitted(words, width - 14), way)
                for number, (words, way) in enumerate(shown)
            ),
            data_event=event.what,
            data_place=event.place or None,
        )

    def _order(self, order: Order) -> Markup:
        begin, end = self._ends(order)
        look = "red dashed" if order.is_missing else "green"
        drawn = line([begin, end], look) if order.is_barrier else arrow(begin, end, look)
        kind = "missing" if order.is_missing else "order"
        return tag("g", drawn, data_order=kind, data_what=order.what)

    def _label(self, order: Order) -> Markup:
        """Where nothing else is: beside the arrow's end, in the lane of its begin."""
        begin, end = self._ends(order)
        look = "on alarm" if order.is_missing else "on"
        if order.is_barrier:
            return text(WIDTH / 2, end[1] - 4, fitted(order.words, WIDTH), look, "middle")
        if order.begin[0] == order.end[0]:
            is_last = order.begin[0] > 0
            x, anchor = (end[0] - 8, "end") if is_last else (end[0] + 8, "start")
            return text(x, (begin[1] + end[1]) / 2 + 4, fitted(order.words, WIDTH), look, anchor)
        lines = textwrap.wrap(order.words, int(self._width() / LETTER) - 2)
        return tag(
            "g",
            *(
                text(begin[0], end[1] + 16 + 14 * number, words, look, "middle")
                for number, words in enumerate(lines)
            ),
        )

    def _ends(self, order: Order) -> tuple[tuple[float, float], tuple[float, float]]:
        """Where the arrow begins and ends: below the first event and above the second."""
        (lane, row), (other, below) = order.begin, order.end
        if order.is_barrier:
            y = self._top(below) - _GAP / 2 + 4
            return (4, y), (WIDTH - 4, y)
        heights = [event.height for event in self.events if (event.lane, event.row) == order.begin]
        begin = (self._middle(lane), self._top(row) + max(heights, default=0))
        return begin, (self._middle(other), self._top(below))

    def _table(self) -> Table:
        rows: list[tuple[int, list[object]]] = []
        for event in self.events:
            what = f"{event.what} ({'; '.join(event.notes)})" if event.notes else event.what
            cells: list[object] = [self.lanes[event.lane].name, what, event.place, event.code]
            rows.append((2 * event.row + 1, cells))
        for order in self.orders:
            names = [self.lanes[lane].name for lane, _ in (order.begin, order.end)]
            who = "all" if order.is_barrier else " → ".join(dict.fromkeys(names))
            rows.append((2 * order.end[1], [who, order.words, "", ""]))
        shown = [row for _, row in sorted(rows, key=lambda entry: entry[0])]
        return Table(["who", "what", "line", "code"], shown)

    def _width(self) -> float:
        return WIDTH / len(self.lanes)

    def _middle(self, lane: int) -> float:
        return self._width() * (lane + 0.5)

    def _height(self, row: int) -> float:
        return max([event.height for event in self.events if event.row == row], default=_EMPTY)

    def _top(self, row: int) -> float:
        """Of a row; the gap between two has room for an arrow."""
        return _TOP + sum(self._height(above) + _GAP for above in range(row))
