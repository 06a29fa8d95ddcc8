"""Roofline charts: positions, size and colours."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from grader.model.result import GpuTiming
from grader.pages.presentation.roofline import GpuSpeeds, Roof, gpu_speeds
from grader.pages.presentation.tests.made_up_class import H100, gpu_class, gpu_result
from grader.pages.report.roofline_chart import Strip, apart, memory_plot, roofline_plot
from grader.pages.report.small_roofline import small_roofline

_ROOF = Roof(3000, 60_000)


def call_of(ms: float = 8, **changed: float | None) -> GpuSpeeds:
    timing = gpu_result("s", H100.model_copy(update=changed), None, ms=ms).parts[0].timing
    speeds = gpu_speeds(timing) if timing else None
    assert speeds
    return speeds


def strip_of(students: int, gpu: GpuTiming = H100, number: int = 1) -> Strip:
    timings = [result.parts[0].timing for result in gpu_class(students, gpu, gpu)]
    calls = [speeds for timing in timings if timing and (speeds := gpu_speeds(timing))]
    assert len(calls) == students
    return Strip(number, "Partial sums", calls)


def marks(svg: str) -> list[tuple[float, float]]:
    """Places of all dots, strip by strip, and then of all diamonds."""
    return [
        (float(x), float(y))
        for x, y in re.findall(r'<use [^>]*?x="([\d.]+)" y="([\d.]+)" [^>]*fill: var', svg)
    ]


def roof_line(svg: str) -> list[tuple[float, float]]:
    """The corners of the line that is drawn as the roof."""
    found = re.search(r'<path d="([^"]*)"[^>]*fill: none; stroke: var\(--ink\)', svg)
    assert found
    return [(float(x), float(y)) for x, y in re.findall(r"[ML] ([\d.]+) ([\d.]+)", found[1])]


def height_at(line: list[tuple[float, float]], x: float) -> float:
    for (x0, y0), (x1, y1) in pairwise(line):
        if x0 <= x <= x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    raise AssertionError(f"{x} is beside the roof")


@pytest.mark.parametrize("operations", [1e9, 240e9, 5e12], ids=["below", "ridge", "above"])
def test_a_call_at_its_limit_lies_on_the_roof_and_a_slower_one_below(operations: float) -> None:
    gpu = call_of(operations=operations)
    limit_ms = 8 * gpu.student.share
    for ms, on_roof in ((limit_ms, True), (2 * limit_ms, False)):
        svg = roofline_plot([Strip(1, "a", [call_of(ms, operations=operations)])], _ROOF, "r")
        (x, y), _ = marks(svg)
        assert (abs(y - height_at(roof_line(svg), x)) < 0.1) is on_roof
        assert y > height_at(roof_line(svg), x) - 0.1  # down is up in an SVG


@pytest.mark.parametrize("operations", [1e6, 240e9, 1e15], ids=["below", "ridge", "above"])
def test_both_sides_of_the_ridge_are_in_the_picture(operations: float) -> None:
    svg = roofline_plot([Strip(1, "a", [call_of(operations=operations)])], _ROOF, "r")
    (first, low), (ridge, top), (last, right) = roof_line(svg)
    assert min(ridge - first, last - ridge) > 0.05 * (last - first)
    assert low > top == right


def test_the_reference_lies_at_its_own_speed() -> None:
    svg = roofline_plot([Strip(1, "a", [call_of(ms=10)])], _ROOF, "r")
    (x, student), (diamond, reference) = marks(svg)
    assert x == pytest.approx(diamond)
    assert reference < student
    assert reference > height_at(roof_line(svg), diamond)


def test_a_roof_of_unknown_peak_has_no_flat_part() -> None:
    roof = Roof(3000, None)
    svg = roofline_plot([strip_of(5)], roof, "r")
    assert "a copy: 3 TB/s" in svg
    assert "cores" not in svg
    (x0, y0), *_, (x1, y1) = roof_line(svg)
    assert y1 < y0
    middle = height_at(roof_line(svg), (x0 + x1) / 2)
    assert middle == pytest.approx((y0 + y1) / 2, abs=0.5)
    assert "cores: 60 TFLOP/s" in roofline_plot([strip_of(5)], _ROOF, "r")


@pytest.mark.parametrize("students", [1, 40, 200, 201, 1000])
def test_pictures_are_small_have_the_pages_colours_only_and_hold_no_nan(students: int) -> None:
    compute = H100.model_copy(update={"operations": 5e12})
    strips = [strip_of(students), strip_of(students, compute, 2)]
    for svg in (roofline_plot(strips, _ROOF, "r"), memory_plot(strips, 3000, "m")):
        ElementTree.fromstring(svg)  # noqa: S314
        assert len(svg) < 60_000
        assert "nan" not in svg.lower()
        assert "var(--bar)" in svg
        assert not re.search(r"#0\d0\d0\d", svg)
        assert len(marks(svg)) == (2 * (students + 1) if students <= 200 else 2)


def test_draws_a_class_whose_calls_are_all_equal() -> None:
    calls = [call_of() for _ in range(300)]
    for svg in (
        roofline_plot([Strip(1, "a", calls)], _ROOF, "r"),
        memory_plot([Strip(1, "a", calls)], 3000, "m"),
    ):
        assert "nan" not in svg.lower()


def test_a_share_of_a_copy_is_measured_against_its_line() -> None:
    at_limit = Strip(1, "a", [call_of(ms=4, operations=0)])
    slower = Strip(2, "b", [call_of(ms=8, operations=0)])
    svg = memory_plot([at_limit, slower], 3000, "m")
    (_, first), (_, second), (_, first_reference), (_, second_reference) = marks(svg)
    assert first == pytest.approx(roof_line(svg)[0][1], abs=0.1)
    assert first < first_reference == second_reference < second
    assert "a copy: 3 TB/s" in svg


def test_parts_with_the_same_operations_per_byte_stand_side_by_side_with_their_numbers() -> None:
    strips = [Strip(number, "a", [call_of()]) for number in (2, 3, 5)]
    svg = roofline_plot(strips, _ROOF, "r")
    xs = [x for x, _ in marks(svg)[:3]]
    assert xs == sorted(xs)
    assert min(b - a for a, b in pairwise(xs)) > 10
    assert re.findall(r">([235])</text>", svg) == ["2", "3", "5"]


@pytest.mark.parametrize(
    ("places", "found"),
    [
        ([3, 1], [3, 1]),
        ([1, 1], [0.5, 1.5]),
        ([1, 1, 1.2, 9], [0.0667, 1.0667, 2.0667, 9]),
        ([0, 2.5, 2.5, 2.5], [0, 1.5, 2.5, 3.5]),
        ([0, 1.2, 1.2, 1.2], [-0.6, 0.4, 1.4, 2.4]),
    ],
)
def test_places_move_no_further_apart_than_they_must(
    places: list[float], found: list[float]
) -> None:
    assert apart(places, 1) == pytest.approx(found, abs=1e-3)


# The student's own picture


def circles(svg: str) -> list[tuple[float, float]]:
    """Dots of the reference, the student, and the two of the legend."""
    found = [node for node in ElementTree.fromstring(svg) if node.tag == "circle"]  # noqa: S314
    return [(float(node.get("cx", "")), float(node.get("cy", ""))) for node in found]


@pytest.mark.parametrize("operations", [1e9, 240e9, 5e12], ids=["below", "ridge", "above"])
@pytest.mark.parametrize("peak", [60_000, None], ids=["known", "unknown"])
def test_a_students_call_at_the_limit_lies_on_the_roof(
    operations: float, peak: float | None
) -> None:
    share = call_of(operations=operations, fp32_gflop_s=peak).student.share
    call = call_of(8 * share, operations=operations, fp32_gflop_s=peak)
    svg = small_roofline(call)
    lines = [node.get("points", "") for node in ElementTree.fromstring(svg)][1]  # noqa: S314
    roof = [(float(x), float(y)) for x, y in (at.split(",") for at in lines.split())]
    _, (x, y), *_ = circles(svg)
    assert y == pytest.approx(height_at(roof, x), abs=0.3)


def test_a_slower_student_lies_below_the_reference_and_a_faster_one_above() -> None:
    (_, reference), (_, student), *_ = circles(small_roofline(call_of(ms=50)))
    assert student > reference  # down is up in an SVG
    (_, reference), (_, student), *_ = circles(small_roofline(call_of(ms=0.01)))
    assert 0 <= student < reference


def test_a_students_picture_is_small_and_has_no_ids() -> None:
    svg = small_roofline(call_of())
    assert len(svg) < 1500
    assert "#" not in svg
    assert "id=" not in svg
    assert "0.0833 operations per byte" in svg


def test_without_operations_a_student_gets_no_chart() -> None:
    assert small_roofline(call_of(operations=0)) == ""
