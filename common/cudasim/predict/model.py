"""How long a kernel takes on a GPU, from what profile mode counts: a roofline of several ceilings,
and a latency term. README.md explains it. The numbers of Fitted are fitted, all others measured.

Each ceiling is the time that one resource is busy if nothing else takes time (Williams, Waterman,
Patterson, Roofline, CACM 52(4), 2009). The latency term is what a chain of dependent operations
takes, for as many waves of blocks as there are: latency.py. Ceilings overlap in part, so their
times are combined by a power mean.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from common.cudasim.predict.atomics import global_atomics_us, shared_atomics_cycles
from common.cudasim.predict.caches import missed_sectors, stored_sectors
from common.cudasim.predict.calibration import Calibration
from common.cudasim.predict.kernel import SECTOR_BYTES, Interval, Kernel, residents
from common.cudasim.predict.latency import latency_us, looking_back, looks_back
from common.cudasim.predict.parameters import FITTED, Assumption, Fitted
from common.cudasim.predict.work import busy_cycles, constant_cycles

RESOURCES = ("launch", "DRAM", "L2", "L1/shared", "atomics", "issue", "latency")


# The ends of the interval are these cases, and beyond them what empty launches differ by, and the
# factor on the rest by which the model misses sets of kernels that it was not fitted to.
_FAST = {"hits": 1.0, "in_flight": 1.5, "work": 0.7, "slices": 2.0, "chain": 0.0}
_SLOW = {"hits": 0.4, "in_flight": 0.0, "work": 1.4, "slices": 0.5, "chain": 0.25}
LAUNCH_ERROR = 0.2
BEYOND = 1.58
BEYOND_WITH_ATOMICS = 2.03

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
    looks_back: bool = False  # how long blocks wait for each other is not known


_MOST_WARPS = 64  # of a multiprocessor


def has_atomics(kernel: Kernel) -> bool:
    return kernel.of("global_atomic_requests") + kernel.of("shared_atomic_requests") > 0


def likely(kernel: Kernel, c: Calibration, f: Fitted) -> Assumption:
    resident = residents(kernel).middle
    return Assumption(f.hits, 1.0, 1.0, resident, 1.0, looking_back(kernel, c, resident))


def beyond_launch(kernel: Kernel, c: Calibration, f: Fitted) -> Interval:
    """Microseconds beyond an empty launch, in the likely and the two extreme cases."""
    resident = residents(kernel)
    middle, fast, slow = (
        combined(busy(kernel, c, f, case), f.power)
        for case in (
            likely(kernel, c, f),
            Assumption(**_FAST, residents=resident.high),
            Assumption(**_SLOW, residents=resident.low),
        )
    )
    return Interval(min(middle, fast), middle, max(middle, slow))


def predict(kernel: Kernel, c: Calibration, f: Fitted = FITTED) -> Prediction:
    beyond = beyond_launch(kernel, c, f)
    ceilings = busy(kernel, c, f, likely(kernel, c, f))
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
        looks_back=looks_back(kernel),
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
    return {
        "DRAM": 0.0 if fits(kernel, c) else _dram(kernel, c),
        "L2": l2_sectors(kernel, c, f, 1.0) * SECTOR_BYTES / (c.l2_bytes_per_us * f.l2_share),
        "L1/shared": _l1(kernel, c, f) / cycles_per_us,
        "issue": _issue(kernel, c, f, 1.0) / cycles_per_us,
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
        "issue": _issue(kernel, c, f, a.work) / per_cycle,
        "latency": latency_us(kernel, c, f, a, fits(kernel, c)),
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


def fits(kernel: Kernel, c: Calibration) -> bool:
    """Whether all that the kernel touches stays in the L2 cache."""
    return _footprint(kernel) <= c.l2_fits_bytes


def l2_sectors(kernel: Kernel, c: Calibration, f: Fitted, hits: float) -> float:
    return missed_sectors(kernel, c, hits) + stored_sectors(kernel, f.merged)


def _l2(kernel: Kernel, c: Calibration, f: Fitted, a: Assumption) -> float:
    used = min(c.multiprocessors, max(1, kernel.blocks))
    rate = min(c.l2_bytes_per_us, c.l2_bytes_per_us_of_one * used)
    return l2_sectors(kernel, c, f, a.hits) * SECTOR_BYTES / (rate * f.l2_share)


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


def _issue(kernel: Kernel, c: Calibration, f: Fitted, work: float) -> float:
    """Cycles of one multiprocessor, if it did all of the work."""
    return max(busy_cycles(kernel, c, f) * work, constant_cycles(kernel, f))


def combined(times: Mapping[str, float], power: float) -> float:
    """The power mean's sum: at least the largest, and about that if it is much larger."""
    largest = max(times.values())
    if largest <= 0:
        return 0.0
    return largest * math.pow(sum((t / largest) ** power for t in times.values()), 1 / power)
