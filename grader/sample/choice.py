"""Which of a lab's samples sit in the bundled class: few enough to grade while one waits."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from grader.model.verdict import Verdict
from grader.sample.samples import Sample

CLASS_SIZE = 11
_ACCEPTED = 2
_MIN_WRONG = 8
_TYPICAL = frozenset({Verdict.WRONG_ANSWER, Verdict.DATA_RACE, Verdict.OUT_OF_BOUNDS})


def choose(found: Sequence[Sample]) -> list[Sample]:
    """The same every time: two accepted, one of each other verdict, hostile ones first, then
    more mistakes of the usual kinds; mixed up, so that neighbours seldom share a verdict.

    CLASS_SIZE samples, or more where the verdicts alone are more.
    """
    mixed = sorted(found, key=lambda sample: hashlib.sha256(sample.name.encode()).digest())
    chosen = [sample for sample in mixed if not sample.is_wrong][:_ACCEPTED]
    wrong = sorted((s for s in mixed if s.is_wrong), key=lambda sample: not sample.is_hostile)
    firsts: dict[Verdict, Sample] = {}
    for sample in wrong:
        firsts.setdefault(sample.expected, sample)
    chosen += firsts.values()
    room = max(CLASS_SIZE - len(chosen), _MIN_WRONG - len(firsts))
    chosen += _most_wanted(sample for sample in wrong if sample not in chosen)[: max(room, 0)]
    return sorted(chosen, key=mixed.index)


def _most_wanted(left: Iterable[Sample]) -> list[Sample]:
    def rank(sample: Sample) -> tuple[bool, bool]:
        return (not sample.is_hostile, sample.expected not in _TYPICAL)

    return sorted(left, key=rank)
