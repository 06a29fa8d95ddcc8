"""The rows of a derivation add up to the stored points, and say what each point came from."""

import pytest

from grader.model.lab import Ceiling, Feedback, Lab, Parallelism
from grader.model.result import CaseResult, ParallelismResult, Result
from grader.model.share import part_points
from grader.model.verdict import Verdict
from grader.pages.presentation.derivation import Derivation, PartDerivation, derive, sum_of
from grader.pages.presentation.tests.made_up_class import (
    LAB,
    counted_lab,
    counted_result,
    made_up_class,
    make_result,
)


def parallel_lab() -> Lab:
    """counted_lab() with points for parallelism in its first part, at the cost of its tests."""
    asked = Parallelism(suite="SumPartialTiming", points=5, full=2.5, zero=1.5)
    first = counted_lab().parts[0].model_copy(update={"points": 15, "parallelism": asked})
    return counted_lab().model_copy(update={"parts": [first, LAB.parts[1]]})


def parallel_result(share: float, points: float) -> Result:
    """A right submission to parallel_lab() that earns this share."""
    result = counted_result(0.95, "Add", "")
    result.parts[0].parallelism = ParallelismResult(
        value=1.5 + share,
        full=2.5,
        zero=1.5,
        decision="between",
        share=share,
        points=points,
        max_points=5,
    )
    for part, planned in zip(result.parts, parallel_lab().parts, strict=True):
        part.points = part_points(part, planned)
    result.points = sum(part.points for part in result.parts)
    return result


def added(part: PartDerivation) -> float:
    return sum(row.points for row in part.rows if row.is_added)


def rows(derivation: Derivation, source: str) -> list[str]:
    return [row.why for part in derivation.parts for row in part.rows if row.source == source]


def test_the_rows_of_every_part_add_up_to_its_points_whatever_the_verdict() -> None:
    for result in made_up_class(60):
        for part in derive(result, LAB).parts:
            assert added(part) == pytest.approx(part.points, abs=0.005), part


@pytest.mark.parametrize(("share", "points"), [(0.0, 0.0), (0.3337, 1.67), (0.5, 2.5), (1.0, 5.0)])
def test_rows_add_up_after_parallelism_has_multiplied_some_of_them(
    share: float, points: float
) -> None:
    result = parallel_result(share, points)
    (part, _) = derive(result, parallel_lab()).parts
    assert added(part) == pytest.approx(part.points, abs=0.005)
    assert [row.source for row in part.rows if not row.is_added] == (
        [] if share == 1 else ["time", "counter"]
    )


def test_the_sum_is_written_as_one_would_add_it_up() -> None:
    result = parallel_result(0.5, 2.5)
    (part, _) = derive(result, parallel_lab()).parts
    product = next(row.points for row in part.rows if row.source == "product")
    assert sum_of(part) == f"15 + {product:g} + 2.5 = {part.points:g}"


def test_a_share_is_given_with_its_formula_and_the_end_of_the_interval_that_counts() -> None:
    result = make_result("s", Verdict.ACCEPTED, Verdict.ACCEPTED)
    timing = result.parts[0].timing
    assert timing
    result.parts[0].timing = timing.model_copy(update={"ratio": 2.2, "low": 2.0, "high": 2.4})
    (why, _) = rows(derive(result, LAB), "time")
    assert "(4 - 2) / (4 - 1.5) = 0.8000 of 20 points." in why


def test_a_wrong_part_has_a_row_of_0_for_each_of_its_sources() -> None:
    result = make_result("s", Verdict.WRONG_ANSWER, Verdict.ACCEPTED)
    (part, _) = derive(result, parallel_lab()).parts
    found = [(row.source, row.points, row.max_points) for row in part.rows]
    expected = [("tests", 0, 15), ("time", 0, 20), ("counter", 0, 10), ("parallelism", 0, 5)]
    assert found == expected
    assert "First failing case: SumPartialTest.AddsEveryElementOnce" in part.rows[0].why


def test_a_student_sees_no_more_than_the_labs_feedback_allows() -> None:
    result = make_result("s", Verdict.WRONG_ANSWER, Verdict.ACCEPTED)
    result.parts[0].cases = [
        CaseResult(phase="tests", test="SumPartialTest.Secret", verdict=Verdict.ACCEPTED)
    ]
    assert "Secret" in derive(result, LAB).model_dump_json()
    for hidden, shown in (("first_difference", True), ("case", False), ("verdict", False)):
        lab = LAB.model_copy(update={"feedback": Feedback.model_validate({"hidden": hidden})})
        text = derive(result, lab, for_student=True).model_dump_json()
        assert "Secret" not in text
        assert ("expected 3.5" in text) == shown
        assert ("AddsEveryElementOnce" in text) == (hidden != "verdict")


def test_names_the_ceilings_of_the_lab() -> None:
    ceilings = {"one_thread": Ceiling(most=35), "one_lock": Ceiling(most=55, why="it is short")}
    lab = LAB.model_copy(update={"ceilings": ceilings})
    found = derive(make_result("s", Verdict.ACCEPTED, Verdict.ACCEPTED), lab).ceilings
    expected = [("one_lock", 55, "it is short"), ("one_thread", 35, "")]
    assert [(entry.name, entry.most, entry.why) for entry in found] == expected
