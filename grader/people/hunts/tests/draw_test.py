"""Who gets which faults."""

from itertools import pairwise

import pytest

from grader.judging.hunts.book import Fault
from grader.judging.hunts.program import Edit
from grader.model.errors import GraderError
from grader.model.verdict import Verdict
from grader.people.hunts.draw import draw

ROSTER = [f"student{number:02d}" for number in range(30)]


def _fault(number: int, *, detected: bool, base: str = "a.cc", line: int | None = None) -> Fault:
    edit = Edit(10 * number if line is None else line, 1, ("wrong",))
    return Fault(
        name=f"{base} {number}",
        base=base,
        kind=Verdict.DATA_RACE,
        edits=(edit,),
        detected=detected,
    )


FAULTS = [_fault(number, detected=number % 2 == 0) for number in range(8)]
FAULTS += [_fault(number, detected=number % 2 == 0, base="b.cc") for number in range(8)]
BY_NAME = {fault.name: fault for fault in FAULTS}


def test_the_same_key_draws_the_same_and_another_one_others() -> None:
    drawn = draw("key", ROSTER, FAULTS, 2, {})
    assert drawn == draw("key", ROSTER, FAULTS, 2, {})
    assert drawn != draw("other", ROSTER, FAULTS, 2, {})


def test_neighbours_share_no_fault_and_programs_can_have_both() -> None:
    drawn = draw("key", ROSTER, FAULTS, 2, {})
    assert list(drawn) == ROSTER
    for one, other in pairwise(drawn.values()):
        assert not {*one} & {*other}
    for first, second in drawn.values():
        assert BY_NAME[first].fits(BY_NAME[second])


def test_all_have_equally_many_that_the_public_test_detects() -> None:
    drawn = draw("key", ROSTER, FAULTS, 3, {})
    detected = [[BY_NAME[name].detected for name in names] for names in drawn.values()]
    assert {sum(each) for each in detected} == {2}


@pytest.mark.parametrize("detected", [True, False])
def test_where_the_public_test_detects_all_or_none_everyone_gets_such(*, detected: bool) -> None:
    alike = [fault for fault in FAULTS if fault.detected == detected]
    assert len(draw("key", ROSTER, alike, 2, {})) == len(ROSTER)


def test_a_second_draw_keeps_what_students_have() -> None:
    first = draw("key", ROSTER[:10], FAULTS, 2, {})
    second = draw("key", ROSTER, FAULTS, 2, first)
    assert {name: second[name] for name in first} == first


def test_too_few_faults_are_said() -> None:
    overlapping = [_fault(number, detected=True, line=5) for number in range(8)]
    with pytest.raises(GraderError, match="8 faults are too few for 2 to each of 30"):
        draw("key", ROSTER, overlapping, 2, {})
