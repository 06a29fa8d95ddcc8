"""Roofline chart of a class's timed calls, as SVG."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median, quantiles
from typing import TYPE_CHECKING

from grader.pages.presentation.gpu_words import rate_text
from grader.pages.presentation.roofline import GpuSpeeds, Roof
from grader.pages.report import drawing
from grader.pages.report.drawing import BAR, CARD, INK, LINE, MOST_MARKS, MUTED

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_GAP = 0.03
"""Least distance of two strips, as a fraction of the chart's width: room for their numbers."""
_JITTER = 0.3
"""Largest offset of a dot from its strip's middle, as a fraction of that gap."""


@dataclass(frozen=True)
class Strip:
    """The calls of one part on one device, at least one."""

    number: int
    """The strip's label in the chart."""
    title: str
    calls: list[GpuSpeeds]

    @property
    def intensity(self) -> float:
        return median(call.intensity for call in self.calls)

    @property
    def banded(self) -> bool:
        return len(self.calls) > MOST_MARKS


def roofline_plot(strips: list[Strip], roof: Roof, name: str) -> str:
    """GFLOP/s over operations per byte under the roof; every strip must have an intensity."""
    figure, axes = drawing.figure(9.4, 3.6)
    axes.set_xscale("log")
    axes.set_yscale("log")
    first, last = _span(strips, roof)
    heights = [[call.student.gflop_s for call in strip.calls] for strip in strips]
    references = [median(call.reference.gflop_s for call in strip.calls) for strip in strips]
    low = min(*references, *(min(ys) for ys in heights), roof.gflop_s(first)) / 5
    high = max(*references, *(max(ys) for ys in heights), roof.gflop_s(last)) * 2.5
    axes.set_xlim(first, last)
    axes.set_ylim(low, high)
    _draw_roof(axes, roof, first, last)
    width = math.log10(last / first)
    places = apart([math.log10(strip.intensity) for strip in strips], _GAP * width)
    for strip, middle, ys, reference in zip(strips, places, heights, references, strict=True):
        _draw_strip(axes, strip.number, ys, reference, _log_place(middle, _GAP * width))
    _decades(axes, low, high)
    axes.set_xlabel("operations per byte")
    axes.set_ylabel("FLOP/s")
    return drawing.svg(figure, name)


def memory_plot(strips: list[Strip], copy_gb_s: float, name: str) -> str:
    """Fractions of a copy's bandwidth, for parts that have no operations to count."""
    figure, axes = drawing.figure()
    axes.set_yscale("log")
    heights = [[100 * call.student.share for call in strip.calls] for strip in strips]
    references = [100 * median(call.reference.share for call in strip.calls) for strip in strips]
    low = min(*references, *(min(ys) for ys in heights), 10) / 3
    high = max(*references, *(max(ys) for ys in heights), 100) * 1.8
    axes.set_xlim(0.4, len(strips) + 0.6)
    axes.set_ylim(low, high)
    axes.axhline(100, color=INK, linewidth=1.5)
    copy = f"a copy: {rate_text(copy_gb_s, 'B/s')}"
    axes.text(0.45, 104, copy, va="bottom", color=MUTED, fontsize=9)
    for place, (strip, ys, reference) in enumerate(
        zip(strips, heights, references, strict=True), start=1
    ):
        _draw_strip(axes, strip.number, ys, reference, _place(place))
    steps = [step for step in _powers(low, high) if step <= 100]
    axes.set_yticks(steps, [f"{step:g} %" for step in steps])
    axes.set_xticks([])
    axes.minorticks_off()
    axes.set_xlabel("parts")
    axes.set_ylabel("share of a copy")
    return drawing.svg(figure, name)


