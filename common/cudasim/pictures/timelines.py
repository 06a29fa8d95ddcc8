"""A call over time: the critical path over its launches, and its streams on a model of a GPU."""

from collections.abc import Sequence

from common.cudasim.pictures.evidence import Call, Launch, Operation
from common.pictures.markup import Markup, count, plural
from common.pictures.picture import Picture, Table
from common.pictures.shapes import LETTER, Scale, axis, fitted, hint, rect, text

_LEFT, _RIGHT, _ROW, _TOP = 92.0, 560.0, 22.0, 8.0
_MOST = 40
"""Launches or operations of a call that are drawn, the first ones."""
_LEAST = 44
"""Bars narrower than this have no name."""
_ENGINES = {
    "host to GPU": "purple",
    "kernels": "blue",
    "GPU to host": "green",
    "host functions": "grey",
}
"""The colours of the engines, in the order of the legend."""


def critical_path(call: Call) -> Picture:
    """The call's launches in logical time; those on the critical path stand out."""
    longest = set(path_of(call.launches))
    drawn = call.launches[:_MOST]
    streams = _streams(call)
    rows = _rows([_stream_of(call, launch) for launch in drawn])
    end = max((launch.ends for launch in call.launches), default=0)
    scale = Scale(0, max((launch.ends for launch in drawn), default=0), _LEFT, _RIGHT)
    bottom = _TOP + len(rows) * _ROW
    marks = [axis(scale, bottom + 2, "operations, one after another", top=_TOP)]
    marks += [text(4, _TOP + i * _ROW + 14, streams[s]) for i, s in enumerate(rows)]
    for launch in drawn:
        y = _TOP + rows.index(_stream_of(call, launch)) * _ROW + 2
        look = "blue" if launch in longest else "grey hatched"
        words = f"{launch.kernel}: work {count(launch.work)}, span {count(launch.span)}"
        marks.append(_bar(scale, launch.begins, launch.ends, y, look, words, launch.kernel))
    work = sum(launch.work for launch in call.launches)
    caption = (
        f"Blue: the critical path, {plural(end, 'operation')} of which each waits for the one "
        f"before. All launches together are {count(work)} operations of threads, so at most "
        f"{count(work / max(1, end))} processors have work on average."
    )
    if call.all_launches > len(drawn):
        caption += f" The first {len(drawn)} of {count(call.all_launches)} launches are drawn."
    return Picture(
        f"Critical path of {call.kernels}",
        caption,
        (_RIGHT + 8, bottom + 36),
        marks,
        Table(
            ["launch", "launched at", "begins", "span", "work", "parallelism"],
            [
                [x.kernel, f"{x.place[0]}:{x.place[1]}", x.begins, x.span, x.work, _ratio(x)]
                for x in drawn
            ],
        ),
    )


def path_of(launches: Sequence[Launch]) -> list[Launch]:
    """Launches of which each begins when the one before ends, the last one at the end of all."""
    path: list[Launch] = []
    left = [launch for launch in launches if launch.span > 0]
    at = max((launch.ends for launch in left), default=0)
    while at > 0:
        found = next((launch for launch in reversed(left) if launch.ends == at), None)
        if found is None:
            break
        path.append(found)
        at = found.begins
    return path[::-1]


def streams(call: Call) -> Picture | None:
    """A row for each stream and one for the host; None if nothing but one kernel's engine works."""
    engines = {operation.engine for operation in call.operations}
    if len(engines) < 2 and len(_used_streams(call)) < 2:
        return None
    names = _streams(call)
    rows = _used_streams(call)
    drawn = call.operations[:_MOST]
    last = max(operation.end for operation in drawn)
    is_whole = len(drawn) == len(call.operations)
    scale = Scale(0, (call.makespan if is_whole else last) / 1000, _LEFT, _RIGHT)
    bottom = _TOP + 18 + (len(rows) + 1) * _ROW
    marks = [*_legend(engines), axis(scale, bottom + 2, "µs on a model of a GPU", top=_TOP + 18)]
    marks.append(text(4, _TOP + 18 + 14, "host"))
    marks += _host(call, scale, _TOP + 18 + 2)
    marks += [text(4, _TOP + 18 + (i + 1) * _ROW + 14, names[s]) for i, s in enumerate(rows)]
    kernels = {launch.operation: launch.kernel for launch in call.launches if not launch.is_child}
    for operation in drawn:
        y = _TOP + 18 + (rows.index(operation.stream) + 1) * _ROW + 2
        name = kernels.get(operation.index, operation.engine)
        begin, end = operation.begin / 1000, operation.end / 1000
        words = f"{name}: {begin:,.1f} to {end:,.1f} µs"
        look = _ENGINES.get(operation.engine, "grey")
        marks.append(_bar(scale, begin, end, y, look, words, name))
    return Picture(
        f"Streams of {call.kernels}",
        _overlap(call),
        (_RIGHT + 8, bottom + 36),
        marks,
        _streams_table(call, kernels),
    )


