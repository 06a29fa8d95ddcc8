"""Charts as SVG that takes its colours from the page, so that light and dark are one file."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

from grader.model.result import ScalingPoint
from grader.report.summary import Interval

if TYPE_CHECKING:  # matplotlib takes most of a second to import: only a report needs it.
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Stand-ins that matplotlib can paint with, and what the page calls these colours.
_COLOURS = {
    "#010101": "var(--ink)",
    "#020202": "var(--muted)",
    "#030303": "var(--line)",
    "#040404": "var(--bar)",
    "#050505": "var(--good)",
    "#060606": "var(--middling)",
    "#070707": "var(--bad)",
}
_INK, _MUTED, _LINE, _BAR, _GOOD, _MIDDLING, _BAD = _COLOURS
_MOST_INTERVALS = 200
"""Above this many students intervals are drawn as one band: a small file, and readable."""


def score_histogram(points: list[float], max_points: float) -> str:
    """How many students have how many points, in tenths, with full points in a bar of their own."""
    counts = score_bins(points, max_points)
    step = max_points / 10
    labels = [f"{step * i:g}–" for i in range(10)] + [f"{max_points:g}"]
    figure, axes = _figure()
    bars = axes.bar(range(11), counts, width=0.86, color=[_BAR] * 10 + [_GOOD])
    axes.bar_label(bars, [str(n) if n else "" for n in counts], color=_INK, padding=2, fontsize=9)
    axes.set_xticks(range(11), labels)
    axes.set_xlabel("points")
    axes.set_yticks([])
    axes.set_ylim(0, max([1, *counts]) * 1.15)
    axes.spines["left"].set_visible(False)
    return _svg(figure, "scores")


def score_bins(points: list[float], max_points: float) -> list[int]:
    """Students per tenth of the points, and last those with all points."""
    counts = [0] * 11
    for value in points:
        tenth = int(value / max_points * 10 + 1e-9)
        counts[min(max(tenth, 0), 10)] += 1
    return counts


def timing_plot(intervals: list[Interval], full: float, zero: float, name: str) -> str:
    """Every student's ratio with its interval, fastest first, against both thresholds."""
    ordered = sorted(intervals, key=lambda interval: interval.ratio)
    figure, axes = _figure()
    axes.set_yscale("log")
    low = min([full, *(interval.low for interval in ordered)]) / 1.3
    high = max([zero, *(interval.high for interval in ordered)]) * 1.3
    axes.set_ylim(low, high)
    axes.set_xlim(0.2, len(ordered) + 0.8)
    for start, stop, colour in (
        (low, full, _GOOD),
        (full, zero, _MIDDLING),
        (zero, high, _BAD),
    ):
        axes.axhspan(start, stop, color=colour, alpha=0.10, linewidth=0)
    for threshold, text in ((full, "all points up to"), (zero, "no points from")):
        axes.axhline(threshold, color=_MUTED, linewidth=1, linestyle=(0, (4, 3)))
        axes.text(
            0.01,
            threshold,
            f" {text} {threshold:g}×",
            transform=axes.get_yaxis_transform(),
            va="bottom",
            color=_MUTED,
            fontsize=9,
        )
    _draw_intervals(axes, ordered, full, zero)
    _ratio_axis(axes, low, high)
    axes.set_xlabel(f"students, fastest first ({len(ordered)} timed)")
    axes.set_ylabel("time / reference")
    return _svg(figure, name)


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
    if len(ordered) > _MOST_INTERVALS:
        axes.fill_between(places, lows, highs, color=_BAR, alpha=0.35, linewidth=0)
        axes.plot(places, ratios, color=_INK, linewidth=1.5)
        return
    colours = [_GOOD if r <= full else _BAD if r >= zero else _MIDDLING for r in ratios]
    axes.vlines(places, lows, highs, colors=colours, linewidth=1.6)
    axes.scatter(places, ratios, s=16, c=colours, zorder=3, linewidths=0)


def scaling_curve(curve: list[ScalingPoint]) -> str:
    """Speedups over threads, the student's and the reference's, beside the ideal line.

    Written by hand: each part of each student has one, so it must be small.
    """
    threads = [point.threads for point in curve]
    most = max(threads)
    top = max([most, *(max(point.student, point.reference) for point in curve)])

    def place(size: float, speedup: float) -> tuple[float, float]:
        return round(30 + 230 * size / most, 1), round(142 - 134 * speedup / top, 1)

    lines: list[tuple[str, str, list[float]]] = [
        (
            "ideal",
            'stroke="var(--muted)" stroke-dasharray="4 3"',
            [float(size) for size in threads],
        ),
        ("reference", 'stroke="var(--muted)"', [point.reference for point in curve]),
        ("student", 'stroke="var(--bar)" stroke-width="2.5"', [point.student for point in curve]),
    ]
    drawn = [_polyline([place(0, top), place(0, 0), place(most, 0)], 'stroke="var(--line)"')]
    for row, (name, look, speedups) in enumerate(lines):
        y = 12 + 15 * row
        drawn += [_polyline([(40, y - 4), (60, y - 4)], look), _label(66, y, name)]
        drawn.append(_polyline([place(*at) for at in zip(threads, speedups, strict=True)], look))
    drawn += [_label(place(size, 0)[0], 156, f"{size}", "middle") for size in threads]
    drawn += [_label(24, place(0, size)[1] + 4, f"{size}×", "end") for size in (1, most)]
    drawn.append(_label(310, 156, "threads", "end"))
    head = '<svg class="curve" viewBox="0 0 312 162" aria-hidden="true" focusable="false">'
    return f"{head}{''.join(drawn)}</svg>"


def _polyline(places: list[tuple[float, float]], look: str) -> str:
    points = " ".join(f"{x:g},{y:g}" for x, y in places)
    return f'<polyline points="{points}" fill="none" {look}/>'


def _label(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:g}" y="{y:g}" fill="var(--muted)" text-anchor="{anchor}">{text}</text>'


def _figure() -> tuple[Figure, Axes]:
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.6, 2.6), layout="constrained")
    FigureCanvasSVG(figure)
    figure.patch.set_visible(False)
    axes = figure.add_subplot()
    axes.patch.set_visible(False)
    axes.tick_params(colors=_MUTED, length=0, labelsize=9)
    axes.xaxis.label.set_color(_MUTED)
    axes.yaxis.label.set_color(_MUTED)
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(_LINE)
    return figure, axes


def _svg(figure: Figure, name: str) -> str:
    """The bare <svg>, with the page's colours and font, and ids that no other chart has."""
    import matplotlib

    text = io.StringIO()
    metadata: dict[str, Any] = {"Date": None, "Creator": None, "Format": None, "Type": None}
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": name}):
        figure.savefig(text, format="svg", metadata=metadata)
    svg = text.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"font-family: [^;]*; ?", "", svg)
    for mark in ('id="', "url(#", 'xlink:href="#'):
        svg = svg.replace(mark, f"{mark}{name}-")
    for stand_in, colour in _COLOURS.items():
        svg = svg.replace(stand_in, colour)
    return re.sub(r'<svg ([^>]*?)width="[^"]*" height="[^"]*"|<svg ', _open_tag, svg, count=1)


def _open_tag(match: re.Match[str]) -> str:
    attributes = re.sub(r'(width|height)="[^"]*"\s*', "", match.group(0).removeprefix("<svg "))
    return f'<svg aria-hidden="true" focusable="false" {attributes}'
