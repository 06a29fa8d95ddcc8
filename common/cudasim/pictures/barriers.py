"""The barriers of one block in space and time: which warp came when, and who waited for whom."""

from collections.abc import Iterator

from common.cudasim.pictures.evidence import Arrivals, Barrier, Barriers, Kernel
from common.pictures.markup import Markup, count, plural
from common.pictures.picture import Picture, Table
from common.pictures.shapes import LETTER, Box, Scale, axis, line, rects, text

_LEFT, _RIGHT, _ROW, _TOP = 52.0, 560.0, 16.0, 26.0


def barriers(kernel: Kernel) -> Picture | None:
    """None if the kernel has no barriers."""
    kept = kernel.barriers
    if not kept.barriers:
        return None
    end = max([b.released for b in kept.barriers] + [end.last for end in kept.ends])
    scale = Scale(0, end, _LEFT, _RIGHT)
    bottom = _TOP + len(kept.ends) * _ROW
    marks = [axis(scale, bottom + 2, "operations since the block began", top=_TOP)]
    marks += [text(4, _TOP + w * _ROW + 12, f"warp {w}") for w in range(len(kept.ends))]
    marks.append(rects(_works(kept, scale), "blue"))
    marks.append(rects(_divided(kept, scale), "purple"))
    marks.append(rects(_waits(kept, scale), "orange hatched"))
    marks += _releases(kept, scale, bottom)
    title = f"Barriers of {kernel.name}, block {kept.block}"
    return Picture(title, _caption(kept), (_RIGHT + 8, bottom + 36), marks, _table(kept))


def _works(kept: Barriers, scale: Scale) -> list[Box]:
    """From each release until the warp's first thread comes to the next barrier or returns."""
    boxes = []
    for warp in range(len(kept.ends)):
        for began, arrived in _stretches(kept, warp):
            boxes.append(_box(warp, began, arrived.first, scale))
    return boxes


def _divided(kept: Barriers, scale: Scale) -> list[Box]:
    """From there until its last thread does."""
    return [
        _box(warp, arrived.first, arrived.last, scale)
        for warp in range(len(kept.ends))
        for _, arrived in _stretches(kept, warp)
        if arrived.last > arrived.first
    ]


def _stretches(kept: Barriers, warp: int) -> Iterator[tuple[int, Arrivals]]:
    """When the warp went on, and when its threads came to the next barrier or returned."""
    began = 0
    for barrier in kept.barriers:
        if barrier.arrivals[warp].threads:
            yield began, barrier.arrivals[warp]
            began = barrier.released
    yield began, kept.ends[warp]


def _waits(kept: Barriers, scale: Scale) -> list[Box]:
    return [
        _box(warp, arrived.last, barrier.released, scale)
        for barrier in kept.barriers
        for warp, arrived in enumerate(barrier.arrivals)
        if arrived.threads and barrier.released > arrived.last
    ]


def _box(warp: int, begin: int, end: int, scale: Scale) -> Box:
    width = max(0.0, scale(end) - scale(begin))
    return (scale(begin), _TOP + warp * _ROW + 2, width, _ROW - 4)


def _table(kept: Barriers) -> Table:
    rows: list[list[object]] = []
    for number, barrier in enumerate(kept.barriers, 1):
        came = [warp for warp, arrived in enumerate(barrier.arrivals) if arrived.threads]
        early = min(came, key=lambda warp: barrier.arrivals[warp].last)
        late = _last_of(barrier)
        first, last = barrier.arrivals[early].last, barrier.arrivals[late].last
        rows.append([number, barrier.place[1], early, first, late, last, barrier.waited])
    columns = ["barrier", "line", "first warp", "came at", "last warp", "came at", "waited by all"]
    return Table(columns, rows)


def _releases(kept: Barriers, scale: Scale, bottom: float) -> list[Markup]:
    """Red lines, with the barriers' lines above them where there is room."""
    marks = []
    free = _LEFT
    for barrier in kept.barriers:
        x = scale(barrier.released)
        marks.append(line([(x, _TOP - 4), (x, bottom)], "red"))
        words = f"line {barrier.place[1]}"
        half = len(words) * LETTER / 2
        at = min(x, _RIGHT + 6 - half)
        if at - half >= free:
            marks.append(text(at, _TOP - 9, words, "", "middle"))
            free = at + half + 4
    return marks


def _caption(kept: Barriers) -> str:
    worst = max(kept.barriers, key=lambda barrier: barrier.waited)
    more = kept.released - len(kept.barriers)
    words = (
        "Blue: a warp works; purple: some of its lanes still do; orange with stripes: it waits for "
        "other warps; red: the barrier lets all go on. "
    )
    if kept.waited == 0:
        words += "No warp waits for another. "
    if worst.waited > 0:
        last = _last_of(worst)
        words += (
            f"The warps waited {plural(kept.waited, 'operation')} in all, most at the barrier in "
            f"line {worst.place[1]}, for warp {last}, which came after "
            f"{count(worst.arrivals[last].last)} operations. "
        )
    return words + (
        f"{plural(more, 'more barrier follows', 'more barriers follow')}." if more > 0 else ""
    )


def _last_of(barrier: Barrier) -> int:
    return max(range(len(barrier.arrivals)), key=lambda warp: barrier.arrivals[warp].last)
