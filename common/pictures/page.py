"""One HTML page with pictures: a file of its own, without network, framework or script."""

from collections.abc import Sequence
from dataclasses import dataclass

from common.pictures.markup import Markup, joined, tag
from common.pictures.picture import DEFINITIONS, Picture, css


@dataclass(frozen=True)
class Section:
    """A heading, and what is below it in this order."""

    heading: str
    body: Sequence[Picture | Markup | str]
    """A str is a paragraph."""

    def html(self, anchor: str) -> Markup:
        """The section, to which `anchor` links."""
        return tag("section", tag("h2", self.heading), *map(_block, self.body), id=anchor)


def page(
    title: str, sections: Sequence[Section], lead: Sequence[Markup | str] = (), style: str = ""
) -> str:
    """The page. `lead` says first what matters most; a str is a paragraph.

    `style` is CSS of the page's own, beside that of this folder.
    """
    anchors = [f"s{number}" for number in range(1, len(sections) + 1)]
    links = [
        tag("li", tag("a", section.heading, href=f"#{anchor}"))
        for anchor, section in zip(anchors, sections, strict=True)
    ]
    index = tag("nav", tag("ul", *links), aria_label="Sections") if len(links) > 1 else None
    shown = [section.html(anchor) for anchor, section in zip(anchors, sections, strict=True)]
    head = joined(
        Markup('<meta charset="utf-8">'),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        Markup(
            '<meta http-equiv="Content-Security-Policy" '
            "content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        ),
        tag("title", title),
        tag("style", Markup(css("picture") + css("page") + style)),
    )
    body = tag("header", tag("h1", title), *map(_block, lead), index)
    main = tag("main", *shown)
    html = tag("html", tag("head", head), tag("body", DEFINITIONS, body, main), lang="en")
    return f"<!doctype html>\n{html}\n"


def _block(part: Picture | Markup | str) -> Markup:
    if isinstance(part, Picture):
        return part.figure()
    return part if isinstance(part, Markup) else tag("p", part)
