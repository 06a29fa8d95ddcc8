"""Which faults count, and how much: the public test, handed in as it is, is to earn little."""

from collections.abc import Iterable, Sequence

from grader.judging.student_tests.programs import Fault

OF_EACH = 4
"""At most, for each part: faults that the public test detects, and faults that it misses."""
_FEW = 2
_LEAST_DETECTED = 2
"""Of those that it detects there are no more than of the others, or this many."""
_OF_MISSED = 2
"""What a fault that the public test misses counts, beside one that it detects."""


def is_wanted(found: Sequence[Fault], part: str, *, public: bool) -> bool:
    """Whether a part needs another fault that the public test detects, or misses."""
    return len(_of(found, part, public=public)) < OF_EACH


def has_few(found: Sequence[Fault], part: str) -> bool:
    """Whether the public test, handed in as it is, would earn half of a part or more."""
    return len(_of(found, part, public=False)) < _FEW


def choose(found: Sequence[Fault], parts: Sequence[str]) -> list[Fault]:
    """For each part the first of each sort; all of one sort where there is no other."""
    chosen: list[Fault] = []
    for part in parts:
        missed = _of(found, part, public=False)[:OF_EACH]
        most = max(_LEAST_DETECTED, len(missed)) if missed else OF_EACH
        chosen += missed + _of(found, part, public=True)[:most]
    return chosen


def share(detected: Iterable[Fault], faults: Sequence[Fault]) -> float:
    """Of a part's points; nothing is shown where it has no faults."""
    return _worth(detected) / _worth(faults) if faults else 0


def without_faults(faults: Iterable[Fault], parts: Sequence[str]) -> list[str]:
    """The parts of which no test can show anything."""
    found = {fault.part for fault in faults}
    return [part for part in parts if part not in found]


def _worth(faults: Iterable[Fault]) -> int:
    return sum(1 if fault.public else _OF_MISSED for fault in faults)


def _of(found: Sequence[Fault], part: str, *, public: bool) -> list[Fault]:
    return [fault for fault in found if (fault.part, fault.public) == (part, public)]
