"""The pictures of one call."""

from collections.abc import Iterator, Sequence

from common.pictures.markup import Markup, plural
from common.pictures.picture import Picture, Table
from common.pictures.shapes import LETTER, Scale, axis, fitted, rect, text
from common.timeline.bands import BAND, LOOKS, PITCH, arrows, band, filled, labels, pieces
from common.timeline.columns import Cause, Columns
from common.timeline.evidence import Evidence, LockUse
from common.timeline.losses import Losses
from common.timeline.words import STATES, budget, what

WIDTH = 760
_NARROW = 396
"""Of pictures that a telephone shows whole."""
_LEFT = 72
_MOST_ROWS = 16
_MOST_LOCKS = 8
_LEAST = 0.05


def timeline(evidence: Evidence, columns: Columns) -> Picture:
    """A row for each thread."""
    record = evidence.record
    rows = list(range(min(len(record.threads), _MOST_ROWS)))
    scale = Scale(0, record.wall, _LEFT, WIDTH - 10)
    shown = [state for state in LOOKS if any(_has(columns, row, state) for row in rows)]
    legend, top = _legend(shown, record.threads)
    bottom = top + len(rows) * PITCH
    marks = [*legend, axis(Scale(0, record.wall / 1e6, _LEFT, WIDTH - 10), bottom, "ms", top)]
    for row in rows:
        y = top + row * PITCH
        marks.append(text(0, y + BAND - 6, record.threads[row].name))
        marks += band(columns.threads[row], scale, columns.width, y)
        marks += pieces(record.threads[row], scale, y)
    marks += arrows([k for k in evidence.links() if max(k.source, k.target) in rows], scale, top)
    for row in rows:
        marks += labels(columns.threads[row], scale, columns.width, top + row * PITCH)
    return Picture(
        f"What the threads of {record.function} did",
        _caption(evidence, columns),
        (WIDTH, bottom + 34),
        marks,
        _thread_table(evidence, columns),
    )


def speedup(lost: Losses, evidence: Evidence, expected: float | None) -> Picture:
    """A bar for what the team reaches, and one for each part that is missing."""
    parts, more = budget(lost, expected)
    reached = lost.runnable if expected is None else expected
    name = "could run on average" if expected is None else "expected speedup"
    bars = [(name, reached, "blue")]
    bars += [
        (what(cause, evidence), amount, LOOKS.get(cause.state, "grey"))
        for cause, amount in parts.items()
    ]
    bars += [("work that one thread would not need", more, "orange hatched")] if more > 0.05 else []
    bars = [(words, amount, look.replace("idle", "grey")) for words, amount, look in bars]
    bars = [bar for bar in bars if bar[1] >= _LEAST][:8]
    scale = Scale(0, lost.team, 4, _NARROW - 34)
    marks: list[Markup] = []
    at = 0.0
    for row, (words, amount, look) in enumerate(bars):
        y = row * 38
        marks.append(text(0, y + 12, fitted(words, _NARROW)))
        marks.append(rect(scale(at), y + 17, max(1.0, scale(amount) - scale(0)), 14, look))
        marks.append(text(scale(at + amount) + 4, y + 28, f"{amount:.1f}"))
        at += amount
    bottom = len(bars) * 38
    marks.append(axis(scale, bottom, f"threads of {lost.team}", 14))
    return Picture(
        f"Where the speedup of {evidence.record.function} went",
        f"A team of {lost.team} on as many cores could be {lost.team} times as fast as one thread.",
        (_NARROW, bottom + 34),
        marks,
        Table(["Part", "Of the speedup"], [[words, round(amount, 2)] for words, amount, _ in bars]),
    )


def balance(evidence: Evidence, columns: Columns) -> Picture:
    """A bar for each thread: how long it did what."""
    totals = [_totals(row) for row in columns.threads[:_MOST_ROWS]]
    states = [state for state in LOOKS if any(state in total for total in totals)]
    scale = Scale(0, evidence.record.wall, _LEFT, _NARROW - 10)
    legend, top = _legend(states, [], _NARROW)
    marks = list(legend)
    for row, total in enumerate(totals):
        y = top + row * 24
        marks.append(text(0, y + 12, evidence.record.threads[row].name))
        at = 0.0
        for state in states:
            amount = total.get(state, 0)
            if amount and LOOKS[state] != "idle":
                left, right = scale(at), scale(at + amount)
                marks += filled(f"M{left:.1f} {y:g}H{right:.1f}v16H{left:.1f}z", LOOKS[state])
                at += amount
    bottom = top + len(totals) * 24
    marks.append(axis(Scale(0, evidence.record.wall / 1e6, _LEFT, _NARROW - 10), bottom, "ms"))
    return Picture(
        f"How {evidence.record.function} shared its work",
        "Blue bars of equal length mean that the threads share the work equally.",
        (_NARROW, bottom + 34),
        marks,
        _thread_table(evidence, columns),
    )


