"""How code scales, as students and instructors read it in every report."""

from __future__ import annotations

import io
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.console import Console

from grader.model.result import Result, ScalingResult
from grader.model.verdict import Verdict
from grader.report.charts import scaling_curve
from grader.report.facts import flags, split_points
from grader.report.feedback import write_feedback
from grader.report.html import write_report
from grader.report.scaling_words import scaling_words, serial_text
from grader.report.terminal import print_student, print_summary
from grader.report.tests.made_up_class import LAB, make_result, scaled_lab, scaled_result

POOR = "Your code is 1.20 times as fast with 4 threads as with one, the reference 3.60 times"
MISSING = "Not measured: 2 free cores are needed, 1 was free on this machine"


def scaling_of(result: Result) -> ScalingResult:
    scaling = result.parts[0].scaling
    assert scaling
    return scaling


def test_a_measurement_tells_speedups_serial_fractions_ratio_and_points() -> None:
    assert scaling_words(scaling_of(scaled_result(1.2))) == (
        f"{POOR}. By Amdahl's law about 78 % of the work runs on one thread, of the reference's "
        "about 4 %. From one thread to 4 the time relative to the reference's grows by a factor of "
        "3.00 (interval 2.91 to 3.09, 12 rounds): at or above the threshold for no points. All 10 "
        "points for scaling up to 1.2, none from 1.6; you have 0."
    )


def test_missing_cores_are_named_and_cost_nothing() -> None:
    words = scaling_words(scaling_of(scaled_result(None)))
    assert words == f"{MISSING}. You have all 10 points for scaling."


@pytest.mark.parametrize(
    ("fraction", "text"),
    [(0, "less than 1 %"), (0.004, "less than 1 %"), (0.038, "about 4 %"), (1, "about 100 %")],
)
def test_a_fraction_is_a_share_in_whole_percent(fraction: float, text: str) -> None:
    assert serial_text(fraction) == text


def test_points_for_scaling_are_parted_from_the_others() -> None:
    split = split_points(scaled_result(1.2).parts[0], scaled_lab())
    assert (split.scaling, split.scaling_max, split.tests_max, split.timing_max) == (0, 10, 20, 20)
    wrong = make_result("s", Verdict.WRONG_ANSWER, Verdict.ACCEPTED)
    split = split_points(wrong.parts[0], scaled_lab())
    assert (split.scaling, split.scaling_max) == (0, 10)


def test_what_the_machine_could_not_measure_flags_no_submission() -> None:
    assert not any("scaling" in flag for flag in flags(scaled_result(None)))


def test_doubts_about_a_measurement_are_flagged_with_their_part() -> None:
    result = scaled_result(3.5)
    assert not any("scaling" in flag for flag in flags(result))
    assert result.parts[0].scaling is not None
    result.parts[0].scaling.flagged = "scaling: undecided after 60 pairs"
    assert "Partial sums: scaling: undecided after 60 pairs" in flags(result)


@pytest.mark.parametrize(
    ("not_scaled", "words"), [(1, "1 submission was"), (2, "2 submissions were")]
)
def test_a_class_is_told_once_what_the_machine_could_not_measure(
    not_scaled: int, words: str, tmp_path: Path
) -> None:
    results = [scaled_result(None) for _ in range(not_scaled)] + [scaled_result(3.5)]
    page = write_report(results, scaled_lab(), tmp_path).read_text(encoding="utf-8")
    out = io.StringIO()
    print_summary(results, scaled_lab(), Console(file=out, width=600))
    for text in (page, out.getvalue()):
        assert text.count(f"Partial sums: {words} not measured for scaling") == 1


def test_a_class_that_was_measured_is_told_nothing(tmp_path: Path) -> None:
    page = write_report([scaled_result(3.5)], scaled_lab(), tmp_path).read_text(encoding="utf-8")
    assert "not measured for scaling" not in page


@pytest.mark.parametrize(("student", "words"), [(1.2, POOR), (None, MISSING)])
def test_feedback_page_and_terminal_say_it_alike(
    student: float | None, words: str, tmp_path: Path
) -> None:
    result = scaled_result(student)
    page = write_report([result], scaled_lab(), tmp_path).read_text(encoding="utf-8")
    out = io.StringIO()
    print_student(result, scaled_lab(), Console(file=out, width=600))
    feedback = write_feedback(result, scaled_lab(), tmp_path).read_text(encoding="utf-8")
    assert f"Scaling: {0 if student else 10} of 10 points" in page
    for text in (page, out.getvalue(), feedback):
        assert words in text
    assert ('class="curve"' in page) is (student is not None)
    assert ("not measured for scaling" in page) is (student is None)


def test_a_lab_without_scaling_looks_as_before(tmp_path: Path) -> None:
    plain = make_result("s", Verdict.ACCEPTED, Verdict.ACCEPTED)
    page = write_report([plain], LAB, tmp_path).read_text(encoding="utf-8")
    assert "Scaling" not in page


# The picture


def lines(svg: str) -> list[list[tuple[float, float]]]:
    """The lines of the curves by their points: the ideal, the reference's, the student's."""
    drawn = [line.get("points", "").split() for line in ElementTree.fromstring(svg)]  # noqa: S314
    places = [[(float(x), float(y)) for x, y in (at.split(",") for at in line)] for line in drawn]
    return [line for line in places[1:] if len(line) == 3]


def curve_of(student: float) -> str:
    measured = scaling_of(scaled_result(student)).measured
    assert measured
    return scaling_curve(measured.curve)


def test_the_ideal_line_is_straight_and_the_worse_curve_lies_lower() -> None:
    ideal, reference, student = lines(curve_of(1.2))
    (x1, y1), (x2, y2), (x4, y4) = ideal
    assert (x4 - x1) / (x2 - x1) == pytest.approx((y4 - y1) / (y2 - y1), abs=0.02)
    assert [x for x, _ in ideal] == [x for x, _ in reference] == [x for x, _ in student]
    assert ideal[0] == reference[0] == student[0]
    assert ideal[2][1] < reference[2][1] < student[2][1]  # down is up in an SVG


def test_a_curve_above_the_ideal_line_stays_in_the_picture() -> None:
    assert min(y for line in lines(curve_of(9)) for _, y in line) >= 0


def test_the_picture_is_small_has_the_pages_colours_and_no_ids() -> None:
    svg = curve_of(1.2)
    assert len(svg) < 2000
    assert "#" not in svg
    assert "id=" not in svg
