"""Which faults count."""

import pytest

from grader.judging.student_tests.choice import (
    OF_EACH,
    choose,
    has_few,
    is_wanted,
    share,
    without_faults,
)
from grader.judging.student_tests.programs import Fault
from grader.model.verdict import Verdict


def faults(missed: int, detected: int, part: str = "Sum") -> list[Fault]:
    return [
        Fault(
            library=f"{public}{number}.so",
            part=part,
            kind=Verdict.WRONG_ANSWER,
            case="",
            public=public,
        )
        for public, many in ((False, missed), (True, detected))
        for number in range(many)
    ]


def test_few_of_each_sort_count() -> None:
    chosen = choose(faults(9, 9), ["Sum"])
    assert [fault.public for fault in chosen] == [False] * OF_EACH + [True] * OF_EACH


def test_who_hands_in_the_public_test_earns_a_third_where_it_misses_as_many_as_it_detects() -> None:
    chosen = faults(3, 3)
    assert share([fault for fault in chosen if fault.public], chosen) == pytest.approx(1 / 3)
    assert share(chosen, chosen) == 1


def test_few_that_the_public_test_detects_count_where_it_misses_few() -> None:
    assert [fault.public for fault in choose(faults(1, 9), ["Sum"])] == [False, True, True]
    assert len(choose(faults(0, 9), ["Sum"])) == OF_EACH


def test_a_part_without_faults_is_named_and_earns_nothing() -> None:
    assert without_faults(faults(1, 1, "Sum"), ["Sum", "Scan"]) == ["Scan"]
    assert share([], []) == 0


def test_each_part_has_faults_of_its_own() -> None:
    found = faults(1, 1, "Sum") + faults(1, 1, "Scan")
    assert [fault.part for fault in choose(found, ["Sum", "Scan"])] == ["Sum"] * 2 + ["Scan"] * 2


def test_of_either_sort_more_are_looked_for_until_a_part_has_enough() -> None:
    found = faults(OF_EACH, OF_EACH - 1)
    assert is_wanted(found, "Sum", public=True)
    assert not is_wanted(found, "Sum", public=False)
    assert is_wanted(found, "Scan", public=False)


def test_a_part_has_few_as_long_as_the_public_test_misses_one_fault_at_most() -> None:
    assert has_few(faults(1, OF_EACH), "Sum")
    assert not has_few(faults(2, 0), "Sum")
