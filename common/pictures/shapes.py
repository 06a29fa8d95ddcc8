"""SVG elements, in units of pixels at full width, and a scale with its axis.

Colours are the classes of picture.css: blue, orange, green, red, purple, grey; `hatched` tells two
areas apart where a colour alone must not.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from common.pictures.markup import Markup, Value, tag

Points = Sequence[tuple[float, float]]
Box = tuple[float, float, float, float]
"""x, y, width, height."""
LETTER = 6.6
"""The width of a letter of 11 pixels, taken on the large side."""


def rect(x: float, y: float, width: float, height: float, look: str = "", **more: Value) -> Markup:
    """A filled rectangle; `hatched` among the looks lays stripes over the colour."""
    size: dict[str, Value] = {"width": float(width), "height": float(height)}
    return tag("rect", x=float(x), y=float(y), **size, class_=look or None, **more)


def rects(boxes: Iterable[Box], look: str = "") -> Markup:
    """Many rectangles as one element: a tenth of the size."""
    path = "".join(
        f"M{x:.4g} {y:.4g}h{width:.4g}v{height:.4g}h{-width:.4g}z" for x, y, width, height in boxes
    )
    return tag("path", d=path, class_=f"area {look}".strip())


def lines(ends: Iterable[tuple[float, float, float, float]], look: str = "grey") -> Markup:
    """Many lines, from (x, y) to (x, y), as one element."""
    path = "".join(f"M{x:.4g} {y:.4g}L{to_x:.4g} {to_y:.4g}" for x, y, to_x, to_y in ends)
    return tag("path", d=path, class_=f"line {look}")


def hint(mark: Markup, words: str) -> Markup:
    """The mark with words that appear when a mouse rests on it."""
    return tag("g", tag("title", words), mark)


def line(points: Points, look: str = "grey", **more: Value) -> Markup:
    """A line through the points."""
    path = "M" + "L".join(f"{round(x, 1):g} {round(y, 1):g}" for x, y in points)
    return tag("path", d=path, class_=f"line {look}", **more)


def arrow(begin: tuple[float, float], end: tuple[float, float], look: str = "grey") -> Markup:
    """A line with a head of 6 pixels at its end."""
    length = math.dist(begin, end) or 1
    dx, dy = (end[0] - begin[0]) / length, (end[1] - begin[1]) / length
    left = (end[0] - 6 * dx - 3 * dy, end[1] - 6 * dy + 3 * dx)
    right = (end[0] - 6 * dx + 3 * dy, end[1] - 6 * dy - 3 * dx)
    return tag("g", line([begin, end], look), line([left, end, right], look))


def text(x: float, y: float, words: object, look: str = "", anchor: str = "start") -> Markup:
    """Words whose baseline is at y; `on` among the looks makes them readable on a colour."""
    at = None if anchor == "start" else anchor
    return tag("text", words, x=float(x), y=float(y), class_=look or None, text_anchor=at)


def fitted(words: str, width: float) -> str:
    """As much of the words as fits, with a sign that there is more."""
    most = int(width / LETTER)
    if len(words) <= most:
        return words
    return words[: most - 1] + "\N{HORIZONTAL ELLIPSIS}" if most > 2 else ""


@dataclass(frozen=True)
class Scale:
    """A linear map from values to places."""

    low: float
    high: float
    start: float
    stop: float

    def __call__(self, value: float) -> float:
        span = self.high - self.low or 1
        return self.start + (self.stop - self.start) * (value - self.low) / span

    def ticks(self, most: int = 5) -> list[float]:
        """Round values, 1, 2 or 5 times a power of ten apart."""
        span = self.high - self.low
        if span <= 0:
            return [self.low]
        power = 10.0 ** math.floor(math.log10(span / most))
        step = next(power * n for n in (1, 2, 5, 10, 20) if span / (power * n) <= most)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [round(number * step, 9) for number in range(first, last + 1)]


def axis(scale: Scale, y: float, unit: str, top: float | None = None) -> Markup:
    """A horizontal axis at y with round values and its unit, and lines up to `top`."""
    marks = [line([(scale.start, y), (scale.stop, y)], "rule")]
    for value in scale.ticks():
        x = scale(value)
        marks.append(line([(x, y + 3), (x, y if top is None else top)], "rule"))
        marks.append(text(x, y + 15, f"{value:,g}", "muted", "middle"))
    marks.append(text(scale.stop, y + 29, unit, "muted", "end"))
    return tag("g", *marks)
