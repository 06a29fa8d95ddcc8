"""What the model takes from neither the counters nor the micro-benchmarks: numbers that
were fitted, and what the counters leave open."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Fitted:
    """Fitted to the times of 712 kernels on an H100: README.md."""

    power: float = 2.283  # of the mean by which ceilings are combined
    start_us: float = 0.4461  # of a kernel that accesses memory at all
    unrolled: float = 1.138  # runs of basic blocks whose global loads are in flight at once
    unrolled_loops: float = 4.339  # rounds of a short loop whose global loads are
    shared_unrolled: float = 10.0  # rounds of a short loop whose shared loads are
    shared_in_flight: float = 8.0  # runs of other basic blocks
    steps_in_flight: float = 1.0  # arithmetic
    steps_in_flight_in_loops: float = 2.583  # the same in short loops with loads
    operations_in_turn: float = 1.0  # share of the latency of OPERATIONS that is waited for
    cycles_per_branch: float = 3.089  # to the next basic block
    cycles_per_request: float = 1.163  # of global loads and stores, in the L1 cache
    cycles_per_constant: float = 2.324  # of a pass over constant memory
    integers: float = 1.2  # instructions of the GPU for one of the CPU
    most_integers: float = 0.1613  # for each other instruction
    bitwise: float = 0.2  # instructions of the GPU for one of the CPU
    of_warp: float = 2.0  # instructions of a warp, whatever it does
    l2_share: float = 0.7312  # of its bandwidth that kernels reach, all or one multiprocessor
    hits: float = 0.532  # of the L1 cache, among a block's repeated loads
    merged: float = 0.7856  # of stores to a sector that the warp has just stored to
    atomic_latencies: float = 2.091  # a loop's round with an atomic operation whose result it needs
    cycles_per_spin: float = 4.634  # of a wavefront of a loop of compare-and-swaps in shared memory


FITTED = Fitted()


@dataclass(frozen=True)
class Assumption:
    """What the counters leave open."""

    hits: float  # share of a block's repeated loads of a sector that the L1 cache serves
    in_flight: float  # factor on operations in flight; one is at least
    work: float  # factor on instructions
    residents: float  # blocks of a multiprocessor
    slices: float  # factor on parts of the L2 cache that share atomic operations
    chain: float  # share of the blocks that may have to wait for each other which do
