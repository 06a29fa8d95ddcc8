"""A kernel of the profile, and how many of its blocks a multiprocessor can hold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

WARP = 32
SECTOR_BYTES = 32  # of global memory, in the caches
_REGISTERS = 65536  # of a multiprocessor
_REGISTER_GRANULE = 256  # a warp's registers come in such pieces
_MAX_REGISTERS = 255  # of a thread
_LIKELY_REGISTERS = (16, 64)  # where no compiler is at hand


@dataclass(frozen=True)
class Interval:
    low: float
    middle: float
    high: float

    def __post_init__(self) -> None:
        if not self.low <= self.middle <= self.high:  # false for NaN, too
            raise ValueError(f"not an interval: {self.low} to {self.middle} to {self.high}")

    def scaled(self, factor: float) -> Interval:
        return Interval(self.low * factor, self.middle * factor, self.high * factor)

    def __add__(self, other: Interval) -> Interval:
        return Interval(self.low + other.low, self.middle + other.middle, self.high + other.high)


@dataclass(frozen=True)
class Kernel:
    """A kernel of the profile: sums over its launches, as far as the model needs them."""

    name: str
    launches: int
    blocks: int  # of a launch
    threads: int  # of a block
    resident_blocks: int  # on a multiprocessor, as threads and shared memory allow
    counters: Mapping[str, float]
    instructions: Mapping[str, float]  # by kind, see instructions.py; may be empty
    registers: int | None = None  # of a thread

    @property
    def warps(self) -> int:
        return -(-self.threads // WARP)

    def of(self, counter: str) -> float:
        """The counter's mean over the launches; 0 where it was not counted."""
        return self.ratio(counter) / max(1, self.launches)

    def ratio(self, counter: str) -> float:
        """The same for a counter that is no sum over the launches."""
        value = float(self.counters.get(counter, 0))
        if not (math.isfinite(value) and value >= 0):
            raise ValueError(f"{self.name}: counter {counter} is {value}, limit 0 and finite")
        return value

    def instruction(self, kind: str) -> float:
        return float(self.instructions.get(kind, 0)) / max(1, self.launches)


def kernel_of(entry: Mapping[str, Any], registers: int | None = None) -> Kernel:
    """From an entry of the profile's JSON."""
    counters = {k: v for k, v in entry["counters"].items() if not isinstance(v, str)}
    return Kernel(
        name=entry["kernel"],
        launches=entry["launches"],
        blocks=math.prod(entry["grid"]),
        threads=math.prod(entry["block"]),
        resident_blocks=int(counters.get("resident_blocks", 0)),
        counters=counters,
        instructions=entry.get("instructions", {}),
        registers=registers,
    )


def blocks_by_registers(threads: int, registers: int) -> int:
    """How many blocks a multiprocessor's registers are enough for, at least 1."""
    of_warp = -(-registers * WARP // _REGISTER_GRANULE) * _REGISTER_GRANULE
    warps = -(-threads // WARP)
    # Each of four schedulers has a quarter of the registers, and warps are dealt out to them.
    return max(1, (_REGISTERS // 4 // of_warp) * 4 // warps)


def residents(kernel: Kernel) -> Interval:
    """Resident blocks of a multiprocessor; an interval where the registers are not known."""

    def limited(registers: int) -> int:
        return max(1, min(kernel.resident_blocks, blocks_by_registers(kernel.threads, registers)))

    if kernel.registers is not None:
        known = limited(max(1, min(kernel.registers, _MAX_REGISTERS)))
        return Interval(known, known, known)
    few, many = (limited(registers) for registers in _LIKELY_REGISTERS)
    return Interval(many, limited(32), few)
