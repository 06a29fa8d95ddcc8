"""Which elements of an array are wrong, read from the phrase of common/lab/testing/error_pattern.h.

A phrase has a few numbers alone, so a picture of it shows no more than its sentence says.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_AXES = ("slice", "row", "column")
_N = r"\d{1,12}"
_ORDINAL = rf"({_N})(?:st|nd|rd|th)"
_ENDS = rf"from ({_N}) to ({_N}|the end)"
_BUT_FOR = rf"(?: but for ({_N}))?"
_LIST = rf"{_N}(?: to {_N})?(?:(?:, | and ){_N}(?: to {_N})?)*"
_MOST = 1 << 40


@dataclass(frozen=True)
class Positions:
    """Elements low to high whose number, divided by the period, leaves one of the remainders."""

    low: int
    high: int
    period: int = 1
    inside: Sequence[int] = (0,)
    """The remainders, which ascend."""

    def share(self, begin: int, end: int) -> float:
        """How much of begin to end-1 is wrong; more than 0 if any element is."""
        low, high = max(begin, self.low), min(end, self.high + 1)
        if low >= high or begin >= end:
            return 0
        return (self._before(high) - self._before(low)) / (end - begin)

    def _before(self, index: int) -> int:
        """How many elements there are before this one, as if `low` were 0."""
        periods, rest = divmod(index, self.period)
        return periods * len(self.inside) + bisect_left(self.inside, rest)


@dataclass(frozen=True)
class Grid:
    """Rows and columns of a slice: wrong where both are among these, or one if `is_union`."""

    rows: int
    columns: int
    among: tuple[Positions, Positions]
    is_union: bool
    is_inside: bool = False
    """Whether the first and the last row and column are right."""

    def wrong(self, rows: int, columns: int) -> list[str]:
        """Of so many equal parts of the rows and of the columns, which have a wrong element: 1."""
        across, down = (
            [self._hit(positions, part, extent) for part in parts_of(extent, parts)]
            for positions, extent, parts in zip(
                self.among, (self.rows, self.columns), (rows, columns), strict=True
            )
        )
        least = 1 if self.is_union else 2
        return ["".join("01"[row + cell >= least] for cell in down) for row in across]

    def _hit(self, positions: Positions, part: range, extent: int) -> int:
        """Whether a part of the rows or columns has one of those: 0 or 1; -1 on the border."""
        begin, end = part.start, part.stop
        if self.is_inside:
            begin, end = max(begin, 1), min(end, extent - 1)
        return int(positions.share(begin, end) > 0) if begin < end else -1


def parts_of(size: int, parts: int) -> Iterator[range]:
    """Equal parts of 0 .. size-1."""
    for part in range(parts):
        yield range(size * part // parts, size * (part + 1) // parts)


def positions_in(phrase: str, size: int) -> Positions | None:
    """The elements that a phrase about one dimension names; None if it names none for certain."""
    if phrase == "all":
        return Positions(0, size - 1)
    if match := re.fullmatch(rf"{_ENDS}{_BUT_FOR}", phrase):
        return Positions(*_ends(match[1], match[2], size))
    if match := re.fullmatch(rf"every {_ORDINAL} {_ENDS}{_BUT_FOR}", phrase):
        step, (low, high) = int(match[1]), _ends(match[2], match[3], size)
        return Positions(low, high, step, (low % step,)) if step else None
    if match := re.fullmatch(rf"(all but )?({_LIST}) of each ({_N})(?: {_ENDS})?", phrase):
        period = int(match[3])
        if not 0 < period <= 1 << 16:
            return None
        named = _numbers(match[2], period)
        inside = sorted(set(range(period)) - named if match[1] else named)
        low, high = _ends(match[4] or "0", match[5] or "the end", size)
        return Positions(low, high, period, inside)
    if re.fullmatch(_LIST, phrase):
        listed = sorted(_numbers(phrase, min(size, 1 << 16)))
        return Positions(0, size - 1, max(size, 1), listed) if listed else None
    return None


def grid_in(phrase: str) -> Grid | None:
    """The rows and columns that a phrase about a grid names."""
    match = re.fullmatch(
        rf"(.+?)( inside the border)? in (?:({_N}) slices of )?({_N}) rows of ({_N}){_BUT_FOR}",
        phrase,
    )
    if not match:
        return None
    rows, columns = min(int(match[4]), _MOST), min(int(match[5]), _MOST)
    is_union = " or " in match[1]
    extents = {"row": rows, "column": columns}
    nothing = Positions(0, -1)
    found = {
        axis: nothing if is_union else Positions(0, extent - 1) for axis, extent in extents.items()
    }
    start = rf"(?=slice|row|column|every {_N}\w\w (?:slice|row|column))"
    for term in re.split(rf" (?:of|or) {start}", match[1]):
        axis = next((name for name in _AXES if re.search(rf"\b{name}s?\b", term)), "")
        if axis not in extents:
            continue
        said = re.sub(rf"^{axis}s? | {axis}(?= from)", "", term)
        positions = positions_in(said, extents[axis])
        if positions is None:
            return None
        found[axis] = positions
    return Grid(rows, columns, (found["row"], found["column"]), is_union, bool(match[2]))


def _ends(first: str, last: str, size: int) -> tuple[int, int]:
    return int(first), size - 1 if last == "the end" else int(last)


def _numbers(listed: str, limit: int) -> set[int]:
    """Those below the limit of `0, 8 and 16 to 31`."""
    found: set[int] = set()
    for part in re.split(", | and ", listed):
        ends: Sequence[int] = [int(number) for number in part.split(" to ")]
        found.update(range(ends[0], min(ends[-1] + 1, limit)))
    return found
