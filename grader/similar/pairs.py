"""From a class's texts to the pairs that share most."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from grader.similar.sim import Run, Share, Sim

SHORTEST = 60
"""Tokens: what is shorter is alike in all submissions."""
_LOOKED_AT = 4
"""Candidates looked at for each pair that is shown."""


@dataclass(frozen=True)
class Pair:
    """Two texts, by the students who handed each of them in."""

    left: tuple[str, ...]
    right: tuple[str, ...]
    left_percent: int
    """Of its tokens, how many are in the other one as well."""
    right_percent: int
    left_text: str
    right_text: str
    runs: tuple[Run, ...]

    @property
    def percent(self) -> int:
        return max(self.left_percent, self.right_percent)


@dataclass(frozen=True)
class Texts:
    """The different texts of a class, and what students wrote of each themselves."""

    students: Sequence[tuple[str, ...]]
    whole: Sequence[str]
    own: Sequence[str]


def group(texts: Mapping[str, str], own: Mapping[str, str]) -> Texts:
    """Students with the same text are one entry; `own`: their texts without the given."""
    by_text: dict[str, list[str]] = {}
    for student in sorted(texts):
        by_text.setdefault(texts[student], []).append(student)
    students = [tuple(names) for names in by_text.values()]
    return Texts(students, list(by_text), [own[names[0]] for names in students])


def most_alike(sim: Sim, texts: Texts, at_least: int, most: int) -> list[Pair]:
    """At most `most` pairs that share `at_least` percent, most alike first."""
    tokens = sim.tokens()
    long_enough = {number for number, count in tokens.items() if count >= SHORTEST}
    close = list(_distinct(sim.candidates(max(1, at_least // 3)), long_enough))
    found = []
    for left, right in close[: _LOOKED_AT * most]:
        percents = sim.shares(left, right)
        if max(percents) >= at_least:
            found.append((left, right, percents))
    found.sort(key=lambda entry: (-max(entry[2]), -min(entry[2]), entry[:2]))
    return [
        Pair(
            texts.students[left],
            texts.students[right],
            *percents,
            texts.whole[left],
            texts.whole[right],
            tuple(sim.runs(left, right)),
        )
        for left, right, percents in found[:most]
    ]


def _distinct(shares: Sequence[Share], long_enough: set[int]) -> Iterator[tuple[int, int]]:
    seen: set[tuple[int, int]] = set()
    for share in shares:
        pair = min(share.of, share.other), max(share.of, share.other)
        if pair not in seen and long_enough.issuperset(pair):
            seen.add(pair)
            yield pair
