"""What the kernels of profile/time_counters.cu count for the prediction of times."""

from collections.abc import Mapping

import pytest

from common.cudasim.tests.simulated import counters_of


def counters() -> dict[str, dict[str, float]]:
    return counters_of("time_counters")


_CHAIN: dict[str, float] = {"block_chain": 39, "sure_block_chain": 39}
# A block that looks back may wait less.
_PERHAPS: dict[str, float] = {"block_chain": 39, "sure_block_chain": 1}
_IN_ORDER: dict[str, float] = {"looped_load_waits": 0, "global_load_waits": 64}

EXPECTED: Mapping[str, Mapping[str, float]] = {
    # Lanes that read one constant are served at once.
    "ConstantOfWarp": {"constant_requests": 2 * 10, "constant_passes": 2 * 10},
    # Different constants one after another. They are no accesses; a store remains.
    "ConstantOfLanes": {
        "constant_requests": 2,
        "constant_passes": 32 + 4,
        "memory_instructions": 1,
    },
    # A row is loaded from the cache after its first element: 8 lie in a sector. A loop without
    # stores can be unrolled.
    "Rows": {
        "global_load_sectors": 64 * 32,
        "reloaded_sectors": 64 * 32 * 7 / 8,
        "late_reloaded_sectors": 0,
        "looped_load_waits": 63,
    },
    # Lanes of one request reload nothing.
    "Columns": {"global_load_sectors": 64 * 4, "reloaded_sectors": 0, "looped_load_waits": 63},
    "Interleaved": {"global_load_sectors": 2, "reloaded_sectors": 0},
    # 800 sectors and 200 requests lie between the two loads of one.
    "Twice": {"reloaded_sectors": 0, "late_reloaded_sectors": 800},
    # Members of a struct share sectors.
    "Structs": {
        "global_load_sectors": 6 * 32,
        "reloaded_sectors": 5 * 32,
        "global_store_sectors": 3 * 32,
        "rewritten_sectors": 2 * 32,
    },
    # Rounds of a loop do not share stores.
    "StoreRows": {"global_store_sectors": 64 * 32, "rewritten_sectors": 0},
    "LongLoop": {"looped_load_waits": 0},
    "SharedLoop": {"looped_shared_waits": 63},
    "DivergentSharedLoop": {"shared_load_waits": 64},
    "StoresInLoop": _IN_ORDER,
    "BarriersInLoop": _IN_ORDER,
    "BlockStride": {"grid_strided_load_waits": 0},
    "StrideOfOneBlock": {"grid_strided_load_waits": 0},
    # Blocks that wait for the one before are a chain.
    "Chained": _CHAIN,
    "ChainedByAtomics": _CHAIN,
    "ChainedByWarp": _CHAIN,
    "ChainedByBlock": _CHAIN,
    "LookBack": _PERHAPS | {"block_chain_readers": 1},
    "LookBackByWarp": _PERHAPS | {"block_chain_readers": 32},
    # Flags take no room in the kernel's heap.
    "ManyFlags": {"block_chain": 0, "global_store_sectors": 512 * 512 / 8},
}


@pytest.mark.parametrize("kernel", EXPECTED)
def test_counts_what_the_kernel_does(kernel: str) -> None:
    counted = counters()[kernel]
    assert {name: counted[name] for name in EXPECTED[kernel]} == EXPECTED[kernel]


def test_constants_are_no_work() -> None:
    # The loop's basic blocks remain, and a store.
    assert counters()["ConstantOfLanes"]["work"] <= 32 * 3


def test_divergence_keeps_shared_loads_in_order() -> None:
    assert counters()["DivergentSharedLoop"]["looped_shared_waits"] <= 1


def test_the_strides_of_a_grid_and_of_a_block_are_told_apart() -> None:
    grid = counters()["GridStride"]
    assert grid["grid_strided_load_waits"] == grid["strided_load_waits"] > 0
    for kernel in ("BlockStride", "StrideOfOneBlock"):
        assert counters()[kernel]["strided_load_waits"] > 0


@pytest.mark.parametrize("kernel", ["Tickets", "LastBlock", "SharedEdges", "ManyReads"])
def test_blocks_that_share_data_do_not_wait(kernel: str) -> None:
    assert counters()[kernel]["block_chain"] <= 1
