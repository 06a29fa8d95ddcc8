"""A page's elements, for tests."""

from html.parser import HTMLParser

_VOID = {"meta", "input", "br", "hr", "img", "link", "area", "base", "col", "embed", "source"}


class Page(HTMLParser):
    """Elements, attributes and text of a page; fails on a tag that is not closed in order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in _VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, *tags: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name in tags]
