"""Charts take their colours from the page and put every student in the right place."""

from xml.etree import ElementTree

import pytest

from grader.pages.report.charts import score_bins, score_histogram, timing_plot
from grader.pages.report.summary import Interval


def test_gives_full_points_a_bar_of_their_own() -> None:
    assert score_bins([0, 9.99, 10, 99.9, 100, 100], 100) == [2, 1, 0, 0, 0, 0, 0, 0, 0, 1, 2]


def test_keeps_points_outside_the_scale_in_the_outer_bars() -> None:
    assert score_bins([-1, 120], 100) == [1, *[0] * 9, 1]


def test_counts_a_score_on_an_edge_that_binary_fractions_miss() -> None:
    assert score_bins([0.3 * 100 * 0.1 * 10], 100)[3] == 1


@pytest.mark.parametrize("students", [1, 40, 1000])
def test_draws_small_svg_that_parses_and_has_the_pages_colours_only(students: int) -> None:
    intervals = [Interval(1 + i / 50, 0.9 + i / 50, 1.2 + i / 50) for i in range(students)]
    for svg in (
        score_histogram([i % 101 for i in range(students)], 100),
        timing_plot(intervals, 1.5, 4, "timing0"),
    ):
        root = ElementTree.fromstring(svg)  # noqa: S314
        assert root.tag.endswith("svg")
        assert root.get("aria-hidden") == "true"
        assert "var(--ink)" in svg or "var(--good)" in svg
        for stand_in in range(1, 8):
            assert f"#{stand_in:02}{stand_in:02}{stand_in:02}" not in svg
        assert len(svg) < 120_000


def test_writes_both_thresholds_into_the_timing_plot() -> None:
    svg = timing_plot([Interval(2, 1.9, 2.1)], 1.5, 4, "timing0")
    assert "all points up to 1.5×" in svg
    assert "no points from 4×" in svg


def test_gives_the_charts_of_one_page_ids_of_their_own() -> None:
    intervals = [Interval(2, 1.9, 2.1)]
    ids = [
        {node.get("id") for node in ElementTree.fromstring(svg).iter()} - {None}  # noqa: S314
        for svg in (
            timing_plot(intervals, 1.5, 4, "timing0"),
            timing_plot(intervals, 1.5, 4, "timing1"),
        )
    ]
    assert ids[0]
    assert not ids[0] & ids[1]


def test_draws_the_same_picture_for_the_same_numbers() -> None:
    intervals = [Interval(2, 1.9, 2.1)]
    assert timing_plot(intervals, 1.5, 4, "t") == timing_plot(intervals, 1.5, 4, "t")
