"""What the kernels of profile/time_counters.cu count for the prediction of times."""

import pytest

from common.cudasim.tests.simulated import counters_of


def counters() -> dict[str, dict[str, float]]:
    return counters_of("time_counters")


def test_lanes_that_read_one_constant_are_served_at_once() -> None:
    assert counters()["ConstantOfWarp"]["constant_requests"] == 2 * 10
    assert counters()["ConstantOfWarp"]["constant_passes"] == 2 * 10


def test_lanes_that_read_different_constants_are_served_one_after_another() -> None:
    assert counters()["ConstantOfLanes"]["constant_requests"] == 2
    assert counters()["ConstantOfLanes"]["constant_passes"] == 32 + 4


def test_constants_are_no_work() -> None:
    # The loop's basic blocks remain, and a store.
    assert counters()["ConstantOfLanes"]["memory_instructions"] == 1
    assert counters()["ConstantOfLanes"]["work"] <= 32 * 3


def test_a_row_is_loaded_from_the_cache_after_its_first_element() -> None:
    rows = counters()["Rows"]
    assert rows["global_load_sectors"] == 64 * 32
    # 8 elements lie in a sector.
    assert rows["reloaded_sectors"] == 64 * 32 * 7 / 8
    assert rows["late_reloaded_sectors"] == 0


@pytest.mark.parametrize(("kernel", "sectors"), [("Columns", 64 * 4), ("Interleaved", 2)])
def test_lanes_of_one_request_reload_nothing(kernel: str, sectors: int) -> None:
    assert counters()[kernel]["global_load_sectors"] == sectors
    assert counters()[kernel]["reloaded_sectors"] == 0


def test_what_other_sectors_have_replaced_is_told_apart() -> None:
    # 800 sectors and 200 requests lie between the two loads of one.
    assert counters()["Twice"]["reloaded_sectors"] == 0
    assert counters()["Twice"]["late_reloaded_sectors"] == 800


def test_members_of_a_struct_share_sectors() -> None:
    structs = counters()["Structs"]
    assert structs["global_load_sectors"] == 6 * 32
    assert structs["reloaded_sectors"] == 5 * 32
    assert structs["global_store_sectors"] == 3 * 32
    assert structs["rewritten_sectors"] == 2 * 32


def test_rounds_of_a_loop_do_not_share_stores() -> None:
    assert counters()["StoreRows"]["global_store_sectors"] == 64 * 32
    assert counters()["StoreRows"]["rewritten_sectors"] == 0


@pytest.mark.parametrize(("kernel", "rounds"), [("Rows", 63), ("Columns", 63)])
def test_loops_without_stores_can_be_unrolled(kernel: str, rounds: int) -> None:
    assert counters()[kernel]["looped_load_waits"] == rounds


def test_long_loops_are_not_unrolled() -> None:
    assert counters()["LongLoop"]["looped_load_waits"] == 0


def test_divergence_keeps_shared_loads_in_order() -> None:
    assert counters()["SharedLoop"]["looped_shared_waits"] == 63
    assert counters()["DivergentSharedLoop"]["shared_load_waits"] == 64
    assert counters()["DivergentSharedLoop"]["looped_shared_waits"] <= 1


@pytest.mark.parametrize("kernel", ["StoresInLoop", "BarriersInLoop"])
def test_stores_and_barriers_keep_loads_in_order(kernel: str) -> None:
    assert counters()[kernel]["looped_load_waits"] == 0
    assert counters()[kernel]["global_load_waits"] == 64


def test_the_strides_of_a_grid_and_of_a_block_are_told_apart() -> None:
    grid = counters()["GridStride"]
    assert grid["grid_strided_load_waits"] == grid["strided_load_waits"] > 0
    for kernel in ("BlockStride", "StrideOfOneBlock"):
        assert counters()[kernel]["grid_strided_load_waits"] == 0
        assert counters()[kernel]["strided_load_waits"] > 0


@pytest.mark.parametrize(
    "kernel", ["Chained", "ChainedByAtomics", "ChainedByWarp", "ChainedByBlock"]
)
def test_blocks_that_wait_for_the_one_before_are_a_chain(kernel: str) -> None:
    assert counters()[kernel]["block_chain"] == 39
    assert counters()[kernel]["sure_block_chain"] == 39


@pytest.mark.parametrize(("kernel", "readers"), [("LookBack", 1), ("LookBackByWarp", 32)])
def test_blocks_that_look_back_may_wait_less(kernel: str, readers: int) -> None:
    assert counters()[kernel]["block_chain"] == 39
    assert counters()[kernel]["sure_block_chain"] == 1
    assert counters()[kernel]["block_chain_readers"] == readers


def test_flags_take_no_room_in_the_kernels_heap() -> None:
    assert counters()["ManyFlags"]["block_chain"] == 0
    assert counters()["ManyFlags"]["global_store_sectors"] == 512 * 512 / 8


@pytest.mark.parametrize("kernel", ["Tickets", "LastBlock", "SharedEdges", "ManyReads"])
def test_blocks_that_share_data_do_not_wait(kernel: str) -> None:
    assert counters()[kernel]["block_chain"] <= 1
