"""What a diagnosis and a fixed program are worth, once it is known what ran how."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

from grader.judging.hunts.book import Fault, Hunt
from grader.judging.hunts.diagnosis import Entry
from grader.judging.hunts.program import edits, plain
from grader.judging.hunts.rules import Rules

_MOST_MORE = 200
"""Lines by which a text may be longer or shorter and still be compared: comparing takes long."""
_WIDTH = 100
"""Characters of a line: a longer one counts as several, or one could hold another program."""


def changed_lines(program: str, fixed: str) -> int:
    """How many lines were changed, comments and white space at the ends of lines aside.

    Of texts whose lengths differ more than by any change, a lower bound.
    """
    old, new = _narrow(plain(program)), _narrow(plain(fixed))
    if abs(len(old) - len(new)) > _MOST_MORE:
        return abs(len(old) - len(new))
    return sum(edit.size for edit in edits(old, new))


def _narrow(lines: Sequence[str]) -> list[str]:
    return [
        line[begin : begin + _WIDTH]
        for line in lines
        for begin in range(0, max(len(line), 1), _WIDTH)
    ]


@dataclass(frozen=True)
class Marks:
    """Of one entry of the diagnosis."""

    lines: bool = False
    kind: bool = False
    test: bool = False
    needs_test: bool = True
    """False for a fault that no plain test can show; its points are then those of the rest."""

    def points(self, rules: Rules, faults: int) -> float:
        each = rules.points
        total = each.lines + each.kind + each.test
        asked = each.lines + each.kind + (each.test if self.needs_test else 0)
        got = each.lines * self.lines + each.kind * self.kind
        got += each.test * (self.test and self.needs_test)
        return got * total / asked / faults


def marks(
    rules: Rules,
    hunt: Hunt,
    entries: Sequence[Entry | None],
    shows: Sequence[Sequence[bool]],
) -> list[Marks]:
    """Of each entry, each for another fault so that the student gets most.

    shows[i][j]: whether the test of entry i shows fault j of the hunt.
    """
    faults = hunt.faults
    table = [
        [_marks(rules, hunt, fault, entry, shows[i][j]) for j, fault in enumerate(faults)]
        for i, entry in enumerate(entries)
    ]
    ways = (
        [row[j] for row, j in zip(table, order, strict=True)]
        for order in permutations(range(len(faults)))
    )
    return max(ways, key=lambda way: sum(mark.points(rules, len(faults)) for mark in way))


def _marks(rules: Rules, hunt: Hunt, fault: Fault, entry: Entry | None, shown: bool) -> Marks:
    needs_test = fault.testable
    if entry is None:
        return Marks(test=shown, needs_test=needs_test)
    named = entry.named
    lines = len(named) <= rules.named.of(fault.size) and bool(hunt.lines(fault) & set(named))
    kind = lines and entry.kind == fault.kind and bool(entry.remedy.strip())
    return Marks(lines, kind, shown, needs_test)
