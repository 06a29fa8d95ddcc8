"""One request of a warp: its 32 lanes against sectors, banks or addresses, beside the ideal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from common.cudasim.pictures.evidence import LANES, Line, Request
from common.pictures.markup import Markup, plural, tag
from common.pictures.picture import Picture, Table
from common.pictures.shapes import Box, Scale, lines, rects, text

SECTOR = 32
WORD = 4
_WIDTH = 370.0
_LEFT = 4.0
_STEP = (_WIDTH - 2 * _LEFT) / LANES
_FAN = 34.0
"""Between the lanes and what they access."""
_TALLEST = 132.0
"""Of stacked words."""


def access_map(line: Line, request: Request) -> Picture:
    """The picture of one request of the line."""
    if line.space == "shared":
        return _picture(line, request, _Stacks(request, line.is_atomic, by_bank=True))
    if line.is_atomic:
        return _picture(line, request, _Stacks(request, is_atomic=True, by_bank=False))
    return _picture(line, request, _Sectors(request))


def ideal(request: Request) -> Request:
    """The same lanes with words side by side, from a multiple of 128 bytes on."""
    places = {lane: number * request.bytes for number, lane in enumerate(request.lanes)}
    addresses = tuple(places.get(lane) for lane in range(LANES))
    return Request((), request.ideal, request.ideal, 0, 0, request.bytes, 0, addresses)


def words_of(address: int, size: int, unit: int) -> range:
    """The numbers of the words or sectors that hold so many bytes."""
    return range(address // unit, (address + size - 1) // unit + 1)


class _Sectors:
    """Sectors side by side; a gap is between those that are no neighbours."""

    unit = "sector"

    def __init__(self, request: Request) -> None:
        self.request = request
        found = {
            sector
            for lane in request.lanes
            for sector in words_of(request.address(lane), request.bytes, SECTOR)
        }
        self.sectors = sorted(found)
        gaps = sum(b != a + 1 for a, b in zip(self.sectors, self.sectors[1:], strict=False))
        self._gap = 5.0 if len(self.sectors) <= 16 else 2.0
        room = _WIDTH - 2 * _LEFT - gaps * self._gap
        self.width = min(44.0, room / max(1, len(self.sectors)))
        self._places = self._lay_out()
        self.height = 16.0

    def _lay_out(self) -> Mapping[int, float]:
        places: dict[int, float] = {}
        x = _LEFT
        before = None
        for sector in self.sectors:
            if before is not None and sector != before + 1:
                x += self._gap
            places[sector] = x
            x += self.width
            before = sector
        return places

    def place_of(self, lane: int) -> float:
        address = self.request.address(lane)
        sector = address // SECTOR
        middle = min(address + self.request.bytes / 2, (sector + 1) * SECTOR) - sector * SECTOR
        return self._places[sector] + self.width * middle / SECTOR

    def marks(self, y: float) -> list[Markup]:
        moved = [(self._places[s], y, self.width - 0.6, self.height) for s in self.sectors]
        byte = self.width / SECTOR
        used = [
            (self._places[sector] + begin * byte, y, (end - begin) * byte - 0.2, self.height)
            for sector, ranges in self._used().items()
            for begin, end in ranges
        ]
        return [rects(moved, "orange hatched"), rects(used, "blue")]

    def rows(self) -> Table:
        used = self._used()
        rows = []
        for sector in self.sectors:
            lanes = [
                lane
                for lane in self.request.lanes
                if sector in words_of(self.request.address(lane), self.request.bytes, SECTOR)
            ]
            rows.append([sector, _lanes(lanes), sum(end - begin for begin, end in used[sector])])
        return Table(["sector", "lanes", f"of {SECTOR} bytes used"], rows)

    def _used(self) -> Mapping[int, list[tuple[int, int]]]:
        """For each sector the ranges of bytes that lanes use, without overlaps."""
        bytes_of: dict[int, set[int]] = {sector: set() for sector in self.sectors}
        for lane in self.request.lanes:
            first = self.request.address(lane)
            for byte in range(first, first + self.request.bytes):
                bytes_of[byte // SECTOR].add(byte % SECTOR)
        return {sector: _ranges(sorted(found)) for sector, found in bytes_of.items()}

    def words(self) -> str:
        return plural(len(self.sectors), "sector") + f" of {SECTOR} bytes"


class _Stacks:
    """Banks, or the addresses of atomic operations, with what they serve one after another."""

    def __init__(self, request: Request, is_atomic: bool, by_bank: bool) -> None:
        self.request = request
        self.unit = "bank" if by_bank else "address"
        self._is_atomic, self._by_bank = is_atomic, by_bank
        self.columns = self._columns()
        self.stacks = self._stacks()
        self.most = max((len(stack) for stack in self.stacks.values()), default=1)
        self._cell = min(8.0, _TALLEST / self.most)
        self.height = 15 + self.most * self._cell

    def _columns(self) -> list[int]:
        if self._by_bank:
            return list(range(LANES))
        return sorted({self.request.address(lane) for lane in self.request.lanes})

    def _column(self, word: int) -> int:
        return word % LANES if self._by_bank else word

    def _words(self, lane: int) -> Sequence[int]:
        address = self.request.address(lane)
        return words_of(address, self.request.bytes, WORD) if self._by_bank else [address]

    def _stacks(self) -> Mapping[int, list[tuple[int, list[int]]]]:
        """For each column the words, each with its lanes: an atomic operation is alone."""
        stacks: dict[int, list[tuple[int, list[int]]]] = {column: [] for column in self.columns}
        for lane in self.request.lanes:
            for word in self._words(lane):
                stack = stacks[self._column(word)]
                same = next((lanes for w, lanes in stack if w == word), None)
                if same is None or self._is_atomic:
                    stack.append((word, [lane]))
                else:
                    same.append(lane)
        return stacks

    def _place(self, column: int) -> float:
        return _LEFT + (self.columns.index(column) + 0.5) * _STEP

    def place_of(self, lane: int) -> float:
        words = self._words(lane)
        return self._place(self._column(words[0])) + (len(words) - 1) * _STEP / 2

    def marks(self, y: float) -> list[Markup]:
        boxes = [(self._place(c) - _STEP / 2 + 0.5, y, _STEP - 1, 11) for c in self.columns]
        cells: dict[bool, list[Box]] = {True: [], False: []}
        for column, stack in self.stacks.items():
            x, height = self._place(column) - _STEP / 2 + 1, max(0.5, self._cell - 1)
            for row in range(len(stack)):
                is_needed = row < self.request.ideal
                top = y + 14 + row * self._cell
                cells[is_needed].append((x, top, _STEP - 2, height))
        marks = [rects(boxes, "grey")]
        if self._by_bank:
            marks += [text(self._place(c), y + 9, c, "on", "middle") for c in (0, 8, 16, 24, 31)]
        return [*marks, rects(cells[True], "blue"), rects(cells[False], "orange hatched")]

    def rows(self) -> Table:
        rows = [
            [column, word, _lanes(lanes)]
            for column, stack in self.stacks.items()
            for word, lanes in stack
        ]
        return Table([self.unit, "word" if self._by_bank else "byte", "lanes"], rows)

    def words(self) -> str:
        if self._by_bank:
            return f"32 banks, {plural(self.most, 'word')} in the busiest"
        addresses = plural(len(self.columns), "address", "addresses")
        return f"{addresses}, {plural(self.most, 'lane')} at one"


_Pattern = _Sectors | _Stacks


def _picture(line: Line, request: Request, pattern: _Pattern) -> Picture:
    marks, y = _panel(request, pattern, 4.0, f"This request: {pattern.words()}")
    if request.cost > request.ideal:
        best = ideal(request)
        other: _Pattern = _Sectors(best)
        if isinstance(pattern, _Stacks):
            other = _Stacks(best, is_atomic=line.is_atomic, by_bank=pattern.unit == "bank")
        more, y = _panel(best, other, y + 12, f"Ideal: {other.words()}")
        marks += more
    names = " and ".join(request.names) if len(request.names) < 3 else "each"
    title = f"{names[0].upper()}{names[1:]} request"
    return Picture(title, _caption(line, request), (_WIDTH, y), marks, pattern.rows())


def _panel(request: Request, pattern: _Pattern, y: float, words: str) -> tuple[list[Markup], float]:
    """The lanes, what they access, and lines between them; and where the next panel begins."""
    marks = [text(_LEFT, y + 10, words)]
    top = y + 16
    below = top + 13 + _FAN
    boxes: dict[bool, list[Box]] = {True: [], False: []}
    for lane in range(LANES):
        is_active = request.addresses[lane] is not None
        boxes[is_active].append((_LEFT + lane * _STEP + 0.5, top, _STEP - 1, 13))
    marks += [rects(boxes[True], "green"), rects(boxes[False], "grey empty")]
    for lane in (0, 8, 16, 24, 31):
        marks.append(text(_LEFT + (lane + 0.5) * _STEP, top + 10, lane, "on", "middle"))
    fan = [
        (_LEFT + (lane + 0.5) * _STEP, top + 13, pattern.place_of(lane), below)
        for lane in request.lanes
    ]
    marks.append(lines(fan, "grey thin"))
    marks += pattern.marks(below)
    return marks, below + pattern.height + 4


def _caption(line: Line, request: Request) -> str:
    unit = cost_unit(line)
    words = f"Block {request.block}, warp {request.warp}: {plural(request.cost, *unit)}"
    if request.cost == request.ideal:
        return f"{words}, which is ideal for {plural(len(request.lanes), 'lane')}."
    return f"{words} where {request.ideal} would do."


def legend(line: Line) -> str:
    """What the colours of the line's requests mean."""
    if line.space == "shared" and not line.is_atomic:
        return (
            "Green: the warp's lanes; grey: the 32 banks, with the words wanted from each. "
            "A bank serves one word at a time, so each row is a wavefront; those in orange with "
            "stripes are needed because of bank conflicts."
        )
    if line.is_atomic:
        return (
            "Green: the warp's lanes; below, who wants the same place. One is served after the "
            "other: those in orange with stripes wait."
        )
    return (
        f"Green: the warp's lanes; below, the sectors of {SECTOR} bytes that move. Blue: bytes "
        "that lanes use; orange with stripes: bytes that move for nothing."
    )


