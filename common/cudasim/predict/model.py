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

from common.cudasim.predict.calibration import Calibration
from common.cudasim.predict.kernel import Interval, Kernel, residents

SECTOR_BYTES = 32

RESOURCES = ("launch", "DRAM", "L2", "L1/shared", "atomics", "issue", "latency")


@dataclass(frozen=True)
class Fitted:
    """Fitted to the textbook kernels of calibrate/textbook.cu, by fit.py."""

    power: float = 2.5  # of the mean by which ceilings are combined
    start_us: float = 0.6  # of a kernel that accesses memory at all
    loads_in_flight: float = 5.8  # of one thread
    shared_in_flight: float = 4.5
    steps_in_flight: float = 4.0  # arithmetic
    cycles_per_request: float = 1.0  # of global loads and stores, in the L1 cache
    integers: float = 0.125  # instructions of the GPU for one of the CPU
    most_integers: float = 3.0  # for each other instruction
    of_warp: float = 2.0  # instructions of a warp, whatever it does
    l2_share: float = 0.59  # of its bandwidth that kernels reach
    l2_share_of_one: float = 0.59  # the same for one multiprocessor alone
    hits: float = 0.89  # of the L1 cache, among a block's repeated loads
    sectors_per_slice: float = 11.0  # by how many hot sectors atomics go to another slice


FITTED = Fitted()


@dataclass(frozen=True)
class Assumption:
    """What the counters leave open."""

    hits: float  # share of a block's repeated loads of a sector that the L1 cache serves
    in_flight: float  # factor on operations in flight
    work: float  # factor on instructions
    residents: float  # blocks of a multiprocessor


# The ends of the interval: these cases, and the model's own error beyond them.
_FAST = {"hits": 1.0, "in_flight": 1.5, "work": 0.7}
_SLOW = {"hits": 0.4, "in_flight": 0.35, "work": 1.4}
_ERROR = 0.2


@dataclass(frozen=True)
class Prediction:
    """Of one launch; `ceilings` are microseconds beyond an empty launch."""

    microseconds: Interval
    bound: str  # one of RESOURCES
    ceilings: Mapping[str, float]
    occupancy: Interval  # share of a multiprocessor's warps


_MOST_WARPS = 64  # of a multiprocessor


def predict(kernel: Kernel, c: Calibration, f: Fitted = FITTED) -> Prediction:
    resident = residents(kernel)

    def time_of(case: Assumption) -> float:
        return c.launch_us + combined(busy(kernel, c, f, case), f.power)

    likely = Assumption(f.hits, 1.0, 1.0, resident.middle)
    ceilings = busy(kernel, c, f, likely)
    middle = c.launch_us + combined(ceilings, f.power)
    fast = time_of(Assumption(**_FAST, residents=resident.high))
    slow = time_of(Assumption(**_SLOW, residents=resident.low))
    return Prediction(
        microseconds=Interval(
            max(c.launch_us, min(middle, fast) * (1 - _ERROR)),
            middle,
            max(middle, slow) * (1 + _ERROR),
        ),
        bound=_bound(kernel, c, ceilings),
        ceilings=ceilings,
        occupancy=resident.scaled(kernel.warps / _MOST_WARPS),
    )


def _bound(kernel: Kernel, c: Calibration, ceilings: Mapping[str, float]) -> str:
    """The highest ceiling; "launch" where an empty kernel takes longer than all that this does."""
    resource = max(ceilings, key=lambda name: ceilings[name])
    if ceilings[resource] < c.launch_us:
        return "launch"
    moved = kernel.of("compulsory_read_bytes") + kernel.of("compulsory_write_bytes")
    return "L2" if resource == "DRAM" and moved < c.l2_fits_bytes else resource


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
            _global_atomics(kernel, c, f), kernel.of("shared_atomic_wavefronts") / per_cycle
        ),
        "issue": issued(kernel, f) * a.work / c.instructions_per_cycle / per_cycle,
        "latency": _latency(kernel, c, f, a),
    }


def _dram(kernel: Kernel, c: Calibration) -> float:
    """Bytes that move at least once: from the L2 cache where they fit, so that it is a ceiling of
    DRAM beyond that."""
    return c.stream(kernel.of("compulsory_read_bytes") + kernel.of("compulsory_write_bytes"))