def apart(places: list[float], gap: float) -> list[float]:
    """The positions nearest to these, in the same order, that lie at least a gap apart.

    Neighbours that are too close move as one block about their mean, and blocks that then meet
    become one (pool adjacent violators).
    """
    order = sorted(range(len(places)), key=lambda index: places[index])
    blocks: list[list[float]] = []
    for rank, index in enumerate(order):
        blocks.append([places[index] - rank * gap])
        while len(blocks) > 1 and _mean(blocks[-2]) > _mean(blocks[-1]):
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    means = [_mean(block) for block in blocks for _ in block]
    found = [0.0] * len(places)
    for rank, index in enumerate(order):
        found[index] = means[rank] + rank * gap
    return found


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _span(strips: list[Strip], roof: Roof) -> tuple[float, float]:
    """Limits of the intensity axis: all strips, and both sides of the ridge."""
    found = [strip.intensity for strip in strips]
    first, last = min(found) / 3, max(found) * 3
    ridge = roof.ridge
    return (first, last) if ridge is None else (min(first, ridge / 4), max(last, ridge * 4))


def _draw_roof(axes: Axes, roof: Roof, first: float, last: float) -> None:
    corner = last if roof.ridge is None else roof.ridge
    corners = [first, corner, last]
    axes.plot(corners, [roof.gflop_s(x) for x in corners], color=INK, linewidth=1.5)
    middle = math.sqrt(first * corner)
    height = roof.gflop_s(middle) * 1.35
    axes.text(
        middle,
        height,
        f"a copy: {rate_text(roof.copy_gb_s, 'B/s')}",
        ha="center",
        rotation=math.degrees(math.atan2(height, middle)),  # on both logarithmic axes: the slope
        rotation_mode="anchor",
        transform_rotates_text=True,
        color=MUTED,
        fontsize=9,
    )
    if roof.fp32_gflop_s is not None:
        peak = f"cores: {rate_text(roof.fp32_gflop_s, 'FLOP/s')} "
        height = roof.fp32_gflop_s * 1.15
        axes.text(last, height, peak, ha="right", va="bottom", color=MUTED, fontsize=9)


def _place(middle: float) -> Callable[[float], float]:
    """Maps -1 to 1 within a strip to the axis."""
    return lambda offset: middle + 0.1 * offset


def _log_place(middle: float, gap: float) -> Callable[[float], float]:
    return lambda offset: 10 ** (middle + _JITTER * gap * offset)


def _draw_strip(
    axes: Axes, number: int, ys: list[float], reference: float, place: Callable[[float], float]
) -> None:
    bottom = axes.get_ylim()[0]
    middle = place(0)
    axes.text(middle, bottom * 1.1, f"{number}", ha="center", va="bottom", color=INK, fontsize=9)
    axes.plot([middle] * 2, [min(ys), max(*ys, reference)], color=LINE, linewidth=1, zorder=1)
    if len(ys) > MOST_MARKS:
        tenths = quantiles(ys, n=10)
        axes.vlines(middle, min(ys), max(ys), color=BAR, linewidth=1)
        axes.vlines(middle, tenths[0], tenths[-1], color=BAR, linewidth=6)
        axes.plot([place(-1.4), place(1.4)], [median(ys)] * 2, color=INK, linewidth=1.5)
    else:
        # Golden-ratio steps spread any number of dots evenly, the first in the middle.
        xs = [place(2 * ((0.5 + index * 0.618034) % 1) - 1) for index in range(len(ys))]
        axes.scatter(xs, ys, s=18, color=BAR, alpha=0.75, linewidths=0, zorder=3)
    axes.scatter([middle], [reference], s=34, marker="D", c=CARD, edgecolors=INK, zorder=4)


def _powers(low: float, high: float) -> list[float]:
    powers = range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1)
    return [10.0**power for power in powers][:: 1 + len(powers) // 7]


def _decades(axes: Axes, low: float, high: float) -> None:
    xs, ys = _powers(*axes.get_xlim()), _powers(low, high)
    axes.set_xticks(xs, [f"{x:g}" for x in xs])
    axes.set_yticks(ys, [rate_text(y, "") for y in ys])
    axes.minorticks_off()
