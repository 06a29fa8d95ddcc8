"""HTML and SVG text that is escaped unless it was made here."""

import html
import re

_NOT_IN_XML = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")

Value = str | int | float | bool | None


class Markup(str):
    """Text that needs no escaping: every other str that meets it is escaped."""

    __slots__ = ()


def escape(text: object) -> Markup:
    """The text for an element or an attribute in double quotes; Markup stays as it is."""
    if isinstance(text, Markup):
        return text
    return Markup(html.escape(_NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", str(text))))


def tag(name: str, *children: object, **attributes: Value) -> Markup:
    """The element. `class_` and `stroke_width` name the attributes class and stroke-width.

    An attribute is left out if it is None or False, and has no value if it is True. A float is
    rounded to a tenth, so that a page does not depend on how numbers are computed.
    """
    shown = "".join(map(_attribute, attributes.items()))
    return Markup(f"<{name}{shown}>{joined(*children)}</{name}>")


def joined(*parts: object) -> Markup:
    """The parts, one after another; None is nothing."""
    return Markup("".join(escape(part) for part in parts if part is not None))


def count(number: float) -> str:
    """With thousands separated: 36,000; a fraction with three digits."""
    whole = isinstance(number, int) or number == int(number) or abs(number) >= 1000
    return f"{number:,.0f}" if whole else f"{number:.3g}"


def plural(number: int, one: str, many: str = "") -> str:
    """1 sector, 2 sectors."""
    return f"{count(number)} {one if number == 1 else many or one + 's'}"


def _attribute(item: tuple[str, Value]) -> str:
    name, value = item[0].rstrip("_").replace("_", "-"), item[1]
    if value is None or value is False:
        return ""
    if isinstance(value, float):
        value = f"{round(value, 1) + 0.0:g}"
    return f" {name}" if value is True else f' {name}="{escape(value)}"'