def l2_sectors(kernel: Kernel, hits: float) -> float:
    loads = kernel.of("global_load_sectors")
    first = min(loads, kernel.of("block_load_sectors"))
    stores = kernel.of("global_store_sectors")
    # A sector that is written in part takes the L2 cache twice as long.
    partly = max(0.0, stores - kernel.of("global_store_ideal_sectors"))
    return first + (loads - first) * (1 - hits) + stores + partly


def _l2(kernel: Kernel, c: Calibration, f: Fitted, a: Assumption) -> float:
    used = min(c.multiprocessors, max(1, kernel.blocks))
    rate = min(c.l2_bytes_per_us * f.l2_share, c.l2_bytes_per_us_of_one * f.l2_share_of_one * used)
    return l2_sectors(kernel, a.hits) * SECTOR_BYTES / rate


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


def _global_atomics(kernel: Kernel, c: Calibration, f: Fitted) -> float:
    lanes = kernel.of("global_atomic_lanes")
    sectors = kernel.of("global_atomic_sectors")
    if lanes == 0 or sectors == 0:
        return 0.0
    contended = kernel.of("global_atomic_serialisation") * max(1, kernel.launches)
    passes = min(sectors * max(1.0, contended), lanes)
    hot = max(1.0, lanes / max(1.0, kernel.of("hottest_atomics")))  # sectors that are hit
    floats = kernel.of("float_atomic_lanes") / lanes
    # Additions of floats to one address wait for each other; to different ones they need not.
    alone = 1.0 if contended > 1 or sectors >= lanes else 0.0
    pass_ns = c.atomic_pass_ns + floats * alone * (c.float_atomic_pass_ns - c.atomic_pass_ns)
    slices = max(1.0, hot / f.sectors_per_slice)
    return max(passes / c.atomic_passes_per_us, passes * pass_ns / 1e3 / slices)


def issued(kernel: Kernel, f: Fitted) -> float:
    """Instructions of all warps in a launch."""
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
    return memory + arithmetic + integers + f.of_warp * warps + kernel.of("barriers") * kernel.warps


def _latency(kernel: Kernel, c: Calibration, f: Fitted, a: Assumption) -> float:
    warps = max(1, kernel.blocks * kernel.warps)
    loads = kernel.of("global_load_requests") / warps
    sectors = kernel.of("global_load_sectors")
    misses = 1.0
    if sectors > 0:
        first = min(sectors, kernel.of("block_load_sectors"))
        misses = (first + (sectors - first) * (1 - a.hits)) / sectors
    load_ns = misses * c.l2_latency_ns + (1 - misses) * c.l1_latency_ns
    shared = (kernel.of("shared_load_requests") + kernel.of("shared_atomic_requests")) / warps
    barriers = kernel.of("barriers") / max(1, kernel.blocks)
    step_ns = c.cycles_per_step / c.clock * 1e3
    chain_ns = (
        loads * load_ns / max(1.0, f.loads_in_flight * a.in_flight)
        + shared * c.shared_latency_ns / max(1.0, f.shared_in_flight * a.in_flight)
        + kernel.of("global_atomic_requests") / warps * c.atomic_latency_ns
        + barriers * (c.barrier_ns + c.barrier_ns_per_warp * kernel.warps)
        + kernel.of("warp_barriers") / warps * c.shuffle_latency_ns
        + issued(kernel, f) * a.work / warps * step_ns / max(1.0, f.steps_in_flight * a.in_flight)
    )
    mean = kernel.of("work") / max(1, kernel.blocks * kernel.threads)
    longest = max(1.0, kernel.of("span") / mean) if mean > 0 else 1.0
    waves = max(1.0, kernel.blocks / (c.multiprocessors * a.residents))
    return f.start_us + chain_ns * max(longest, waves) / 1e3


def combined(times: Mapping[str, float], power: float) -> float:
    """The power mean's sum: at least the largest, and about that if it is much larger."""
    largest = max(times.values())
    if largest <= 0:
        return 0.0
    return largest * math.pow(sum((t / largest) ** power for t in times.values()), 1 / power)
