"""What a thread waits for, one operation after another (Hong and Kim, ISCA 2009; Volkov,
Understanding Latency Hiding on GPUs, Berkeley 2016; Brent's theorem)."""

from __future__ import annotations

from dataclasses import dataclass

from common.cudasim.predict.caches import missed_sectors
from common.cudasim.predict.calibration import Calibration
from common.cudasim.predict.instructions import GRID_EXTENTS
from common.cudasim.predict.kernel import SECTOR_BYTES, Kernel
from common.cudasim.predict.parameters import Assumption, Fitted
from common.cudasim.predict.work import constant_cycles, operations, simple

# A block that waits for the one before: that writes a sum and, behind a fence, a flag, which the
# next one reads, and then the sum. Measured with a chained scan: 1.1 us.
_LATENCIES_OF_BLOCK = 6.0
# The last block of a reduction reads what the others wrote, and waits for none.
_LEAST_CHAIN = 3.0

# Where blocks look back, share of them that wait for another one: measured with a thread that looks
# at one block after the other. Lanes of a warp that look at many blocks at once find the sum up to
# one that ran before, so that one wait is enough for all blocks that run at once.
_WAITS_OF_THREAD = 1 / 32
_READERS_OF_WARP = 16.0

_SHORT_LOOP = 1.25  # basic blocks for a load, on average
_DIVERGENT = 0.05  # divergent branches for a load


def latency_us(kernel: Kernel, c: Calibration, f: Fitted, a: Assumption, fits_in_l2: bool) -> float:
    """In all waves of blocks, or in the longest thread, if that is more."""
    warps = max(1, kernel.blocks * kernel.warps)
    loads = _Loads.of(kernel, c, a, fits_in_l2)
    load_ns = loads.latency_ns(1)
    operations_ns = _operations_ns(kernel, c, f, a, loads) / warps
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
    chain_ns = max(chain_ns, _loads_before_barriers(kernel) * load_ns)
    longest_chain_ns = max(
        chain_ns,
        kernel.of("longest_global_chain") * load_ns,
        kernel.of("longest_shared_chain") * c.shared_latency_ns,
        kernel.of("longest_atomic_chain") * atomic_ns,
    )
    longest_ns = operations_ns * _longest(kernel) + longest_chain_ns + barriers_ns
    in_blocks_ns = max(longest_ns, (operations_ns + chain_ns + barriers_ns) * waves)
    return f.start_us + (in_blocks_ns + _blocks_ns(kernel, c, a)) / 1e3


def _loads_before_barriers(kernel: Kernel) -> float:
    """Loads that depend on each other, of the warp for which its block waits at barriers: all of
    the block's, as where one thread searches for the part of the block, unless that is more than
    any warp has."""
    if kernel.of("barriers") <= 0:
        return 0.0
    of_block = kernel.of("dependent_global_loads") / max(1, kernel.blocks)
    return min(of_block, kernel.of("longest_global_chain"))


def _operations_ns(
    kernel: Kernel, c: Calibration, f: Fitted, a: Assumption, loads: _Loads
) -> float:
    """Of all warps."""
    ns = 1e3 / c.clock  # a cycle
    return (
        _global_loads_ns(kernel, f, a, loads)
        + _shared_waits(kernel, f, a) * c.shared_latency_ns
        + kernel.of("warp_barriers") * c.shuffle_latency_ns
        + _arithmetic_cycles(kernel, c, f, a) * a.work * ns
        + constant_cycles(kernel, f) * ns
    )


def _arithmetic_cycles(kernel: Kernel, c: Calibration, f: Fitted, a: Assumption) -> float:
    """And branches. Rounds of a loop that the compiler unrolls do not wait for each other."""
    latencies = sum(count * operation.latency for count, operation in operations(kernel))
    cycles = (
        simple(kernel, f) * c.cycles_per_step
        + latencies * f.operations_in_turn
        + kernel.of("block_runs") * f.cycles_per_branch
    )
    waits = kernel.of("global_load_waits") + kernel.of("shared_load_waits")
    looped = kernel.of("looped_load_waits") + kernel.of("looped_shared_waits")
    share = min(1.0, looped / waits) if waits > 0 else 0.0
    return cycles * (
        share / max(1.0, f.steps_in_flight_in_loops * a.in_flight)
        + (1 - share) / max(1.0, f.steps_in_flight * a.in_flight)
    )


def _shortness(kernel: Kernel) -> float:
    """1 for loops of one basic block, and less for longer ones, which may end by what they read;
    but not if all lanes leave together."""
    looped = kernel.of("looped_load_waits") + kernel.of("looped_shared_waits")
    blocks = kernel.of("block_runs")
    if blocks <= 0:
        return 1.0
    short = _SHORT_LOOP
    if kernel.of("divergent_branches") < _DIVERGENT * looped:
        short *= 2
    return min(1.0, short * looped / blocks) ** 2


