import pytest

from grader.pages.presentation.tests.made_up_class import LAB, made_up_class
from grader.people.appeals.recompute import GradeAgainError, recomputed


def test_points_of_another_kind_than_a_labs_are_not_computed() -> None:
    result = next(iter(made_up_class(1)))
    assert recomputed(result, LAB, LAB, "kit").points == result.points
    result.parts[0].of_kind = "tests"
    with pytest.raises(GradeAgainError, match="only a lab's points"):
        recomputed(result, LAB, LAB, "kit")
