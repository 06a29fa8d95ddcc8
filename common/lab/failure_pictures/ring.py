"""A deadlock as a circle: who holds what, and who waits for whom."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from common.lab.failure_pictures.report import PLACE, Report, Source
from common.pictures.markup import Markup, tag
from common.pictures.picture import Picture, Table
from common.pictures.shapes import arrow, fitted, rect, text

_WIDTH, _TOP, _RADIUS, _BOX, _LEGEND = 396, 10, 100, (78, 30), 34
_MOST_THREADS = 5
"""More boxes would overlap."""


@dataclass(frozen=True)
class Link:
    """A lock that a thread holds, or waits for."""

    thread: str
    lock: str
    place: str
    is_held: bool

    @property
    def words(self) -> str:
        return f"{self.thread} {'holds' if self.is_held else 'waits for'} {self.lock}"


@dataclass(frozen=True)
class Ring:
    """Links of a circle: the first thread's lock, what it waits for, who holds that, and so on."""

    caption: str
    links: Sequence[Link]
    source: Source

    def picture(self) -> Picture:
        """As SVG, with the same facts as a table."""
        nodes = [link.lock if link.is_held else link.thread for link in self.links]
        middle = _TOP + _RADIUS + _BOX[1] / 2
        height = 2 * middle + _LEGEND * len(self.links) + 8
        spots = [self._spot(number, middle) for number in range(len(nodes))]
        marks = [self._link(number, spots) for number in range(len(nodes))]
        marks += [self._node(name, *spot) for name, spot in zip(nodes, spots, strict=True)]
        marks += [self._legend(number, 2 * middle + 16) for number in range(len(nodes))]
        rows = [[link.words, link.place, self.source.line(link.place)] for link in self.links]
        table = Table(["what", "line", "code"], rows)
        return Picture("Deadlock.", self.caption, (_WIDTH, height), marks, table)

    def _spot(self, number: int, middle: float) -> tuple[float, float]:
        angle = 2 * math.pi * number / len(self.links) - math.pi
        return _WIDTH / 2 + 1.35 * _RADIUS * math.cos(angle), middle + _RADIUS * math.sin(angle)

    def _node(self, name: str, x: float, y: float) -> Markup:
        is_lock = any(link.lock == name for link in self.links)
        width, height = _BOX
        look = "orange" if is_lock else "blue"
        box = (x - width / 2, y - height / 2, width, height)
        shape = rect(*box, f"empty {look}", rx=None if is_lock else 15)
        words = text(x, y + 4, fitted(name, width), "", "middle")
        under = rect(*box, "paper", rx=None if is_lock else 15)
        return tag("g", under, shape, words, data_node=name)

    def _link(self, number: int, spots: Sequence[tuple[float, float]]) -> Markup:
        """From the lock to its holder, from who waits to the lock."""
        link = self.links[number]
        begin, end = spots[number], spots[(number + 1) % len(spots)]
        begin, end = _outside(begin, end), _outside(end, begin)
        look = "grey" if link.is_held else "red dashed"
        x, y = (begin[0] + end[0]) / 2, (begin[1] + end[1]) / 2
        side = tag("text", f"{number + 1}", x=x, y=y + 4, class_="on", text_anchor="middle")
        return tag("g", arrow(begin, end, look), side, data_link=link.words)

    def _legend(self, number: int, top: float) -> Markup:
        link = self.links[number]
        y = top + _LEGEND * number
        what = f"{number + 1}  {link.words}, {link.place}"
        look = "" if link.is_held else "alarm"
        code = fitted(self.source.line(link.place), _WIDTH - 24)
        return tag("g", text(4, y, fitted(what, _WIDTH), look), text(18, y + 14, code, "code"))


def ring_picture(report: Report, source: Source) -> Ring | None:
    """The circle of a lock-order inversion; None if it is none, too long, or a place is unknown.

    The report names a lock, then the one that its thread held already, and so on.
    """
    found = _locked(report.rows)
    if not report.head.startswith("lock-order-inversion"):
        return None
    if len(found) % 2 or not 2 <= len(found) // 2 <= _MOST_THREADS:
        return None
    links = []
    for number in range(0, len(found), 2):
        (wanted, wants_at), (held, held_at) = found[number], found[number + 1]
        thread = f"a thread {chr(ord('A') + number // 2)}"
        links.append(Link(thread, held, held_at, is_held=True))
        links.append(Link(thread, wanted, wants_at, is_held=False))
    who = "two" if len(links) == 4 else "as many"
    caption = f"Each lock is held by one who waits for the next: {who} threads can wait for ever."
    return Ring(caption, links, source)


def _locked(rows: Sequence[str]) -> list[tuple[str, str]]:
    """Each lock that the report says was taken, with its place; none if a place is unknown."""
    found = []
    for row, below in pairwise([*rows, ""]):
        if match := re.fullmatch(r"(M\d+) (?:was locked by|had been locked by) .*", row.strip()):
            frame = re.fullmatch(rf"    .* at ({PLACE})", below)
            if not frame:
                return []
            found.append((match[1], frame[1]))
    return found


def _outside(begin: tuple[float, float], end: tuple[float, float]) -> tuple[float, float]:
    """Where the line from the middle of a box leaves it."""
    dx, dy = end[0] - begin[0], end[1] - begin[1]
    width, height = _BOX[0] / 2 + 3, _BOX[1] / 2 + 3
    part = min(width / abs(dx) if dx else math.inf, height / abs(dy) if dy else math.inf)
    return begin[0] + part * dx, begin[1] + part * dy
