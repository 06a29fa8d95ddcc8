"""The small chart of a figure between two thresholds."""

import math
import re

import pytest

from grader.pages.report.scale_figure import scale_figure


def _texts(svg: str) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg)


def _mark(svg: str) -> float:
    found = re.search(r"M([\d.]+) [\d.]+l5 7", svg)
    assert found
    return float(found[1])


def test_names_the_zones_and_thresholds_without_colour() -> None:
    texts = _texts(scale_figure(2, (1.8, 2.2), full=1.5, zero=4))
    assert texts == ["all points", "a share", "no points", "1.5", "4"]


def test_puts_no_points_on_the_left_where_more_is_better() -> None:
    texts = _texts(scale_figure(2, (1.8, 2.2), full=4, zero=1.5))
    assert texts == ["no points", "a share", "all points", "1.5", "4"]


def test_marks_the_figure_between_its_thresholds_on_a_logarithmic_scale() -> None:
    marks = [_mark(scale_figure(v, (v, v), full=1, zero=16)) for v in (1, 4, 16)]
    assert marks[1] - marks[0] == pytest.approx(marks[2] - marks[1], abs=0.2)


@pytest.mark.parametrize("value", [0, -1, math.inf, math.nan])
def test_is_empty_for_a_figure_that_has_no_place(value: float) -> None:
    assert scale_figure(value, (1, 2), full=1, zero=4) == ""


def test_leaves_out_the_name_of_a_zone_that_is_too_narrow() -> None:
    assert "a share" not in _texts(scale_figure(1.05, (1, 1.1), full=1.1, zero=1.12))
