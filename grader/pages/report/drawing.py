"""SVG with the page's CSS colours, so that one file serves the light and the dark theme."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # matplotlib takes most of a second to import: only a report needs it.
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Placeholder colours for matplotlib, and the CSS variables that replace them.
_COLOURS = {
    "#010101": "var(--ink)",
    "#020202": "var(--muted)",
    "#030303": "var(--line)",
    "#040404": "var(--bar)",
    "#050505": "var(--good)",
    "#060606": "var(--middling)",
    "#070707": "var(--bad)",
    "#080808": "var(--card)",
}
INK, MUTED, LINE, BAR, GOOD, MIDDLING, BAD, CARD = _COLOURS
MOST_MARKS = 200
"""Above this many students a band is drawn instead of marks: a small file, and readable."""


def polyline(places: list[tuple[float, float]], look: str) -> str:
    """A polyline, for charts made without matplotlib."""
    points = " ".join(f"{x:g},{y:g}" for x, y in places)
    return f'<polyline points="{points}" fill="none" {look}/>'


def label(x: float, y: float, text: str, anchor: str = "start") -> str:
    """A text label, not escaped: never pass a submission's text."""
    return f'<text x="{x:g}" y="{y:g}" fill="var(--muted)" text-anchor="{anchor}">{text}</text>'


def figure(width: float = 4.6, height: float = 2.6) -> tuple[Figure, Axes]:
    """An empty chart in the page's colours, in inches: 4.6 is one column of the page, 9.4 two."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    drawn = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasSVG(drawn)
    drawn.patch.set_visible(False)
    axes = drawn.add_subplot()
    axes.patch.set_visible(False)
    axes.tick_params(colors=MUTED, length=0, labelsize=9)
    axes.xaxis.label.set_color(MUTED)
    axes.yaxis.label.set_color(MUTED)
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(LINE)
    return drawn, axes


def svg(drawn: Figure, name: str) -> str:
    """The <svg> element with the page's colours and font, and `name` before each id."""
    import matplotlib

    text = io.StringIO()
    metadata: dict[str, Any] = {"Date": None, "Creator": None, "Format": None, "Type": None}
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": name}):
        drawn.savefig(text, format="svg", metadata=metadata)
    found = text.getvalue()
    found = found[found.index("<svg") :]
    found = re.sub(r"<metadata>.*?</metadata>", "", found, flags=re.DOTALL)
    found = re.sub(r"font-family: [^;]*; ?", "", found)
    for mark in ('id="', "url(#", 'xlink:href="#'):
        found = found.replace(mark, f"{mark}{name}-")
    for stand_in, colour in _COLOURS.items():
        found = found.replace(stand_in, colour)
    return re.sub(r'<svg ([^>]*?)width="[^"]*" height="[^"]*"|<svg ', _open_tag, found, count=1)


def _open_tag(match: re.Match[str]) -> str:
    attributes = re.sub(r'(width|height)="[^"]*"\s*', "", match.group(0).removeprefix("<svg "))
    return f'<svg aria-hidden="true" focusable="false" {attributes}'
