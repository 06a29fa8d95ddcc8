"""Charts of a class's points and time ratios, as SVG."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.pages.report import drawing
from grader.pages.report.drawing import BAD, BAR, GOOD, INK, MIDDLING, MOST_MARKS, MUTED
from grader.pages.report.summary import Interval

if TYPE_CHECKING:  # matplotlib takes most of a second to import: only a report needs it.
    from matplotlib.axes import Axes


def score_histogram(points: list[float], max_points: float) -> str:
    """A histogram in tenths of the points, with full points in a bar of their own."""
    counts = score_bins(points, max_points)
    step = max_points / 10
    labels = [f"{step * i:g}–" for i in range(10)] + [f"{max_points:g}"]
    figure, axes = drawing.figure()
    bars = axes.bar(range(11), counts, width=0.86, color=[BAR] * 10 + [GOOD])
    axes.bar_label(bars, [str(n) if n else "" for n in counts], color=INK, padding=2, fontsize=9)
    axes.set_xticks(range(11), labels)
    axes.set_xlabel("points")
    axes.set_yticks([])
    axes.set_ylim(0, max([1, *counts]) * 1.15)
    axes.spines["left"].set_visible(False)
    return drawing.svg(figure, "scores")


def score_bins(points: list[float], max_points: float) -> list[int]:
    """Students per tenth of the points; the last of 11 counts is those with all points."""
    counts = [0] * 11
    for value in points:
        tenth = int(value / max_points * 10 + 1e-9)
        counts[min(max(tenth, 0), 10)] += 1
    return counts


def timing_plot(intervals: list[Interval], full: float, zero: float, name: str) -> str:
    """Every student's ratio with its interval, fastest first, against both thresholds."""
    ordered = sorted(intervals, key=lambda interval: interval.ratio)
    figure, axes = drawing.figure()
    axes.set_yscale("log")
    low = min([full, *(interval.low for interval in ordered)]) / 1.3
    high = max([zero, *(interval.high for interval in ordered)]) * 1.3
    axes.set_ylim(low, high)
    axes.set_xlim(0.2, len(ordered) + 0.8)
    for start, stop, colour in ((low, full, GOOD), (full, zero, MIDDLING), (zero, high, BAD)):
        axes.axhspan(start, stop, color=colour, alpha=0.10, linewidth=0)
    for threshold, text in ((full, "all points up to"), (zero, "no points from")):
        axes.axhline(threshold, color=MUTED, linewidth=1, linestyle=(0, (4, 3)))
        axes.text(
            0.01,
            threshold,
            f" {text} {threshold:g}×",
            transform=axes.get_yaxis_transform(),
            va="bottom",
            color=MUTED,
            fontsize=9,
        )
    _draw_intervals(axes, ordered, full, zero)
    _ratio_axis(axes, low, high)
    axes.set_xlabel(f"students, fastest first ({len(ordered)} timed)")
    axes.set_ylabel("time / reference")
    return drawing.svg(figure, name)


def _ratio_axis(axes: Axes, low: float, high: float) -> None:
    steps = [m * 10.0**e for e in range(-4, 7) for m in (1, 2, 5)]
    shown = [step for step in steps if low <= step <= high]
    if len(shown) > 7:
        shown = [step for step in shown if f"{step:e}".startswith("1")]
    axes.set_yticks(shown, [f"{step:g}×" for step in shown])
    axes.minorticks_off()
    axes.set_xticks([])


def _draw_intervals(axes: Axes, ordered: list[Interval], full: float, zero: float) -> None:
    places = range(1, len(ordered) + 1)
    lows = [interval.low for interval in ordered]
    highs = [interval.high for interval in ordered]
    ratios = [interval.ratio for interval in ordered]
    if len(ordered) > MOST_MARKS:
        axes.fill_between(places, lows, highs, color=BAR, alpha=0.35, linewidth=0)
        axes.plot(places, ratios, color=INK, linewidth=1.5)
        return
    colours = [GOOD if r <= full else BAD if r >= zero else MIDDLING for r in ratios]
    axes.vlines(places, lows, highs, colors=colours, linewidth=1.6)
    axes.scatter(places, ratios, s=16, c=colours, zorder=3, linewidths=0)
