"""The rows of a timeline: bands of colour, labels, tasks and chunks, and arrows."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from common.pictures.markup import Markup, tag
from common.pictures.shapes import Scale, arrow, fitted, text
from common.timeline.columns import ASLEEP, READY, RUN, SERIAL, SPIN, Cause, Columns, Shares
from common.timeline.evidence import Evidence, Link
from common.timeline.record import Thread

LOOKS = {
    RUN: "blue",
    READY: "pale",
    "lock": "red",
    SPIN: "red hatched",
    "condition": "orange",
    "barrier": "purple",
    "taskwait": "purple hatched",
    "join": "idle",
    "sleep": "idle",
    ASLEEP: "grey hatched",
    SERIAL: "idle",
}
"""Of a thread's states, in the order in which they are stacked."""
BAND, PITCH = 20, 38
_STEPS = 5
"""Heights of parts of a band: so many."""
_MOST_BYTES = 50_000
_MOST_LINKS = 24
_LINK_LOOKS = {"released": "red", "arrived last": "purple", "ended": "grey", "began": "grey"}

Run = tuple[int, int, int, int]
"""First stretch, one past the last, and lowest and highest step."""


def fine_enough(evidence: Evidence, most: int = 480) -> Columns:
    """Columns whose bands are not too large a text."""
    count = most
    while True:
        columns = Columns(evidence.record, evidence.places, evidence.names, count)
        runs = sum(len(list(runs_of(row, state))) for row in columns.threads for state in LOOKS)
        if runs * 22 < _MOST_BYTES or count <= 60:
            return columns
        count //= 2


def runs_of(row: Sequence[Shares], state: str) -> Iterator[Run]:
    """The rectangles of one state in a thread's band."""
    heights = [_heights(shares).get(state, (0, 0)) for shares in row]
    at = 0
    for (low, high), group in groupby(heights):
        end = at + len(list(group))
        if low < high:
            yield at, end, low, high
        at = end


def band(row: Sequence[Shares], scale: Scale, width: float, y: float) -> Iterator[Markup]:
    """What a thread did; stretches are `width` long."""
    for state, look in LOOKS.items():
        runs = list(runs_of(row, state))
        if not runs:
            continue
        path = "".join(_box(run, scale, width, y, look) for run in runs)
        yield from filled(path, look)


def filled(path: str, look: str) -> Iterator[Markup]:
    """An area of one of LOOKS."""
    looks = "grey" if look in ("idle", "pale") else look
    opacity = "0.35" if look == "pale" else None
    yield tag("path", d=path, class_=f"area {looks}", fill_opacity=opacity)


def labels(row: Sequence[Shares], scale: Scale, width: float, y: float) -> Iterator[Markup]:
    """The names of what a thread waits for, where there is room."""
    causes = [_main(shares) for shares in row]
    at = 0
    for cause, group in groupby(causes):
        end = at + len(list(group))
        room = scale(end * width) - scale(at * width)
        words = "" if cause is None or cause.name is None else cause.name.words
        if words and fitted(words, room - 8) == words:
            yield text(scale(at * width) + 4, y + BAND - 6, words, "on")
        at = end


def pieces(thread: Thread, scale: Scale, y: float) -> Iterator[Markup]:
    """Tasks and chunks, one beside the other, and below them where a lock is held."""
    parts = [i for i in thread.intervals if i.kind in ("task", "chunk")]
    for number in (0, 1):
        path = _boxes([(i.begin, i.end) for i in parts[number::2]], scale, y + BAND + 2, 5)
        if path:
            yield from filled(path, ("green", "green hatched")[number])
    held = [(i.begin, i.end) for i in thread.intervals if i.kind == "held"]
    if path := _boxes(held, scale, y + BAND + 9, 3):
        yield from filled(path, "red")


def arrows(links: Sequence[Link], scale: Scale, top: float) -> Iterator[Markup]:
    """From who ended a wait to who waited: those that waited longest."""
    began = [link for link in links if link.why == "began"][:8]
    others = sorted((k for k in links if k.why != "began"), key=lambda link: -link.waited)
    for link in began + others[:_MOST_LINKS]:
        down = link.target > link.source
        source = top + link.source * PITCH + (BAND if down else 0)
        target = top + link.target * PITCH + (0 if down else BAND)
        yield arrow(
            (scale(link.left), source), (scale(link.arrived), target), _LINK_LOOKS[link.why]
        )


def _heights(shares: Shares) -> dict[str, tuple[int, int]]:
    total = sum(shares.values())
    if total <= 0:
        return {}
    heights, low, sum_ = {}, 0, 0.0
    for state in LOOKS:
        sum_ += sum(amount for cause, amount in shares.items() if cause.state == state)
        high = round(_STEPS * sum_ / total)
        if high > low:
            heights[state] = (low, high)
        low = max(low, high)
    return heights


def _box(run: Run, scale: Scale, width: float, y: float, look: str) -> str:
    begin, end, low, high = run
    left, right = scale(begin * width), scale(end * width)
    if look == "idle":
        return f"M{left:.1f} {y + BAND / 2 - 1:g}H{right:.1f}v2H{left:.1f}z"
    top, height = y + BAND * (1 - high / _STEPS), BAND * (high - low) / _STEPS
    return f"M{left:.1f} {top:g}H{right:.1f}v{height:g}H{left:.1f}z"


def _main(shares: Shares) -> Cause | None:
    cause = max(shares, key=lambda cause: shares[cause], default=None)
    if cause is None or shares[cause] < 0.6 * sum(shares.values()):
        return None
    return cause if cause.name is not None else None


def _boxes(spans: Sequence[tuple[int, int]], scale: Scale, y: float, height: float) -> str:
    """Spans that lie closer than a pixel become one."""
    joined: list[list[float]] = []
    for begin, end in sorted(spans):
        left, right = scale(begin), max(scale(end), scale(begin) + 0.5)
        if joined and left < joined[-1][1] + 0.5:
            joined[-1][1] = max(joined[-1][1], right)
        else:
            joined.append([left, right])
    return "".join(
        f"M{left:.1f} {y:g}H{right:.1f}v{height:g}H{left:.1f}z" for left, right in joined
    )
