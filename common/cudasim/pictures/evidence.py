"""The profile that profile mode writes with CUDASIM_PROFILE_SAMPLES, as typed values.

The names of the fields are those of the JSON: common/cudasim/profile/profile_json.cc and
samples_json.cc write them. A field that is missing is a KeyError with its name.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

LANES = 32
Place = tuple[str, int]
"""A file, as it was given to the compiler, and a line."""
Entry = Mapping[str, Any]


@dataclass(frozen=True)
class Request:
    """One memory instruction of one warp."""

    names: tuple[str, ...]
    """Which of its line's requests it is: some of first, median, worst."""
    cost: int
    ideal: int
    block: int
    warp: int
    bytes: int
    """Of each lane."""
    offset: int
    """Of the lowest address in its array, in bytes."""
    addresses: tuple[int | None, ...]
    """Of each lane in bytes, from a multiple of 128 on; None: takes no part."""

    @property
    def lanes(self) -> list[int]:
        return [lane for lane, address in enumerate(self.addresses) if address is not None]

    def address(self, lane: int) -> int:
        found = self.addresses[lane]
        if found is None:
            raise ValueError(f"lane {lane} takes no part in the request")
        return found


@dataclass(frozen=True)
class Line:
    """The accesses of one kind by one line to one array, in all configurations of a kernel."""

    kernel: str
    place: Place
    operation: str
    """global_load, shared_store, ..."""
    target: str
    requests: int
    lanes: float
    cost: float
    """In wavefronts of 128 bytes; of atomic operations, in lanes at the most wanted address."""
    waste: float
    advice: str
    samples: tuple[Request, ...]
    costs: tuple[tuple[int, int, int], ...]
    """What requests cost, what they would at best, and how many did."""

    @property
    def space(self) -> str:
        return self.operation.partition("_")[0]

    @property
    def is_atomic(self) -> bool:
        return self.operation.endswith("_atomic")


@dataclass(frozen=True)
class Side:
    lanes: tuple[int, ...]
    place: Place


@dataclass(frozen=True)
class Branch:
    """A branch at which warps divided."""

    kernel: str
    place: Place
    runs: int
    divergent: int
    sides: tuple[Side, Side]
    """Of the run that divided its warp most evenly."""


@dataclass(frozen=True)
class Arrivals:
    """The threads of a warp, and the clocks of the first and the last of them."""

    threads: int
    first: int
    last: int


@dataclass(frozen=True)
class Barrier:
    place: Place
    released: int
    arrivals: tuple[Arrivals, ...]

    @property
    def waited(self) -> int:
        """By all warps together: each comes with the last of its threads."""
        return sum(self.released - a.last for a in self.arrivals if a.threads)


@dataclass(frozen=True)
class Barriers:
    """Of the block of a kernel whose threads waited longest."""

    block: int
    released: int
    ends: tuple[Arrivals, ...]
    barriers: tuple[Barrier, ...]

    @property
    def waited(self) -> int:
        """By the warps, at those barriers that are kept."""
        return sum(barrier.waited for barrier in self.barriers)


