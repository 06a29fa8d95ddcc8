"""The source with a bar at each line for what it costs; a line opens its pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from common.cudasim.pictures.access_map import access_map, cost_unit, histogram, legend, mean_cost
from common.cudasim.pictures.branches import divergence
from common.cudasim.pictures.costs import WORTH_TELLING, LineCost, Totals
from common.cudasim.pictures.evidence import Line, Place, Request
from common.pictures.markup import Markup, joined, plural, tag

_MOST_MAPS = 32
"""Requests that are drawn on a page, those of the worst lines."""
_MOST_BRANCHES = 10
_NEAR = 4
"""Lines around one with costs that are shown; longer stretches in between are folded."""
_LONG_FILE = 500
"""Of a file with more lines, stretches without costs are left out."""
_LONGEST = 240
"""Characters of a line."""


def anchor(place: Place, version: str = "") -> str:
    """The id of a line on the page."""
    name = "".join(c if c.isalnum() else "-" for c in place[0])
    return f"{version}{name}-{place[1]}"


def files_of(costs: Mapping[Place, LineCost]) -> list[str]:
    """The files with costs, the one with most work first."""
    work: dict[str, int] = {}
    for (file, _), cost in costs.items():
        work[file] = work.get(file, 0) + cost.work
    return sorted(work, key=lambda file: (-work[file], file))


def read_lines(root: Path, file: str) -> list[str]:
    """The file's lines; none if it cannot be read."""
    try:
        text = (root / file).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return [line[:_LONGEST].rstrip("\r") for line in text.removesuffix("\n").split("\n")]


@dataclass(frozen=True)
class Drawing:
    """What all files of a page share."""

    totals: Totals
    opened: Place | None
    """The line that shows its pictures from the start."""
    requests: Mapping[int, tuple[Request, ...]]
    """Those that are drawn, by the id of their line; of lines that waste nothing one is enough."""
    branches: frozenset[int]
    version: str = ""


def drawing_of(
    costs: Mapping[Place, LineCost], totals: Totals, version: str = "", share: float = 1
) -> Drawing:
    """Draws the worst lines, so that the page stays small; `share` is its part of a page."""
    ordered = sorted(costs.values(), key=lambda c: (-totals.badness(c), -c.cost, c.place))
    requests: dict[int, tuple[Request, ...]] = {}
    left = int(share * _MOST_MAPS)
    for line in (line for cost in ordered for line in _by_waste(cost)):
        wanted = line.samples if line.waste > 0 else line.samples[:1]
        if len(wanted) <= left:
            requests[id(line)] = wanted
            left -= len(wanted)
    branches = [branch for cost in ordered for branch in cost.branches[:2]]
    opened = ordered[0].place if ordered and totals.badness(ordered[0]) >= WORTH_TELLING else None
    kept = frozenset(map(id, branches[: int(share * _MOST_BRANCHES)]))
    return Drawing(totals, opened, requests, kept, version)


def listing(
    lines: Sequence[str], file: str, costs: Mapping[Place, LineCost], drawing: Drawing
) -> Markup:
    """The file with its bars, or, if it cannot be read, the lines that cost something."""
    mine = {place[1]: cost for place, cost in costs.items() if place[0] == file}
    numbers = range(1, len(lines) + 1) if lines else sorted(mine)
    shown = {n for line in mine for n in range(line - _NEAR, line + _NEAR + 1)}
    rows: list[Markup] = []
    folded: list[Markup] = []
    for number in numbers:
        code = lines[number - 1] if lines else ""
        cost = mine.get(number)
        row = _row((file, number), code, cost, drawing)
        if number in shown:
            rows += _folded(folded, len(lines) > _LONG_FILE)
            folded = []
            rows.append(row)
        else:
            folded.append(row)
    head = tag(
        "div",
        *(tag("span", words) for words in ("line", "accesses", "work", "source")),
        class_="row head",
        aria_hidden="true",
    )
    return tag("div", head, *rows, *_folded(folded, len(lines) > _LONG_FILE), class_="listing")


def _folded(rows: Sequence[Markup], leaves_out: bool) -> list[Markup]:
    if len(rows) < 3:
        return list(rows)
    words = f"{len(rows)} lines without costs"
    if leaves_out:
        return [tag("div", words, class_="fold")]
    return [tag("details", tag("summary", words, class_="fold"), *rows)]


