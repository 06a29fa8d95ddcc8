"""The page of one profile."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from common.cudasim.pictures.barriers import barriers
from common.cudasim.pictures.costs import (
    WORTH_TELLING,
    LineCost,
    Totals,
    costs_of,
    totals_of,
    worst_first,
)
from common.cudasim.pictures.evidence import Place, Profile, largest
from common.cudasim.pictures.occupancy import occupancy
from common.cudasim.pictures.source import (
    Drawing,
    anchor,
    drawing_of,
    files_of,
    listing,
    read_lines,
    short_words,
)
from common.cudasim.pictures.timelines import critical_path, streams
from common.pictures.markup import Markup, joined, plural, tag
from common.pictures.page import Section, page

_MOST_LISTED = 10
_MOST_CALLS = 4

Costs = Mapping[Place, LineCost]
STYLE = Path(__file__).with_name("profile.css")


def profile_page(title: str, profile: Profile, root: Path) -> str:
    """The page; sources are read below `root`."""
    sections = [Section(heading, body) for heading, body in parts_of(profile, root).items()]
    lead = [
        f"What an {profile.device} would do with the kernels of these tests, counted on a CPU: no "
        "times. A bar is a line's share; orange with stripes is what it wastes. Open a line to see "
        "how one warp's 32 lanes access memory.",
    ]
    return page(title, sections, lead, STYLE.read_text(encoding="utf-8"))


def parts_of(
    profile: Profile, root: Path, version: str = "", share: float = 1
) -> dict[str, list[Markup]]:
    """The page's parts by their headings; `version` tells the lines of two profiles apart, and
    `share` is the part of a page that each of them has."""
    costs = costs_of(profile)
    totals = totals_of(profile, costs)
    kernels = [kernel for kernel in largest(profile.kernels) if not kernel.is_library]
    waits = [picture.figure() for picture in map(barriers, kernels) if picture is not None]
    limits = [occupancy(kernel).figure() for kernel in kernels]
    parts = {
        "What costs most": [_index(costs, totals, version), *_advice(profile)],
        "The source": _sources(costs, drawing_of(costs, totals, version, share), root),
        "Launches over time": _calls(profile, int(share * _MOST_CALLS)),
        "Barriers": waits,
        "Occupancy": [tag("div", *limits, class_="requests")] if limits else [],
    }
    return {heading: body for heading, body in parts.items() if body}


def _index(costs: Costs, totals: Totals, version: str) -> Markup:
    """The worst lines, each with a link to it."""
    worst = worst_first(costs.values(), totals)
    if not worst:
        return tag("p", "No line wastes many accesses, and few branches diverge.")
    items = [_item(cost, totals, version) for cost in worst[:_MOST_LISTED]]
    more = len(worst) - _MOST_LISTED
    rest = tag("p", f"{plural(more, 'more line')}: see the source.") if more > 0 else None
    return joined(tag("ol", *items, class_="worst"), rest)


def _item(cost: LineCost, totals: Totals, version: str) -> Markup:
    wasted, parted = 100 * totals.wasted(cost), 100 * totals.parted(cost)
    is_waste = wasted >= parted
    look = "orange striped" if is_waste else "purple striped"
    bar = tag("i", class_=f"bar {look}", style=f"width:{max(wasted, parted):.1f}%")
    link = tag("a", f"{cost.place[0]}:{cost.place[1]}", href=f"#{anchor(cost.place, version)}")
    words = []
    if wasted >= 100 * WORTH_TELLING:
        waste = [f"{x.target}: {short_words(x)}" for x in cost.lines if x.waste > 0]
        words.append(f"{wasted:.0f} % of all accesses are wasted here. " + "; ".join(waste))
    if parted >= 100 * WORTH_TELLING:
        words.append(f"{parted:.0f} % of all branches diverge here")
    return tag("li", tag("span", bar, class_="track"), " ", link, " ", ". ".join(words), ".")


def _advice(profile: Profile) -> list[Markup]:
    words = [
        tag("li", tag("b", f"{kernel.name}: "), advice)
        for kernel in largest(profile.kernels)
        for advice in kernel.advice
    ]
    return [tag("ul", *words)] if words else []


def _sources(costs: Costs, drawing: Drawing, root: Path) -> list[Markup]:
    parts = []
    for file in files_of(costs):
        lines = read_lines(root, file)
        note = None if lines else tag("p", "This file is not at hand: only lines with costs.")
        parts += [tag("h3", file), note, listing(lines, file, costs, drawing)]
    return [part for part in parts if part is not None]


def _calls(profile: Profile, most: int) -> list[Markup]:
    calls = sorted(profile.calls, key=lambda call: -call.makespan)[:most]
    pictures = [picture for call in calls for picture in (critical_path(call), streams(call))]
    return [picture.figure() for picture in pictures if picture is not None]
