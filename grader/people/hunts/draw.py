"""Draws each student's faults, by a secret key: the same key gives the same faults again."""

from collections.abc import Iterator, Sequence

from grader.judging.hunts.book import Fault
from grader.model.errors import GraderError
from grader.people.hunts.faults import ranked


def draw(
    key: str, roster: Sequence[str], faults: Sequence[Fault], count: int, kept: dict[str, list[str]]
) -> dict[str, list[str]]:
    """The names of each student's faults, in the order of the roster.

    Everyone gets equally many that the lab's public test detects: half, if the lab has them. No two
    neighbours of the roster share one. `kept` are those of students who have theirs already.
    GraderError where a lab has too few.
    """
    half = count // 2
    for hard in sorted(range(count + 1), key=lambda hard: abs(hard - half)):
        drawn = _draw(key, roster, faults, count, kept, hard)
        if drawn is not None:
            return drawn
    raise GraderError(
        f"{len(faults)} faults are too few for {count} to each of {len(roster)} students",
        "ask for fewer with --faults, or for more mutants with --mutants",
    )


def _draw(
    key: str,
    roster: Sequence[str],
    faults: Sequence[Fault],
    count: int,
    kept: dict[str, list[str]],
    hard: int,
) -> dict[str, list[str]] | None:
    """With `hard` faults for each student that the public test does not detect."""
    drawn: dict[str, list[str]] = {}
    for place, student in enumerate(roster):
        beside = {*kept.get(roster[place + 1], ())} if place + 1 < len(roster) else set()
        if place:
            beside |= {*drawn[roster[place - 1]]}
        mine = kept.get(student)
        if mine is None:
            left = [fault for fault in faults if fault.name not in beside]
            chosen = next(_choices(ranked(key, student, left), count, hard), None)
            if chosen is None:
                return None
            mine = [fault.name for fault in sorted(chosen, key=lambda fault: fault.edits[0].begin)]
        drawn[student] = mine
    return drawn


def _choices(faults: Sequence[Fault], count: int, hard: int) -> Iterator[list[Fault]]:
    """Faults that one program can have, `hard` of them not detected by the public test."""
    if not count:
        if not hard:
            yield []
        return
    for place, fault in enumerate(faults):
        left_hard = hard - (not fault.detected)
        if 0 <= left_hard < count:
            rest = [other for other in faults[place + 1 :] if fault.fits(other)]
            for others in _choices(rest, count - 1, left_hard):
                yield [fault, *others]
