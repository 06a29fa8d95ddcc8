"""Tests of the frame that pages with pictures share."""

import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

import pytest

from common.pictures.markup import Markup, count, escape, joined, plural, tag
from common.pictures.page import Section, page
from common.pictures.picture import Picture, Table, css
from common.pictures.shapes import Scale, arrow, axis, fitted, hint, line, lines, rect, rects, text

_HOSTILE = "</title><script>alert('&\x00\ud800')</script>"


def _picture(title: str = "Sums", caption: str | Markup = "Four bars.") -> Picture:
    marks = [rect(0, 0, 10, 20, "blue"), hint(rect(20, 0, 10, 5, "orange hatched"), title)]
    return Picture(title, caption, (100, 40), marks, Table(["thread", "sum"], [[title, 36000]]))


def test_escapes_everything_but_its_own_markup() -> None:
    assert escape("<b>&\"'\x07\ud800") == "&lt;b&gt;&amp;&quot;&#x27;\ufffd\ufffd"
    assert tag("p", "a<b", tag("b", 1)) == "<p>a&lt;b<b>1</b></p>"
    assert joined("<", None, Markup("<br>")) == "&lt;<br>"


def test_attributes_are_spelt_as_in_svg_and_rounded() -> None:
    assert tag("g", class_="a", stroke_width=1.26, viewBox="0", id=None, hidden=True) == (
        '<g class="a" stroke-width="1.3" viewBox="0" hidden></g>'
    )
    assert 'x="0"' in rect(-0.01, 0, 1, 1), "a negative zero would differ between computers"


def test_numbers_have_thousands_separated() -> None:
    assert [count(36000), count(2.0), count(0.12345), count(1234.5)] == [
        "36,000",
        "2",
        "0.123",
        "1,234",
    ]
    assert [plural(1, "sector"), plural(2, "sector"), plural(2, "is", "are")] == [
        "1 sector",
        "2 sectors",
        "2 are",
    ]


def test_a_picture_has_a_name_a_description_and_the_same_facts_as_a_table() -> None:
    figure = _parsed(_picture(caption=tag("i", "a < b")).figure())
    svg = figure.find("div/svg")
    assert svg is not None
    assert svg.findtext("title") == "Sums"
    assert svg.findtext("desc") == "a < b"
    assert [cell.text for cell in figure.iter("td")] == ["Sums", "36,000"]


def test_a_hostile_name_stays_text_wherever_it_is_shown() -> None:
    html = page(_HOSTILE, [Section(_HOSTILE, [_picture(_HOSTILE, _HOSTILE), _HOSTILE])], [_HOSTILE])
    assert "<script" not in html
    assert html.count("&lt;script&gt;") == 12
    _parsed(_picture(_HOSTILE, _HOSTILE).file())


def test_a_page_loads_nothing_and_runs_nothing() -> None:
    html = page("Sums", [Section("All", [_picture()])])
    assert "default-src 'none'" in html
    assert not [
        word for word in ("@import", "src=", "<link", "<script", "url(http") if word in html
    ]


def test_a_page_is_well_formed_and_its_index_leads_to_each_section() -> None:
    sections = [Section(name, [_picture(), "Words.", tag("p", "More.")]) for name in ("A", "B")]
    reader = _Reader()
    reader.feed(page("Sums", sections))
    assert reader.open == []
    assert reader.links == ["#s1", "#s2"]
    assert set(reader.links) <= {f"#{name}" for name in reader.ids}


def test_a_file_of_its_own_has_the_colours_of_both_modes() -> None:
    file = _parsed(_picture().file())
    style = file.findtext("{http://www.w3.org/2000/svg}style") or ""
    assert "prefers-color-scheme: dark" in style
    assert ":root" not in style


@pytest.mark.parametrize("name", ["blue", "orange", "green", "red", "purple", "grey"])
@pytest.mark.parametrize("mode", [0, 1])
def test_a_colour_stands_out_from_the_card(name: str, mode: int) -> None:
    colours = [_colours(part) for part in css("picture").split("prefers-color-scheme: dark")]
    assert _contrast(colours[mode][name], colours[mode]["card"]) >= 3


@pytest.mark.parametrize("name", ["blue", "orange", "green", "red", "purple", "grey"])
def test_areas_of_each_colour_may_have_stripes(name: str) -> None:
    assert f".drawing .{name}.hatched {{ fill: url(#hatch-{name}) }}" in css("picture")
    for drawn in (_picture().file(), page("Sums", [])):
        assert f'<pattern id="hatch-{name}" class="{name}"' in drawn


def test_many_rectangles_or_lines_are_one_element() -> None:
    assert rects([(0, 0, 2, 3), (4, 0, 1.23456, 3)], "blue") == (
        '<path d="M0 0h2v3h-2zM4 0h1.235v3h-1.235z" class="area blue"></path>'
    )
    assert lines([(0, 0, 2, 3)]) == '<path d="M0 0L2 3" class="line grey"></path>'


def test_a_scale_maps_its_ends_and_has_round_ticks() -> None:
    scale = Scale(0, 36000, 10, 110)
    assert [scale(0), scale(18000), scale(36000)] == [10, 60, 110]
    assert scale.ticks() == [0, 10000, 20000, 30000]
    assert Scale(0, 0.5, 0, 1).ticks() == [0, 0.1, 0.2, 0.3, 0.4, 0.5]
    assert Scale(5, 5, 0, 1).ticks() == [5]
    assert Scale(5, 5, 0, 1)(5) == 0


def test_an_axis_names_its_values_and_its_unit() -> None:
    drawn = axis(Scale(0, 4000, 0, 100), 50, "µs", top=0)
    labels = [label.text for label in _parsed(drawn).iter("text")]
    assert labels == ["0", "1,000", "2,000", "3,000", "4,000", "µs"]


def test_lines_and_arrows_go_through_their_points() -> None:
    assert line([(0, 0), (1.25, 3)], "blue dashed") == (
        '<path d="M0 0L1.2 3" class="line blue dashed"></path>'
    )
    assert 'd="M0 0L10 0"' in arrow((0, 0), (10, 0))
    assert 'd="M4 3L10 0L4 -3"' in arrow((0, 0), (10, 0)), "the head is at the end"


def test_words_are_cut_to_the_width_they_have() -> None:
    assert fitted("short", 100) == "short"
    assert fitted("much too long a name", 66) == "much too …"
    assert fitted("no room", 5) == ""
    assert text(1, 2, "<", "on", "middle") == (
        '<text x="1" y="2" class="on" text-anchor="middle">&lt;</text>'
    )


def _parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)  # noqa: S314 our own


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        found = dict(attributes)
        self.ids += [value for key, value in attributes if key == "id" and value]
        self.links += [found["href"] or ""] if name == "a" else []
        if name != "meta":
            self.open.append(name)

    def handle_endtag(self, name: str) -> None:
        assert self.open.pop() == name


def _colours(style: str) -> dict[str, str]:
    pairs = (entry.split(":") for entry in style.replace("{", ";").split(";") if "--" in entry)
    found: dict[str, str] = {}
    for name, value in ((pair[0].strip()[2:], pair[-1].strip()) for pair in pairs):
        found.setdefault(name, value)
    return found


def _contrast(one: str, other: str) -> float:
    """As the Web Content Accessibility Guidelines define it."""
    lights = sorted((_luminance(one), _luminance(other)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def _luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
