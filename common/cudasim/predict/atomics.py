"""How long atomic operations keep memory busy, by passes: an operation takes one over each sector
that a warp's lanes hit, and more where lanes have the same address. Parts of the L2 cache work side
by side, and the passes over one sector one after another."""

from common.cudasim.predict.calibration import Calibration
from common.cudasim.predict.kernel import Kernel


def global_atomics_us(kernel: Kernel, c: Calibration, slices_factor: float) -> float:
    """Microseconds of a launch; the factor is on the parts of the L2 cache that share passes."""
    passes = kernel.of("global_atomic_passes")
    if passes == 0:
        return 0.0
    hottest = kernel.of("hottest_atomics")
    sectors = kernel.of("atomic_sectors") or passes / hottest  # that are hit
    slices = max(1.0, sectors / c.sectors_per_slice * slices_factor)
    # Additions of floats to one sector wait for each other.
    floats = kernel.of("float_atomic_lanes") / kernel.of("global_atomic_lanes")
    in_sector_ns = c.atomic_pass_ns + floats * (c.float_atomic_pass_ns - c.atomic_pass_ns)
    busiest = hottest + (passes - hottest) / slices  # passes of a slice
    return max(
        passes / c.atomic_passes_per_us,
        busiest * c.atomic_pass_ns / 1e3,
        hottest * in_sector_ns / 1e3,
    )


def shared_atomics_cycles(kernel: Kernel, cycles_per_spin: float) -> float:
    """Cycles of one multiprocessor, if it did all of the work."""
    spins = kernel.of("spinning_atomic_wavefronts")
    return kernel.of("shared_atomic_passes") + spins * (cycles_per_spin - 1)
