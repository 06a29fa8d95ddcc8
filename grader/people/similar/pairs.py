"""From a class's texts to the pairs that share most."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from grader.people.similar.sim import Run, Share, Sim

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
    is_earlier: Sequence[bool]
    """Whether a text is of earlier terms alone: these are not compared with each other."""


def group(texts: Mapping[str, str], own: Mapping[str, str], earlier: Collection[str] = ()) -> Texts:
    """Students with the same text are one entry; `own`: their texts without the given.

    `earlier` are the students of earlier terms.
    """
    by_text: dict[str, list[str]] = {}
    for student in sorted(texts):
        by_text.setdefault(texts[student], []).append(student)
    students = [tuple(names) for names in by_text.values()]
    is_earlier = [all(name in earlier for name in names) for names in students]
    return Texts(students, list(by_text), [own[names[0]] for names in students], is_earlier)


def most_alike(sim: Sim, texts: Texts, at_least: int, most: int) -> list[Pair]:
    """At most `most` pairs that share `at_least` percent, most alike first."""
    tokens = sim.tokens()
    long_enough = {number for number, count in tokens.items() if count >= SHORTEST}
    close = list(_distinct(sim.candidates(max(1, at_least // 3)), long_enough))
    looked = _Looked(sim, at_least, _LOOKED_AT * most)
    for left, right in close[: _LOOKED_AT * most]:
        looked.at(left, right)
    # The candidates count each run for one other text, so of a group of copies they name a few
    # pairs, and perhaps not how these hang together.
    for left, right in combinations(sorted(min(copies) for copies in looked.groups()), 2):
        looked.at(left, right)
    for copies in looked.groups():
        for left, right in combinations(sorted(copies), 2):
            looked.at(left, right)
    found = [
        (left, right, percents)
        for (left, right), percents in looked.shares.items()
        if max(percents) >= at_least and not (texts.is_earlier[left] and texts.is_earlier[right])
    ]
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


class _Looked:
    """The pairs that were compared closely, at most three times `most`."""

    def __init__(self, sim: Sim, at_least: int, most: int) -> None:
        self._sim = sim
        self._at_least = at_least
        self._left = 3 * most
        self.shares: dict[tuple[int, int], tuple[int, int]] = {}

    def at(self, left: int, right: int) -> None:
        if (left, right) not in self.shares and self._left > 0:
            self._left -= 1
            self.shares[left, right] = self._sim.shares(left, right)

    def groups(self) -> list[set[int]]:
        """Texts that share enough, also by way of others."""
        groups: list[set[int]] = []
        for pair, percents in self.shares.items():
            if max(percents) >= self._at_least:
                apart = [copies for copies in groups if copies.isdisjoint(pair)]
                joined = [copies for copies in groups if not copies.isdisjoint(pair)]
                groups = [*apart, set(pair).union(*joined)]
        return groups


def _distinct(shares: Sequence[Share], long_enough: set[int]) -> Iterator[tuple[int, int]]:
    seen: set[tuple[int, int]] = set()
    for share in shares:
        pair = min(share.of, share.other), max(share.of, share.other)
        if pair not in seen and long_enough.issuperset(pair):
            seen.add(pair)
            yield pair