@dataclass(frozen=True)
class Kernel:
    """A kernel in one launch configuration."""

    name: str
    place: Place
    grid: tuple[int, ...]
    block: tuple[int, ...]
    launches: int
    is_library: bool
    counters: Mapping[str, float | str]
    advice: tuple[str, ...]
    lines: tuple[Line, ...]
    work: Mapping[Place, int]
    branches: tuple[Branch, ...]
    barriers: Barriers
    resident_blocks: tuple[tuple[str, int], ...]
    """How many blocks a multiprocessor would hold if only this resource limited them."""

    def of(self, counter: str) -> float:
        return float(self.counters[counter])

    @property
    def warps(self) -> int:
        return -(-math.prod(self.block) // LANES)

    @property
    def shape(self) -> str:
        return f"grid {_extent(self.grid)}, block {_extent(self.block)}"


@dataclass(frozen=True)
class Launch:
    kernel: str
    place: Place
    is_child: bool
    operation: int
    begins: int
    work: int
    span: int

    @property
    def ends(self) -> int:
        return self.begins + self.span


@dataclass(frozen=True)
class Operation:
    index: int
    engine: str
    stream: int
    begin: int
    end: int


@dataclass(frozen=True)
class Call:
    """Of the calls that launch the same kernels the longest; times are nanoseconds of a model."""

    kernels: str
    calls: int
    all_launches: int
    launches: tuple[Launch, ...]
    operations: tuple[Operation, ...]
    host_work: tuple[tuple[int, int], ...]
    host_waits: tuple[tuple[int, int], ...]
    makespan: int


@dataclass(frozen=True)
class Profile:
    device: str
    kernels: tuple[Kernel, ...]
    calls: tuple[Call, ...]


def profile_of(entry: Entry) -> Profile:
    """From the JSON; KeyError names a field that the program should have written."""
    return Profile(
        entry["device"],
        tuple(map(_kernel, entry["kernels"])),
        tuple(map(_call, entry["calls"])),
    )


def largest(kernels: Sequence[Kernel]) -> list[Kernel]:
    """Of each kernel's configurations the one with most work, in the order of first launches."""
    found: dict[tuple[str, Place], Kernel] = {}
    for kernel in kernels:
        best = found.setdefault((kernel.name, kernel.place), kernel)
        if kernel.of("work") > best.of("work"):
            found[kernel.name, kernel.place] = kernel
    return list(found.values())


def _place(entry: Entry) -> Place:
    return (entry["file"].removeprefix("./"), entry["line"])


def _kernel(entry: Entry) -> Kernel:
    name, samples = entry["kernel"], entry["samples"]
    return Kernel(
        name=name,
        place=_place(entry),
        grid=tuple(entry["grid"]),
        block=tuple(entry["block"]),
        launches=entry["launches"],
        is_library=entry["library"],
        counters=entry["counters"],
        advice=tuple(entry["advice"]),
        lines=tuple(_line(name, line) for line in entry["lines"]),
        work={_place(line): line["operations"] for line in samples["work"]},
        branches=tuple(_branch(name, branch) for branch in samples["branches"]),
        barriers=_barriers(samples["barriers"]),
        resident_blocks=tuple((name, blocks) for name, blocks in samples["resident_blocks"]),
    )


def _line(kernel: str, entry: Entry) -> Line:
    return Line(
        kernel=kernel,
        place=_place(entry),
        operation=entry["operation"],
        target=entry["target"],
        requests=entry["requests"],
        lanes=entry["lanes_per_request"],
        cost=entry["cost"],
        waste=entry["waste"],
        advice=entry["advice"],
        samples=_requests(entry["samples"]),
        costs=tuple(sorted((taken, ideal, count) for taken, ideal, count in entry["costs"])),
    )


def _requests(entries: Sequence[Entry | None]) -> tuple[Request, ...]:
    """Those that are the same request are one."""
    found: dict[str, Request] = {}
    for entry in entries:
        if entry is None:
            continue
        facts = {name: value for name, value in entry.items() if name != "which"}
        before = found.get(repr(facts))
        names = (*(before.names if before else ()), entry["which"])
        found[repr(facts)] = Request(
            names=names,
            cost=entry["cost"],
            ideal=entry["ideal"],
            block=entry["block"],
            warp=entry["warp"],
            bytes=entry["bytes"],
            offset=entry["offset"],
            addresses=tuple(None if a < 0 else a for a in entry["addresses"]),
        )
    return tuple(found.values())


def _branch(kernel: str, entry: Entry) -> Branch:
    first, second = (Side(lanes_of(s["lanes"]), _place(s)) for s in entry["sides"])
    return Branch(kernel, _place(entry), entry["runs"], entry["divergent"], (first, second))


def lanes_of(mask: int) -> tuple[int, ...]:
    """The lanes of a mask with a bit for each."""
    return tuple(lane for lane in range(LANES) if mask >> lane & 1)


def _barriers(entry: Entry) -> Barriers:
    barriers = tuple(
        Barrier(_place(b), b["released"], tuple(Arrivals(*a) for a in b["arrivals"]))
        for b in entry["barriers"]
    )
    ends = tuple(Arrivals(*a) for a in entry["ends"])
    return Barriers(entry["block"], entry["released"], ends, barriers)


def _call(entry: Entry) -> Call:
    launches = tuple(
        Launch(
            launch["kernel"],
            _place(launch),
            launch["child"],
            launch["operation"],
            launch["begins"],
            launch["work"],
            launch["span"],
        )
        for launch in entry["launches"]
    )
    operations = tuple(
        Operation(o["index"], o["engine"], o["stream"], *o["time"]) for o in entry["operations"]
    )
    return Call(
        kernels=entry["kernels"],
        calls=entry["calls"],
        all_launches=entry["all_launches"],
        launches=launches,
        operations=operations,
        host_work=tuple((begin, end) for begin, end in entry["host_work"]),
        host_waits=tuple((begin, end) for begin, end in entry["host_waits"]),
        makespan=entry["makespan"],
    )


def _extent(extent: Sequence[int]) -> str:
    return "\N{MULTIPLICATION SIGN}".join(map(str, extent))