def _bar(
    scale: Scale, begin: float, end: float, y: float, look: str, words: str, name: str
) -> Markup:
    x, width = scale(begin), scale(end) - scale(begin)
    bar = rect(x, y, max(0.5, width - 0.6), _ROW - 6, look)
    label = fitted(name, width - 4) if width > _LEAST else ""
    return hint(Markup(bar + text(x + 3, y + 12, label, "on")) if label else bar, words)


def _legend(engines: set[str]) -> list[Markup]:
    marks: list[Markup] = []
    x = _LEFT
    for engine, look in _ENGINES.items():
        if engine in engines:
            marks += [rect(x, _TOP, 10, 10, look), text(x + 14, _TOP + 9, engine)]
            x += 22 + len(engine) * LETTER * 0.85
    marks += [rect(x, _TOP, 10, 10, "orange hatched"), text(x + 14, _TOP + 9, "host waits")]
    return marks


def _host(call: Call, scale: Scale, y: float) -> list[Markup]:
    marks = []
    for times, look, words in (
        (call.host_work, "grey", "the host accesses pinned or managed memory"),
        (call.host_waits, "orange hatched", "the host waits"),
    ):
        for begin, end in times[:_MOST]:
            if end / 1000 <= scale.high:
                marks.append(_bar(scale, begin / 1000, end / 1000, y, look, words, ""))
    return marks


def _overlap(call: Call) -> str:
    busy = sum(operation.end - operation.begin for operation in call.operations)
    words = (
        f"Operations of {busy / 1000:,.1f} µs in {call.makespan / 1000:,.1f} µs, so "
        f"{busy / max(1, call.makespan):.2f} at a time on average. "
    )
    waited = sum(end - begin for begin, end in call.host_waits)
    if waited:
        words += f"The host waits {waited / 1000:,.1f} µs. "
    if len(call.operations) > _MOST:
        words += f"The first {_MOST} operations are drawn. "
    return words + "The model says what may overlap, not how long it takes on a GPU."


def _streams_table(call: Call, kernels: dict[int, str]) -> Table:
    names = _streams(call)
    rows: list[list[object]] = [
        [names[o.stream], kernels.get(o.index, o.engine), o.engine, o.begin / 1000, o.end / 1000]
        for o in call.operations[:_MOST]
    ]
    rows += [["host", "waits", "host", b / 1000, e / 1000] for b, e in call.host_waits[:_MOST]]
    return Table(["stream", "operation", "engine", "begins, µs", "ends, µs"], rows)


def _used_streams(call: Call) -> list[int]:
    return _rows([operation.stream for operation in call.operations])


def _rows(streams: Sequence[int]) -> list[int]:
    return list(dict.fromkeys(streams))


def _stream_of(call: Call, launch: Launch) -> int:
    """The launch's stream, and -1 for launches by kernels."""
    if launch.is_child:
        return -1
    return next((o.stream for o in call.operations if o.index == launch.operation), 0)


def _streams(call: Call) -> dict[int, str]:
    """The default stream's name, and numbers for the others in the order of their operations."""
    used: Sequence[Operation] = call.operations
    others = _rows([operation.stream for operation in used if operation.stream != 0])
    named = {stream: f"stream {number}" for number, stream in enumerate(others, 1)}
    return {0: "default stream", -1: "by kernels"} | named


def _ratio(launch: Launch) -> float:
    return launch.work / max(1, launch.span)
