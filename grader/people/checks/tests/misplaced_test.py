"""Reports on thresholds on counters that the reference misses or that no sample misses."""

import pytest

from grader.model.result import Result
from grader.pages.presentation.tests.made_up_class import counted_lab, counted_result
from grader.people.checks.reachable_counters import misplaced


def told(reference: float | None, *samples: float) -> list[str]:
    def result(value: float) -> Result:
        return counted_result(value, "Add", "")

    best = None if reference is None else result(reference)
    return list(misplaced(counted_lab(), best, [result(value) for value in samples]))


def test_a_threshold_that_the_reference_holds_and_a_sample_misses_is_well_placed() -> None:
    assert told(1, 1, 0.125) == []


def test_a_threshold_that_the_reference_misses_is_named_with_both_figures() -> None:
    (line,) = told(0.8, 0.125)
    assert "SumPartial: global_efficiency: the reference reaches 0.8 in Add" in line
    assert "required is at least 0.9" in line


@pytest.mark.parametrize("samples", [(), (1,), (1, 0.95)])
def test_a_threshold_that_no_sample_misses_is_named(samples: tuple[float, ...]) -> None:
    (line,) = told(1, *samples)
    assert "SumPartial: global_efficiency: no sample misses it" in line
    assert "too_slow" in line
