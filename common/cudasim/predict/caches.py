"""Which sectors of global memory go beyond the L1 cache. What a block loads for the first time
does, and of what it loads again a share. What a warp itself has just loaded does not, as where
threads walk along rows or read one member of a struct after the other: as many sectors of it stay
as are a warp's share of the cache."""

import math

from common.cudasim.predict.calibration import Calibration
from common.cudasim.predict.kernel import SECTOR_BYTES, Kernel, residents

_NEAR, _LATE = 128, 1024  # sectors: what the counters of reloaded sectors tell apart
_L1_SECTORS = 192 * 1024 / SECTOR_BYTES


def missed_sectors(kernel: Kernel, c: Calibration, hits: float) -> float:
    """Sectors that loads take from the L2 cache, if the L1 cache serves the share `hits` of those
    that blocks load again."""
    loads = kernel.of("global_load_sectors")
    first = min(loads, kernel.of("block_load_sectors"))
    again = loads - first
    return first + (again - min(again, _kept(kernel, c))) * (1 - hits)


def _kept(kernel: Kernel, c: Calibration) -> float:
    """Reloaded sectors that are still in the warp's share of the L1 cache."""
    blocks = max(1.0, min(residents(kernel).middle, kernel.blocks / c.multiprocessors))
    share = _L1_SECTORS / (blocks * kernel.warps)
    late = math.log(max(share, 1) / _NEAR) / math.log(_LATE / _NEAR)
    return kernel.of("reloaded_sectors") * min(1.0, share / _NEAR) + kernel.of(
        "late_reloaded_sectors"
    ) * min(1.0, max(0.0, late))


def stored_sectors(kernel: Kernel, merged: float) -> float:
    """Sectors that stores write to the L2 cache. One that is written in part takes it twice as
    long."""
    stores = kernel.of("global_store_sectors")
    stores -= min(stores, kernel.of("rewritten_sectors")) * merged
    return stores + max(0.0, stores - kernel.of("global_store_ideal_sectors"))
