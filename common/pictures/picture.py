"""A picture: SVG with its name, its caption, and the same facts as a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from common.pictures.markup import Markup, count, escape, joined, tag

_COLOURS = ("blue", "orange", "green", "red", "purple", "grey")
_HATCHES = Markup(
    "".join(
        f'<pattern id="hatch-{colour}" class="{colour}" width="6" height="6" '
        'patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<rect width="6" height="6"/><path d="M0 0V6" class="line on-colour"/></pattern>'
        for colour in _COLOURS
    )
)
DEFINITIONS = tag(
    "svg", tag("defs", _HATCHES), class_="drawing", width="0", height="0", aria_hidden="true"
)
"""What pictures refer to: once on each page, before them."""


@dataclass(frozen=True)
class Table:
    """The facts that a picture shows."""

    columns: Sequence[str]
    rows: Sequence[Sequence[object]]

    def html(self, name: str) -> Markup:
        """The table, called by its name; numbers are aligned on the right."""
        head = tag("tr", *(tag("th", column, scope="col") for column in self.columns))
        body = [tag("tr", *map(_cell, row)) for row in self.rows]
        caption = tag("caption", name, class_="visually-hidden")
        return tag("table", caption, tag("thead", head), tag("tbody", *body))


@dataclass(frozen=True)
class Picture:
    """Shapes on a canvas of so many pixels.

    `title` names what is shown, for a screen reader, too; `caption` says what to see in it. A
    picture wider than the screen is made smaller, down to three quarters, and then scrolls.
    """

    title: str
    caption: str | Markup
    size: tuple[float, float]
    marks: Sequence[Markup]
    table: Table

    def figure(self) -> Markup:
        """For a page that has picture.css and DEFINITIONS."""
        width = self.size[0]
        style = f"max-width:{1.25 * width:g}px;min-width:{0.75 * width:g}px"
        # Scrolled by the keyboard only if it has the focus.
        scroll = tag("div", self._svg(style=style), class_="scroll", tabindex="0", role="group")
        facts = tag("details", tag("summary", "As a table"), self.table.html(self.title))
        title = self.title if self.title.endswith(".") else f"{self.title}."
        words = tag("figcaption", tag("b", title), " ", self.caption)
        return tag("figure", words, scroll, facts, class_="picture")

    def file(self) -> Markup:
        """An SVG file of its own, for a handout or a lecture."""
        style = tag("style", Markup(css("picture").replace(":root", "svg")))
        paper = tag("rect", width="100%", height="100%", class_="paper")
        size = {
            name: f"{side:g}" for name, side in zip(("width", "height"), self.size, strict=True)
        }
        first = joined(style, tag("defs", _HATCHES), paper)
        return self._svg(first, xmlns="http://www.w3.org/2000/svg", **size)

    def _svg(self, before: Markup | None = None, **more: str) -> Markup:
        width, height = self.size
        names = joined(tag("title", self.title), tag("desc", self._caption_text()))
        box = f"0 0 {width:g} {height:g}"
        more |= {"viewBox": box, "role": "img", "class_": "drawing"}
        return tag("svg", names, before, *self.marks, **more)

    def _caption_text(self) -> Markup:
        parts = str(escape(self.caption)).split("<")
        return Markup(parts[0] + "".join(part.partition(">")[2] for part in parts[1:]))


@cache
def css(name: str) -> str:
    """A style sheet of this folder: picture or page."""
    return Path(__file__).with_name(f"{name}.css").read_text(encoding="utf-8")


def _cell(value: object) -> Markup:
    if isinstance(value, int | float):
        return tag("td", count(value), class_="num")
    return tag("td", value)
