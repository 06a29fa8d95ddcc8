"""What the lines of kernels cost in counted calls, for pictures.

A kernel runs on hidden inputs, and the addresses that it accesses may depend on them. So a request
is kept only as the few numbers of an evenly spaced pattern; any other is only counted.
"""

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

LANES = 32
Operation = Literal[
    "global_load", "global_store", "global_atomic", "shared_load", "shared_store", "shared_atomic"
]


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Lanes(_Record):
    """Evenly spaced lanes of a warp."""

    first: int = Field(ge=0, lt=LANES)
    every: int = Field(ge=1, le=LANES)
    count: int = Field(ge=0, le=LANES)

    def numbers(self) -> range:
        """The lanes in ascending order."""
        return range(self.first, self.first + self.every * self.count, self.every)


class Request(_Record):
    """One memory instruction of a warp whose lanes access rows of evenly spaced elements.

    Its lane number k accesses `base` + k % width * step + k / width * row, in bytes from a multiple
    of 128 on.
    """

    lanes: Lanes
    bytes: int = Field(ge=1, le=64)
    """Of each lane."""
    base: int
    width: int = Field(ge=1, le=LANES)
    step: int
    row: int
    cost: int = Field(ge=0)
    ideal: int = Field(ge=0)

    def addresses(self) -> tuple[int | None, ...]:
        """Of each lane; None: takes no part."""
        found: list[int | None] = [None] * LANES
        for number, lane in enumerate(self.lanes.numbers()):
            row, column = divmod(number, self.width)
            found[lane] = self.base + column * self.step + row * self.row
        return tuple(found)


class LineCost(_Record):
    """The accesses of one kind by one line to one array, in all counted calls of a part."""

    file: str
    line: int
    operation: Operation
    target: str
    requests: int
    cost: float
    """In wavefronts of 128 bytes; of atomic operations, in lanes at the most wanted address."""
    waste: float
    """How much of the cost the ideal pattern would not have."""
    taken: float
    """What all requests cost in their own unit."""
    ideal: float
    """What they would at best."""
    worst: Request | None = None
    """None if the request that wastes most is not evenly spaced."""


class DivergentBranch(_Record):
    """A branch at which warps diverged."""

    file: str
    line: int
    runs: int
    divergent: int
    lines: tuple[int, int]
    """Where each side begins."""
    lanes: tuple[Lanes, Lanes] | None = None
    """Of the most even division; None if it is not evenly spaced."""


class KernelCosts(_Record):
    """The lines that waste most and cost most, and the branches that diverge most often."""

    cost: float
    """Of all lines."""
    branches_run: float
    lines: list[LineCost]
    branches: list[DivergentBranch]


def lanes_of(numbers: Sequence[int]) -> Lanes | None:
    """Lanes in ascending order as a pattern; None if they are not evenly spaced."""
    if not numbers:
        return Lanes(first=0, every=1, count=0)
    every = numbers[1] - numbers[0] if len(numbers) > 1 else 1
    lanes = Lanes(first=numbers[0], every=every, count=len(numbers))
    return lanes if list(lanes.numbers()) == list(numbers) else None


def rows_of(addresses: Sequence[int]) -> tuple[int, int, int] | None:
    """Width, step and row of the addresses as in Request; None if they are not evenly spaced."""
    count = len(addresses)
    for width in range(count, 0, -1):
        step = addresses[1] - addresses[0] if width > 1 else 0
        row = addresses[width] - addresses[0] if width < count else 0
        rows = (divmod(number, width) for number in range(count))
        if all(
            address == addresses[0] + column * step + at * row
            for address, (at, column) in zip(addresses, rows, strict=True)
        ):
            return width, step, row
    return None
