"""What changed from one handed-in file to the next, line by line."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Literal

_MOST_BYTES = 500_000
_MOST_WORK = 20_000_000
"""Pairs of equal lines times lines, to which difflib's time is proportional where it is worst:
students choose the files, and this is half a second."""
MOST_LINES = 5_000
"""Of a page: with sixty thousand it takes seconds to make."""
_AROUND = 3
_LONGEST = 400

Kind = Literal["same", "added", "removed", "gap"]


@dataclass(frozen=True)
class Line:
    """A line of one file or of both, or a note of how many are left out."""

    kind: Kind
    text: str
    old: int | None = None
    """Its number in the earlier file."""
    new: int | None = None


@lru_cache(maxsize=32)
def difference(old: str, new: str) -> list[Line] | None:
    """The lines that differ, with three around; empty if none does, None if there are too many."""
    if max(len(old), len(new)) > _MOST_BYTES:
        return None
    before, after = lines_of(old), lines_of(new)
    start, end = _common(before, after)
    middles = before[start : len(before) - end], after[start : len(after) - end]
    if _work(*middles) > _MOST_WORK:
        return None
    matcher = SequenceMatcher(None, *middles)
    blocks = [(0, 0, start)]
    blocks += [(a + start, b + start, size) for a, b, size in matcher.get_matching_blocks() if size]
    blocks.append((len(before) - end, len(after) - end, end))
    shown = list(_shown(before, after, blocks)) if before != after else []
    return shown if len(shown) <= MOST_LINES else None


def lines_of(text: str) -> list[str]:
    """A file's lines as a page shows them: each cut where nobody reads on."""
    lines = text.replace("\r\n", "\n").split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return lines


def _common(before: list[str], after: list[str]) -> tuple[int, int]:
    """How many lines both files begin and end with."""
    most = min(len(before), len(after))
    start = next((n for n in range(most) if before[n] != after[n]), most)
    rest = most - start
    end = next((n for n in range(rest) if before[-1 - n] != after[-1 - n]), rest)
    return start, end


def _work(before: list[str], after: list[str]) -> int:
    counts = Counter(before), Counter(after)
    pairs = sum(count * counts[1][line] for line, count in counts[0].items())
    return (pairs + 1) * max(len(before), len(after))


def _shown(
    before: list[str], after: list[str], blocks: list[tuple[int, int, int]]
) -> Iterator[Line]:
    """Blocks are runs of equal lines (in the earlier file, in the later one, how many)."""
    old = new = 0
    for a, b, size in blocks:
        yield from (Line("removed", _cut(before[n]), old=n + 1) for n in range(old, a))
        yield from (Line("added", _cut(after[n]), new=n + 1) for n in range(new, b))
        first, last = a == b == 0, a + size == len(before) and b + size == len(after)
        yield from _same(before, a, b, size, 0 if first else _AROUND, 0 if last else _AROUND)
        old, new = a + size, b + size


def _same(before: list[str], a: int, b: int, size: int, head: int, tail: int) -> Iterator[Line]:
    """A run of equal lines: its first `head` and last `tail`, and how many are between."""
    hidden = size - head - tail
    for n in range(size):
        if hidden > 1 and n == head:
            yield Line("gap", f"{hidden} lines are the same")
        if hidden <= 1 or not head <= n < size - tail:
            yield Line("same", _cut(before[a + n]), a + n + 1, b + n + 1)


def _cut(line: str) -> str:
    text = line.replace("\n", " ").expandtabs(4)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"
