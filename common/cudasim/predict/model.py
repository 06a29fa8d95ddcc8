"""How long a kernel takes on a GPU, from what profile mode counts: a roofline of several ceilings,
and a latency term. README.md explains it. The numbers of Fitted are fitted, all others measured.

Each ceiling is the time that one resource is busy if nothing else takes time (Williams, Waterman,
Patterson, Roofline, CACM 52(4), 2009). The latency term is what a chain of dependent operations
takes, for as many waves of blocks as there are (Hong and Kim, ISCA 2009; Volkov, Understanding
Latency Hiding on GPUs, Berkeley 2016; Brent's theorem). Ceilings overlap in part, so their times
are combined by a power mean.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from common.cudasim.predict.atomics import global_atomics_us, shared_atomics_cycles
from common.cudasim.predict.calibration import Calibration
from common.cudasim.predict.kernel import Interval, Kernel, residents

SECTOR_BYTES = 32

RESOURCES = ("launch", "DRAM", "L2", "L1/shared", "atomics", "issue", "latency")


@dataclass(frozen=True)
class Fitted:
    """Fitted to the kernels whose times are in results/, by fit.py."""

    power: float = 2.319  # of the mean by which ceilings are combined
    start_us: float = 0.798  # of a kernel that accesses memory at all
    unrolled: float = 1.486  # runs of basic blocks whose global loads are in flight at once
    shared_unrolled: float = 8.0
    steps_in_flight: float = 2.136  # arithmetic
    cycles_per_request: float = 1.91  # of global loads and stores, in the L1 cache
    integers: float = 1.2  # instructions of the GPU for one of the CPU
    most_integers: float = 0.232  # for each other instruction
    of_warp: float = 2.0  # instructions of a warp, whatever it does
    l2_share: float = 0.661  # of its bandwidth that kernels reach, all or one multiprocessor
    hits: float = 0.91  # of the L1 cache, among a block's repeated loads
    atomic_latencies: float = 2.845  # a loop's round with an atomic operation whose result it needs
    cycles_per_spin: float = 4.585  # of a wavefront of a loop of compare-and-swaps in shared memory


FITTED = Fitted()


@dataclass(frozen=True)
class Assumption:
    """What the counters leave open."""

    hits: float  # share of a block's repeated loads of a sector that the L1 cache serves
    in_flight: float  # factor on operations in flight; one is at least
    work: float  # factor on instructions
    residents: float  # blocks of a multiprocessor
    slices: float  # factor on parts of the L2 cache that share atomic operations


# The ends of the interval are these cases, and beyond them what empty launches differ by, and the
# factor on the rest by which the model misses kinds of kernels that it was not fitted to:
# crossvalidate.py.
_FAST = {"hits": 1.0, "in_flight": 1.5, "work": 0.7, "slices": 2.0}
_SLOW = {"hits": 0.4, "in_flight": 0.0, "work": 1.4, "slices": 0.5}
LAUNCH_ERROR = 0.2
BEYOND = 1.25
BEYOND_WITH_ATOMICS = 1.95

# A unit that is busy for less of the time does not bound it: the rule of Nsight Compute's section
# "GPU Speed of Light Throughput".
BUSY = 0.6
SHORT = 1.5  # a launch that takes so many times as long as an empty one is bound by that


@dataclass(frozen=True)
class Prediction:
    """Of one launch; `ceilings` are microseconds beyond an empty launch."""

    microseconds: Interval
    bound: str  # one of RESOURCES
    ceilings: Mapping[str, float]
    occupancy: Interval  # share of a multiprocessor's warps


_MOST_WARPS = 64  # of a multiprocessor


def has_atomics(kernel: Kernel) -> bool:
    return kernel.of("global_atomic_requests") + kernel.of("shared_atomic_requests") > 0


def likely(kernel: Kernel, f: Fitted) -> Assumption:
    return Assumption(f.hits, 1.0, 1.0, residents(kernel).middle, 1.0)


def beyond_launch(kernel: Kernel, c: Calibration, f: Fitted) -> Interval:
    """Microseconds beyond an empty launch, in the likely and the two extreme cases."""
    resident = residents(kernel)
    middle, fast, slow = (
        combined(busy(kernel, c, f, case), f.power)
        for case in (
            likely(kernel, f),
            Assumption(**_FAST, residents=resident.high),
            Assumption(**_SLOW, residents=resident.low),
        )
    )
    return Interval(min(middle, fast), middle, max(middle, slow))


def predict(kernel: Kernel, c: Calibration, f: Fitted = FITTED) -> Prediction:
    beyond = beyond_launch(kernel, c, f)
    ceilings = busy(kernel, c, f, likely(kernel, f))
    factor = BEYOND_WITH_ATOMICS if has_atomics(kernel) else BEYOND
    least = c.launch_us * (1 - LAUNCH_ERROR) + beyond.low / factor
    microseconds = Interval(
        max(c.launch_us, least),
        c.launch_us + beyond.middle,
        c.launch_us * (1 + LAUNCH_ERROR) + beyond.high * factor,
    )
    return Prediction(
        microseconds=microseconds,
        bound=_bound(kernel, c, f, ceilings, microseconds.middle),
        ceilings=ceilings,
        occupancy=residents(kernel).scaled(kernel.warps / _MOST_WARPS),
    )


def _bound(
    kernel: Kernel, c: Calibration, f: Fitted, ceilings: Mapping[str, float], us: float
) -> str:
    """The unit that is busy longest; "latency" where none is for most of the time, and "launch"
    where an empty kernel takes longer than all that this does."""
    if us < SHORT * c.launch_us:
        return "launch"
    units = units_busy(kernel, c, f) | {"atomics": ceilings["atomics"]}
    unit = max(units, key=lambda name: units[name])
    return unit if units[unit] >= BUSY * (us - c.events_us) else "latency"


def units_busy(kernel: Kernel, c: Calibration, f: Fitted) -> dict[str, float]:
    """Microseconds of one launch that the units of the GPU are busy, on average over all of one
    kind, as Nsight Compute's speed of light has it: a multiprocessor without blocks is idle. Blocks
    are taken to load nothing twice from the L2 cache, so that it is not named without need."""
    cycles_per_us = c.multiprocessors * c.clock
    fits = _footprint(kernel) <= c.l2_fits_bytes
    return {
        "DRAM": 0.0 if fits else _dram(kernel, c),
        "L2": l2_sectors(kernel, 1.0) * SECTOR_BYTES / (c.l2_bytes_per_us * f.l2_share),
        "L1/shared": _l1(kernel, c, f) / cycles_per_us,
        "issue": issued(kernel, f) / c.instructions_per_cycle / cycles_per_us,
    }


def busy(kernel: Kernel, c: Calibration, f: Fitted, a: Assumption) -> dict[str, float]:
    """Microseconds of one launch that each resource is busy, beyond an empty launch."""
    # Blocks of the busiest multiprocessor, over the mean.
    most = float(-(-kernel.blocks // c.multiprocessors))
    if kernel.blocks > c.multiprocessors * a.residents:
        most = kernel.blocks / c.multiprocessors + 0.5
    per_cycle = kernel.blocks / max(1, most) * c.clock  # blocks' work in a microsecond
    return {
        "launch": kernel.blocks / c.blocks_per_us,
        "DRAM": _dram(kernel, c),
        "L2": _l2(kernel, c, f, a),
        "L1/shared": _l1(kernel, c, f) / per_cycle,
        "atomics": max(
            global_atomics_us(kernel, c, a.slices),
            shared_atomics_cycles(kernel, f.cycles_per_spin) / per_cycle,
        ),
        "issue": issued(kernel, f) * a.work / c.instructions_per_cycle / per_cycle,
        "latency": _latency(kernel, c, f, a),
    }


def _dram(kernel: Kernel, c: Calibration) -> float:
    """Bytes that move at least once: from the L2 cache where they fit, so that it is a ceiling of
    DRAM beyond that."""
    moved = _moved(kernel)
    footprint = _footprint(kernel)
    return c.stream(footprint) * moved / footprint if footprint > 0 else 0.0


def _moved(kernel: Kernel) -> float:
    return kernel.of("compulsory_read_bytes") + kernel.of("compulsory_write_bytes")


def _footprint(kernel: Kernel) -> float:
    """Bytes that are touched: fewer than are moved where data change in place."""
    return kernel.of("footprint_bytes") or _moved(kernel)


def l2_sectors(kernel: Kernel, hits: float) -> float:
    loads = kernel.of("global_load_sectors")
    first = min(loads, kernel.of("block_load_sectors"))
    stores = kernel.of("global_store_sectors")
    # A sector that is written in part takes the L2 cache twice as long.
    partly = max(0.0, stores - kernel.of("global_store_ideal_sectors"))
    return first + (loads - first) * (1 - hits) + stores + partly


def _l2(kernel: Kernel, c: Calibration, f: Fitted, a: Assumption) -> float:
    used = min(c.multiprocessors, max(1, kernel.blocks))
    rate = min(c.l2_bytes_per_us, c.l2_bytes_per_us_of_one * used)
    return l2_sectors(kernel, a.hits) * SECTOR_BYTES / (rate * f.l2_share)


def _l1(kernel: Kernel, c: Calibration, f: Fitted) -> float:
    """Cycles of one multiprocessor, if it did all of the work."""
    requests = kernel.of("global_load_requests") + kernel.of("global_store_requests")
    lines = max(kernel.of("global_lines"), requests)
    wavefronts = kernel.of("shared_load_wavefronts") + kernel.of("shared_store_wavefronts")
    wavefronts += kernel.of("shared_atomic_wavefronts")
    return (
        max(lines * c.cycles_per_line, requests * f.cycles_per_request)
        + wavefronts * c.cycles_per_wavefront
    )


def issued(kernel: Kernel, f: Fitted) -> float:
    """Instructions of all warps in a launch."""
    return _between_barriers(kernel, f) + kernel.of("barriers") * kernel.warps


def _between_barriers(kernel: Kernel, f: Fitted) -> float:
    memory = kernel.of("memory_instructions")
    if not kernel.instructions:
        return 2 * memory + 2 * kernel.of("block_runs")
    multiplies = kernel.instruction("multiplies")
    arithmetic = max(multiplies, kernel.instruction("additions")) + kernel.instruction("floats")
    # Addresses, conditions and loop counters.
    integers = min(
        kernel.instruction("integers") * f.integers, f.most_integers * (memory + arithmetic)
    )
    warps = kernel.blocks * kernel.warps
    return memory + arithmetic + integers + f.of_warp * warps


def _latency(kernel: Kernel, c: Calibration, f: Fitted, a: Assumption) -> float:
    """What a thread waits for, one after another: in all waves of blocks, or in the longest thread,
    if that is more."""
    warps = max(1, kernel.blocks * kernel.warps)
    global_waits, shared_waits = _waits(kernel)
    global_waits = _in_turn(kernel, "global", global_waits, f.unrolled * a.in_flight)
    shared_waits = _in_turn(kernel, "shared", shared_waits, f.shared_unrolled * a.in_flight)
    steps = _between_barriers(kernel, f) / warps * a.work
    step_ns = c.cycles_per_step / c.clock * 1e3
    load_ns = _load_ns(kernel, c, a)
    operations_ns = (
        global_waits / warps * load_ns
        + shared_waits / warps * c.shared_latency_ns
        + kernel.of("warp_barriers") / warps * c.shuffle_latency_ns
        + steps * step_ns / max(1.0, f.steps_in_flight * a.in_flight)
    )
    # All warps of a multiprocessor take turns at its barriers.
    resident = max(1.0, min(a.residents, kernel.blocks / c.multiprocessors))
    barrier_ns = c.barrier_ns + c.barrier_ns_per_warp * (kernel.warps * resident - 1)
    barriers_ns = kernel.of("barriers") / max(1, kernel.blocks) * barrier_ns
    waves = max(1.0, kernel.blocks / (c.multiprocessors * a.residents))
    chain_ns = (
        kernel.of("dependent_global_loads") * load_ns
        + kernel.of("dependent_shared_loads") * c.shared_latency_ns
    ) / warps
    # Of all atomic operations that have a result, or none.
    atomics = kernel.of("global_atomic_requests") if kernel.of("longest_atomic_chain") else 0.0
    atomic_ns = c.atomic_latency_ns * f.atomic_latencies
    chain_ns += atomics / warps * atomic_ns
    longest_chain_ns = max(
        chain_ns,
        kernel.of("longest_global_chain") * load_ns,
        kernel.of("longest_shared_chain") * c.shared_latency_ns,
        kernel.of("longest_atomic_chain") * atomic_ns,
    )
    longest_ns = operations_ns * _longest(kernel) + longest_chain_ns + barriers_ns
    return f.start_us + max(longest_ns, (operations_ns + chain_ns + barriers_ns) * waves) / 1e3


def _waits(kernel: Kernel) -> tuple[float, float]:
    """How many loads from global and from shared memory warps wait for, one after another, if they
    have those of one basic block in flight at once, and no others."""
    shared = kernel.of("shared_load_waits") + kernel.of("shared_atomic_requests")
    return kernel.of("global_load_waits"), shared


def _in_turn(kernel: Kernel, space: str, waits: float, unrolled: float) -> float:
    """How many of them are left where the compiler unrolls loops, beside those for loads that
    depend on others."""
    rest = waits - min(waits, kernel.of(f"dependent_{space}_loads"))
    rolled = min(rest, kernel.of("strided_load_waits") if space == "global" else 0.0)
    return rolled + (rest - rolled) / max(1.0, unrolled)


def _load_ns(kernel: Kernel, c: Calibration, a: Assumption) -> float:
    """The mean latency of a load from global memory."""
    sectors = kernel.of("global_load_sectors")
    if sectors <= 0:
        return c.l2_latency_ns
    first = min(sectors, kernel.of("block_load_sectors"))
    missed = first + (sectors - first) * (1 - a.hits)
    fits = _footprint(kernel) <= c.l2_fits_bytes
    far = 0.0 if fits else min(missed, kernel.of("compulsory_read_bytes") / SECTOR_BYTES)
    return (
        far * c.dram_latency_ns
        + (missed - far) * c.l2_latency_ns
        + (sectors - missed) * c.l1_latency_ns
    ) / sectors


def _longest(kernel: Kernel) -> float:
    """Operations on the launch's longest chain over those of a warp on average. Those of a warp:
    as for the loads that a chain is made of, a lane that works alone counts as a warp does."""
    operations = kernel.of("memory_instructions") + kernel.of("block_runs")
    mean = operations / max(1, kernel.blocks * kernel.warps)
    return max(1.0, kernel.of("span") / mean) if mean > 0 else 1.0


def combined(times: Mapping[str, float], power: float) -> float:
    """The power mean's sum: at least the largest, and about that if it is much larger."""
    largest = max(times.values())
    if largest <= 0:
        return 0.0
    return largest * math.pow(sum((t / largest) ** power for t in times.values()), 1 / power)