def cost_unit(line: Line) -> tuple[str, str]:
    """What a request of the line costs, one and many of it."""
    return unit_of(line.operation)


def unit_of(operation: str) -> tuple[str, str]:
    """What a request costs, one and many of it."""
    if operation.startswith("shared_"):
        return "wavefront", "wavefronts"
    if operation.endswith("_atomic"):
        return "lane at one address", "lanes at one address"
    return "sector", "sectors"


def mean_cost(unit: tuple[str, str], taken: float, ideal: float, requests: float) -> str:
    """What so many requests cost on average: 2 sectors a request, 1 would do."""
    mean, best = (f"{amount / max(1, requests):.3g}" for amount in (taken, ideal))
    return f"{mean} {unit[0] if mean == '1' else unit[1]} a request, {best} would do"


def _lanes(lanes: Sequence[int]) -> str:
    return ", ".join(
        str(begin) if end == begin + 1 else f"{begin} to {end - 1}" for begin, end in _ranges(lanes)
    )


def _ranges(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Ascending numbers as ranges of neighbours; the end is not in the range."""
    ranges: list[tuple[int, int]] = []
    for number in numbers:
        if ranges and ranges[-1][1] == number:
            ranges[-1] = (ranges[-1][0], number + 1)
        else:
            ranges.append((number, number + 1))
    return ranges


def histogram(line: Line) -> Markup | None:
    """How many requests cost how much, as bars; None if all cost the same."""
    counts: dict[int, int] = {}
    for taken, _, requests in line.costs:
        counts[taken] = counts.get(taken, 0) + requests
    if len(counts) < 2:
        return None
    most = Scale(0, max(counts.values()), 0, 120)
    rows = [
        tag(
            "tr",
            tag("td", plural(cost, *cost_unit(line))),
            tag("td", f"{requests:,}", class_="num"),
            tag("td", tag("span", class_="bar blue", style=f"width:{most(requests):.0f}px")),
        )
        for cost, requests in sorted(counts.items())
    ]
    head = tag("tr", tag("th", "cost"), tag("th", "requests"), tag("th"))
    return tag("table", tag("thead", head), tag("tbody", *rows), class_="costs")
