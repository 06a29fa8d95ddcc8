"""A measured figure between its two thresholds, as SVG.

Written without matplotlib: each part of each student has one or two, so it must be small. Zones
have names and thresholds have numbers: colour says nothing that is not also written.
"""

import math
from dataclasses import dataclass

_WIDTH, _TOP, _HEIGHT = 360, 15, 16
_NAME_WIDTH = 58
"""Zones narrower than this have no name."""
_CLOSE = 44
"""Thresholds closer than this have their numbers on their outer sides."""


@dataclass(frozen=True)
class _Zone:
    start: float
    stop: float
    colour: str
    name: str


def scale_figure(value: float, interval: tuple[float, float], *, full: float, zero: float) -> str:
    """The chart; empty unless all figures are positive and finite.

    `full` is the threshold for all points, `zero` the one for none; less is better if `full` is
    the smaller one. The scale is logarithmic.
    """
    shown = (value, *interval, full, zero)
    if not all(0 < figure < math.inf for figure in shown):
        return ""
    first, last = math.log(min(shown) / 1.35), math.log(max(shown) * 1.35)

    def place(figure: float) -> float:
        return round(_WIDTH * (math.log(figure) - first) / (last - first), 1)

    low, high = place(min(full, zero)), place(max(full, zero))
    ends = ["all points", "no points"] if full < zero else ["no points", "all points"]
    colours = ["good", "bad"] if full < zero else ["bad", "good"]
    zones = [
        _Zone(0, low, colours[0], ends[0]),
        _Zone(low, high, "middling", "a share"),
        _Zone(high, _WIDTH, colours[1], ends[1]),
    ]
    drawn = [_zone(zone) for zone in zones]
    drawn += _thresholds(low, high, min(full, zero), max(full, zero))
    drawn.append(_mark(place(value), place(interval[0]), place(interval[1])))
    head = f'<svg class="scale" viewBox="0 0 {_WIDTH} 46" aria-hidden="true" focusable="false">'
    return f"{head}{''.join(drawn)}</svg>"


def _zone(zone: _Zone) -> str:
    width = zone.stop - zone.start
    box = (
        f'<rect x="{zone.start:g}" y="{_TOP}" width="{width:g}" height="{_HEIGHT}" '
        f'fill="var(--{zone.colour})" fill-opacity=".24"/>'
    )
    if width < _NAME_WIDTH:
        return box
    return box + _text((zone.start + zone.stop) / 2, 10, zone.name, "middle")


def _thresholds(low: float, high: float, first: float, second: float) -> list[str]:
    anchors = ("end", "start") if high - low < _CLOSE else ("middle", "middle")
    drawn = []
    for x, figure, anchor in ((low, first, anchors[0]), (high, second, anchors[1])):
        drawn.append(f'<path d="M{x:g} {_TOP - 2}v{_HEIGHT + 4}" stroke="var(--muted)"/>')
        drawn.append(_text(x, 44, f"{figure:g}", anchor))
    return drawn


def _mark(x: float, low: float, high: float) -> str:
    """The interval with its ends, and a diamond at the figure."""
    y = _TOP + _HEIGHT / 2
    return (
        f'<path d="M{low:g} {y - 4:g}v8M{low:g} {y:g}H{high:g}M{high:g} {y - 4:g}v8" '
        'stroke="var(--ink)" stroke-width="1.5" fill="none"/>'
        f'<path d="M{x:g} {y - 7:g}l5 7l-5 7l-5-7z" fill="var(--ink)"/>'
    )


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}">{text}</text>'