def _global_loads_ns(kernel: Kernel, f: Fitted, a: Assumption, loads: _Loads) -> float:
    """What warps wait for loads from global memory, one after another, beside those that depend on
    others: the loads of a basic block are in flight at once, and those of several rounds of a loop
    where the compiler unrolls it."""
    waits = kernel.of("global_load_waits")
    rest = waits - min(waits, kernel.of("dependent_global_loads"))
    rolled = min(rest, _strided(kernel))
    looped = min(rest - rolled, max(0.0, kernel.of("looped_load_waits") - rolled))
    unrolled = 1 + (f.unrolled_loops - 1) * _shortness(kernel)
    return (
        rolled * loads.latency_ns(1)
        + looped * loads.each_ns(unrolled * a.in_flight)
        + (rest - rolled - looped) * loads.each_ns(f.unrolled * a.in_flight)
    )


def _strided(kernel: Kernel) -> float:
    """Waits in loops that no compiler unrolls. Where a kernel does not read gridDim, a stride is
    that of the grid by chance."""
    strided = kernel.of("strided_load_waits")
    if kernel.instructions.get(GRID_EXTENTS, 1) > 0:
        return strided
    return strided - min(strided, kernel.of("grid_strided_load_waits"))


def _shared_waits(kernel: Kernel, f: Fitted, a: Assumption) -> float:
    """The same of shared memory."""
    waits = kernel.of("shared_load_waits") + kernel.of("shared_atomic_requests")
    rest = waits - min(waits, kernel.of("dependent_shared_loads"))
    together = min(rest, kernel.of("looped_shared_waits"))
    return together / max(1.0, f.shared_unrolled * a.in_flight) + (rest - together) / max(
        1.0, f.shared_in_flight * a.in_flight
    )


def looks_back(kernel: Kernel) -> bool:
    """Whether blocks may have to wait for the blocks before them, and may not."""
    return kernel.of("block_chain") - kernel.of("sure_block_chain") >= _LEAST_CHAIN


def looking_back(kernel: Kernel, c: Calibration, resident: float) -> float:
    """The share of the blocks that look back which is likely to wait for another one (Merrill and
    Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, 2016)."""
    if kernel.of("block_chain_readers") < _READERS_OF_WARP:
        return _WAITS_OF_THREAD
    return 1 / (c.multiprocessors * resident)


def _blocks_ns(kernel: Kernel, c: Calibration, a: Assumption) -> float:
    """What blocks wait for the blocks before them."""
    sure = kernel.of("sure_block_chain")
    waiting = sure + max(0.0, kernel.of("block_chain") - sure) * a.chain
    if waiting < _LEAST_CHAIN:
        return 0.0
    return waiting * _LATENCIES_OF_BLOCK * c.l2_latency_ns


@dataclass(frozen=True)
class _Loads:
    """The loads from global memory of one kernel."""

    missed: float  # share of their sectors that the L1 cache has not
    hit_ns: float
    miss_ns: float

    @staticmethod
    def of(kernel: Kernel, c: Calibration, a: Assumption, fits_in_l2: bool) -> _Loads:
        sectors = kernel.of("global_load_sectors")
        missed = missed_sectors(kernel, c, a.hits)
        if missed <= 0:
            return _Loads(1.0 if sectors <= 0 else 0.0, c.l1_latency_ns, c.l2_latency_ns)
        far = 0.0 if fits_in_l2 else kernel.of("compulsory_read_bytes") / SECTOR_BYTES / missed
        miss_ns = c.l2_latency_ns + min(1.0, far) * (c.dram_latency_ns - c.l2_latency_ns)
        return _Loads(missed / sectors, c.l1_latency_ns, miss_ns)

    def latency_ns(self, together: float) -> float:
        """Of so many loads that are in flight at once: as long as a miss if one of them does."""
        missed = min(1.0, together * self.missed)
        return self.hit_ns + missed * (self.miss_ns - self.hit_ns)

    def each_ns(self, together: float) -> float:
        together = max(1.0, together)
        return self.latency_ns(together) / together


def _longest(kernel: Kernel) -> float:
    """Operations on the launch's longest chain over those of a warp on average. Those of a warp:
    as for the loads that a chain is made of, a lane that works alone counts as a warp does."""
    operations = kernel.of("memory_instructions") + kernel.of("block_runs")
    mean = operations / max(1, kernel.blocks * kernel.warps)
    return max(1.0, kernel.of("span") / mean) if mean > 0 else 1.0
