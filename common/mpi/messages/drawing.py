"""Who sends how much to whom: a matrix of ranks, and the busiest of them in words."""

from collections.abc import Iterator
from dataclasses import dataclass

from common.pictures import shapes
from common.pictures.markup import Markup, count, plural
from common.pictures.picture import Picture, Table

_CELL = 44.0
_LEFT = 62.0
_TOP = 40.0
_LEAST = 0.15
"""Side of the square for the smallest amount, as a share of a cell."""


@dataclass(frozen=True)
class Traffic:
    """The messages of one call."""

    function: str
    chain: int
    """Messages that wait for each other, at most."""
    messages: list[list[int]]
    """From each rank, in rows, to each rank."""
    bytes: list[list[int]]

    @property
    def ranks(self) -> int:
        return len(self.messages)

    @property
    def total_bytes(self) -> int:
        return sum(map(sum, self.bytes))

    def passed_by(self, rank: int) -> int:
        """Bytes that the rank sends and receives."""
        return sum(self.bytes[rank]) + sum(row[rank] for row in self.bytes)


def sentence(traffic: Traffic) -> str:
    """The totals, and the rank that most of it passes."""
    total = sum(map(sum, traffic.messages))
    if total == 0:
        return f"{plural(traffic.ranks, 'rank')}, no messages: collectives are not in the matrix."
    busiest = max(range(traffic.ranks), key=traffic.passed_by)
    return (
        f"{plural(traffic.ranks, 'rank')} send {plural(total, 'message')} with "
        f"{plural(traffic.total_bytes, 'byte')}; at most {count(traffic.chain)} wait for each "
        f"other. Rank {busiest} sends and receives {plural(traffic.passed_by(busiest), 'byte')}, "
        "no rank more."
    )


def matrix(traffic: Traffic) -> Picture:
    """Squares whose areas are bytes, each with its number of messages."""
    side = _CELL * traffic.ranks
    return Picture(
        title=f"Who sends to whom in {traffic.function}",
        caption="Each row is a sender, each column a receiver. The area of a square is bytes, the "
        "number in it messages.",
        size=(_LEFT + side + 8, _TOP + side + 8),
        marks=[*_axes(traffic.ranks), *_squares(traffic)],
        table=_table(traffic),
    )


def _axes(ranks: int) -> Iterator[Markup]:
    side = _CELL * ranks
    yield shapes.text(_LEFT, 14, "to rank", "muted")
    yield shapes.text(4, _TOP - 8, "from rank", "muted")
    for rank in range(ranks + 1):
        at = _CELL * rank
        yield shapes.line([(_LEFT, _TOP + at), (_LEFT + side, _TOP + at)], "rule")
        yield shapes.line([(_LEFT + at, _TOP), (_LEFT + at, _TOP + side)], "rule")
    for rank in range(ranks):
        middle = _CELL * (rank + 0.5)
        yield shapes.text(_LEFT + middle, _TOP - 8, rank, "", "middle")
        yield shapes.text(_LEFT - 10, _TOP + middle + 4, rank, "", "end")


def _squares(traffic: Traffic) -> Iterator[Markup]:
    most = max((max(row) for row in traffic.bytes), default=0) or 1
    for sender in range(traffic.ranks):
        for receiver in range(traffic.ranks):
            messages = traffic.messages[sender][receiver]
            if messages == 0:
                continue
            share = traffic.bytes[sender][receiver] / most
            side = (_CELL - 4) * max(_LEAST, share**0.5)
            x, y = _LEFT + _CELL * (receiver + 0.5), _TOP + _CELL * (sender + 0.5)
            words = (
                f"rank {sender} to rank {receiver}: {plural(messages, 'message')}, "
                f"{plural(traffic.bytes[sender][receiver], 'byte')}"
            )
            yield shapes.hint(shapes.rect(x - side / 2, y - side / 2, side, side, "blue"), words)
            on = "on" if side > shapes.LETTER * (len(count(messages)) + 1) else ""
            place = y + 4 if on else y + side / 2 + 12
            yield shapes.text(x, place, count(messages), on, "middle")


def _table(traffic: Traffic) -> Table:
    rows = [
        (sender, receiver, traffic.messages[sender][receiver], traffic.bytes[sender][receiver])
        for sender in range(traffic.ranks)
        for receiver in range(traffic.ranks)
        if traffic.messages[sender][receiver]
    ]
    return Table(("from rank", "to rank", "messages", "bytes"), rows)
