"""The page of two versions of a program side by side."""

from pathlib import Path

from common.cudasim.pictures.evidence import Profile
from common.cudasim.pictures.profile_page import STYLE, parts_of
from common.pictures.markup import Markup, count, tag
from common.pictures.page import Section, page
from common.pictures.picture import Picture, Table
from common.pictures.shapes import Scale, rect, text

_NAMES = ("Yours", "The other")
_LOOKS = ("blue", "purple hatched")
_MEASURES: dict[str, tuple[str, ...]] = {
    "sectors of global memory": ("global_load_sectors", "global_store_sectors"),
    "wavefronts of shared memory": ("shared_load_wavefronts", "shared_store_wavefronts"),
    "lanes of global atomics": ("global_atomic_lanes",),
    "wavefronts of shared atomics": ("shared_atomic_wavefronts",),
    "divergent branches": ("divergent_branches",),
    "barriers": ("barriers",),
    "work": ("work",),
    "span": ("span",),
}
"""Sums over all kernels of these counters; less is better."""
_LEFT, _RIGHT, _ROW = 176.0, 560.0, 36.0


def comparison_page(title: str, yours: Profile, other: Profile, root: Path) -> str:
    """The page; sources of both are read below `root`."""
    sides = [parts_of(yours, root, "yours-", 0.5), parts_of(other, root, "other-", 0.5)]
    sections = [Section("What each version does", [totals(yours, other)])]
    for heading in dict.fromkeys([*sides[0], *sides[1]]):
        columns = [
            tag("div", tag("h3", name), *(side.get(heading) or [tag("p", "None.")]))
            for name, side in zip(_NAMES, sides, strict=True)
        ]
        sections.append(Section(heading, [tag("div", *columns, class_="sides")]))
    lead = [f"Two versions as an {yours.device} would run them, counted on a CPU: no times."]
    return page(title, sections, lead, STYLE.read_text(encoding="utf-8"))


def totals(yours: Profile, other: Profile) -> Picture:
    """Two bars for each measure that is not zero in both."""
    rows: list[tuple[str, float, float]] = []
    for words, counters in _MEASURES.items():
        pair = [_sum(profile, counters) for profile in (yours, other)]
        if any(pair):
            rows.append((words, pair[0], pair[1]))
    marks: list[Markup] = []
    for number, (words, *pair) in enumerate(rows):
        y = 4 + number * _ROW
        marks.append(text(4, y + 18, words))
        scale = Scale(0, max(pair), _LEFT, _RIGHT - 80)
        for place, (value, look) in enumerate(zip(pair, _LOOKS, strict=True)):
            top = y + place * 14
            marks.append(rect(_LEFT, top, scale(value) - _LEFT, 11, look))
            marks.append(text(scale(value) + 4, top + 10, count(value)))
    size = (_RIGHT, 4 + len(rows) * _ROW)
    caption = "Plain: yours; with stripes: the other. Less is better; each pair has its own scale."
    table = Table(["", *_NAMES], rows)
    return Picture("Sums over all kernels", caption, size, marks, table)


def _sum(profile: Profile, counters: tuple[str, ...]) -> float:
    return sum(kernel.of(counter) for kernel in profile.kernels for counter in counters)