def _row(place: Place, code: str, cost: LineCost | None, drawing: Drawing) -> Markup:
    totals = drawing.totals
    is_costly = cost is not None and (cost.cost > 0 or cost.work > 0 or cost.branches)
    cells = [tag("span", place[1], class_="number")]
    if cost is None or not is_costly:
        cells += [tag("span"), tag("span")]
    else:
        cells += [_accesses(cost, totals), _share(cost.work, totals.work)]
    cells.append(tag("code", code))
    inside = _inside(cost, drawing) if cost is not None else []
    if not inside:
        return tag("div", *cells, class_="row")
    marks = [tag("span", words, class_="badge") for words in _badges(cost, totals)] if cost else []
    summary = tag("summary", *cells, tag("span", *marks, class_="badges"), class_="row")
    # A browser opens what surrounds the place that a link leads to.
    shown = tag("div", *inside, class_="inside", id=anchor(place, drawing.version))
    return tag("details", summary, shown, open=place == drawing.opened)


def _accesses(cost: LineCost, totals: Totals) -> Markup:
    """What is needed in blue, what is wasted in orange."""
    share = 100 * cost.cost / totals.cost if totals.cost else 0
    wasted = 100 * totals.wasted(cost)
    words = f"{share:.0f} % of the cost of accesses, {wasted:.0f} % wasted"
    return tag(
        "span",
        _bar("blue", share - wasted),
        _bar("orange striped", wasted),
        tag("span", words, class_="visually-hidden"),
        class_="track",
        title=words,
    )


def _share(part: float, whole: float) -> Markup:
    share = 100 * part / whole if whole else 0
    words = f"{share:.0f} % of the work"
    hidden = tag("span", words, class_="visually-hidden")
    return tag("span", _bar("grey", share), hidden, class_="track", title=words)


def _bar(look: str, share: float) -> Markup | None:
    return tag("i", class_=f"bar {look}", style=f"width:{share:.1f}%") if share >= 0.05 else None


def _badges(cost: LineCost, totals: Totals) -> list[str]:
    words = []
    if totals.wasted(cost) >= WORTH_TELLING:
        words += [short_words(line) for line in cost.lines if line.waste > 0]
    if totals.parted(cost) >= WORTH_TELLING:
        words.append(f"diverges {plural(cost.parted, 'time')}")
    return [*words, "warps wait"] if cost.barriers else words


def short_words(line: Line) -> str:
    """2 sectors a request, 1 would do."""
    taken = sum(c * n for c, _, n in line.costs)
    ideal = sum(i * n for _, i, n in line.costs)
    return mean_cost(cost_unit(line), taken, ideal, sum(n for _, _, n in line.costs))


def _by_waste(cost: LineCost) -> list[Line]:
    return sorted(cost.lines, key=lambda line: (-line.waste, -line.cost))


def _inside(cost: LineCost, drawing: Drawing) -> list[Markup]:
    parts: list[Markup] = []
    for line in _by_waste(cost):
        parts += _requests(line, drawing.requests.get(id(line), ()))
    sides = [divergence(b).figure() for b in cost.branches if id(b) in drawing.branches]
    parts += [tag("div", *sides, class_="requests")] if sides else []
    if len(sides) < len(cost.branches):
        parts.append(tag("p", f"Branches here diverge {plural(cost.parted, 'time')}."))
    for kernel in cost.barriers:
        waited = plural(kernel.barriers.waited, "operation")
        words = f"{kernel.name}: the warps of block {kernel.barriers.block} waited {waited}"
        parts.append(tag("p", f"{words}; see its barriers below."))
    return parts


def _requests(line: Line, drawn: Sequence[Request]) -> list[Markup]:
    name = f"{line.kernel}: {line.operation.replace('_', ' ')} of {line.target or 'memory'}"
    words = f"{plural(line.requests, 'request')} of warps, {line.lanes:.3g} lanes in each. "
    advice = tag("b", f" {line.advice}") if line.advice else None
    if not drawn:
        return [tag("p", f"{name}: {words}", short_words(line), ".", advice)]
    figures = [access_map(line, request).figure() for request in drawn]
    return [
        tag("h3", name),
        tag("p", words, legend(line), advice),
        joined(tag("div", *figures, class_="requests"), histogram(line)),
    ]