def locks(evidence: Evidence, uses: Sequence[LockUse]) -> Picture:
    """How long each lock was held, and waited for, beside the length of the call."""
    scale = Scale(0, 100, 4, _NARROW - 100)
    wall = evidence.record.wall
    marks: list[Markup] = []
    shown = uses[:_MOST_LOCKS]
    for row, use in enumerate(shown):
        y = row * 56
        held = min(100.0, 100 * sum(use.held.values()) / wall)
        waited = 100 * sum(use.waited.values()) / wall / max(1, len(evidence.record.threads) - 1)
        marks.append(text(0, y + 12, fitted(evidence.names.shown(use.name), _NARROW)))
        for place, (percent, look, words) in enumerate(
            [(held, "blue", "held"), (min(100.0, waited), "red", "waited for")]
        ):
            marks.append(rect(4, y + 18 + 17 * place, max(1.0, scale(percent) - 4), 13, look))
            marks.append(text(scale(percent) + 5, y + 29 + 17 * place, f"{words} {percent:.0f} %"))
    bottom = len(shown) * 56
    marks.append(axis(scale, bottom, "% of the call; waits: of all its threads", 14))
    return Picture(
        f"The locks of {evidence.record.function}",
        "A lock that is held most of the time lets one thread work at a time.",
        (_NARROW, bottom + 34),
        marks,
        _lock_table(evidence, uses),
    )


def _has(columns: Columns, row: int, state: str) -> bool:
    return any(cause.state == state for shares in columns.threads[row] for cause in shares)


def _legend(
    states: Sequence[str], threads: Sequence[object], most: float = WIDTH
) -> tuple[list[Markup], float]:
    entries = [(LOOKS[state], STATES[state]) for state in states]
    kinds = {i.kind for thread in threads for i in thread.intervals}  # type: ignore[attr-defined]
    entries += [("green", "below: a chunk")] if "chunk" in kinds else []
    entries += [("green", "below: a task")] if "task" in kinds else []
    entries += [("red", "thin line below: holds a lock")] if "held" in kinds else []
    marks: list[Markup] = []
    x = y = 0.0
    for look, words in entries:
        width = 18 + LETTER * len(words) + 12
        if x + width > most:
            x, y = 0.0, y + 18
        if look == "idle":
            marks += filled(f"M{x:g} {y + 5:g}h12v2h-12z", look)
        else:
            marks += filled(f"M{x:g} {y:g}h12v12h-12z", look)
        marks.append(text(x + 17, y + 10, words))
        x += width
    return marks, y + 30


def _caption(evidence: Evidence, columns: Columns) -> str:
    record = evidence.record
    parts = [
        f"A column stands for {columns.width / 1e6:.2g} ms; what a thread did in one is stacked. "
        "Arrows lead from who released, ended or arrived last to who waited."
    ]
    joined = sum(i.count - 1 for thread in record.threads for i in thread.intervals)
    if joined:
        parts.append(f"Drawn together with others: {joined:,} short waits, holds, tasks or chunks.")
    hidden = record.left_out + max(0, len(record.threads) - _MOST_ROWS)
    if hidden:
        parts.append(f"{plural(hidden, 'more thread is', 'more threads are')} not drawn.")
    return " ".join(parts)


def _totals(row: Sequence[dict[Cause, float]]) -> dict[str, float]:
    totals: dict[str, float] = {}
    for shares in row:
        for cause, amount in shares.items():
            totals[cause.state] = totals.get(cause.state, 0) + amount
    return totals


def _thread_table(evidence: Evidence, columns: Columns) -> Table:
    totals = [_totals(row) for row in columns.threads]
    states = [state for state in LOOKS if any(state in total for total in totals)]
    rows = [
        [thread.name]
        + [f"{total.get(state, 0) / 1e6:.2f}" for state in states]
        + [evidence.places.at(evidence.busy_line(thread)) if evidence.busy_line(thread) else "–"]
        for thread, total in zip(evidence.record.threads, totals, strict=True)
    ]
    heads = [f"{STATES[state]}, ms" for state in states]
    return Table(["Thread", *heads, "Line found running most often"], rows[:64])


def _lock_table(evidence: Evidence, uses: Sequence[LockUse]) -> Table:
    return Table(
        ["Lock", "Thread", "Held, ms", "Waited, ms", "Held longest from line to line"],
        list(_lock_rows(evidence, uses)),
    )


def _lock_rows(evidence: Evidence, uses: Sequence[LockUse]) -> Iterator[list[object]]:
    for use in uses[:32]:
        lines = "–"
        if use.lines:
            first, last = use.lines.most_common(1)[0][0]
            lines = f"{first or '?'} to {last or '?'}"
        for index in sorted(use.held.keys() | use.waited.keys()):
            yield [
                evidence.names.shown(use.name),
                evidence.record.threads[index].name,
                f"{use.held.get(index, 0) / 1e6:.3f}",
                f"{use.waited.get(index, 0) / 1e6:.3f}",
                lines,
            ]
