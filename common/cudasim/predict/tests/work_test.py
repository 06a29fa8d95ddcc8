"""Instructions, caches and chains of blocks in the model's arithmetic."""

from dataclasses import replace

import pytest

from common.cudasim.predict import model
from common.cudasim.predict.caches import missed_sectors, stored_sectors
from common.cudasim.predict.calibration import load
from common.cudasim.predict.kernel import Kernel
from common.cudasim.predict.operations import OPERATIONS
from common.cudasim.predict.parameters import FITTED, Fitted
from common.cudasim.predict.work import busy_cycles, constant_cycles, issued

C = load()


def kernel(**counters: float) -> Kernel:
    return Kernel("Given", 1, 1056, 256, 8, counters, {"integers": 0.0}, 16)


def computing(**instructions: float) -> Kernel:
    return Kernel("Given", 1, 1056, 256, 8, {}, {"integers": 0.0} | instructions, 16)


@pytest.mark.parametrize("name", ["divide_u32", "powf", "cudasim_rsqrtf"])
def test_operations_are_issued_as_the_instructions_that_nvcc_makes_of_them(name: str) -> None:
    more = issued(computing(**{name: 1e6}), FITTED) - issued(computing(), FITTED)
    assert more == pytest.approx(1e6 * OPERATIONS[name].instructions)


def test_units_for_doubles_and_special_functions_can_be_busier_than_issue() -> None:
    # Four schedulers; a double takes two cycles, a special function eight.
    assert busy_cycles(computing(divide_double=1e9), C, FITTED) == pytest.approx(
        1e9 * max(14 / 4, 15 / C.instructions_per_cycle), rel=1e-3
    )
    fast = busy_cycles(computing(cudasim_fast_sinf=1e9), C, FITTED)
    assert fast == pytest.approx(1e9 * 8 / 4, rel=1e-3)
    doubles = busy_cycles(computing(double_multiplies=1e9, double_additions=8e8), C, FITTED)
    assert doubles == pytest.approx(1e9 * 2 / 4, rel=1e-3)


def test_a_chain_of_divisions_takes_their_latency() -> None:
    def latency(k: Kernel) -> float:
        return model.busy(k, C, FITTED, model.likely(k, C, FITTED))["latency"]

    divided = replace(computing(divide_u32=1000.0 * 8), blocks=1)
    more_us = latency(divided) - latency(replace(computing(), blocks=1))
    cycles = 1000 * OPERATIONS["divide_u32"].latency * FITTED.operations_in_turn
    assert more_us == pytest.approx(cycles / FITTED.steps_in_flight / C.clock)


def test_constants_that_differ_between_lanes_are_read_one_after_another() -> None:
    alike = kernel(constant_requests=1e6, constant_passes=1e6)
    apart = kernel(constant_requests=1e6, constant_passes=32e6)
    assert constant_cycles(alike, FITTED) == 0
    assert constant_cycles(apart, FITTED) == pytest.approx(31e6 * FITTED.cycles_per_constant)
    ceilings = model.busy(apart, C, FITTED, model.likely(apart, C, FITTED))
    assert ceilings["issue"] >= constant_cycles(apart, FITTED) / 132 / C.clock


ROWS = {"global_load_sectors": 8000.0, "block_load_sectors": 1000.0}


def test_sectors_that_a_warp_has_just_loaded_come_from_its_cache() -> None:
    assert missed_sectors(kernel(**ROWS), C, 0.5) == 1000 + 0.5 * 7000
    assert missed_sectors(kernel(**ROWS, reloaded_sectors=6000), C, 0.5) == pytest.approx(
        1000 + 0.5 * (7000 - 6000 * 96 / 128)  # 64 warps share the cache
    )


def test_a_cache_that_few_warps_share_keeps_sectors_longer() -> None:
    many = kernel(**ROWS, late_reloaded_sectors=6000)
    few = replace(many, blocks=132, threads=32)
    assert missed_sectors(few, C, 0.5) == 1000 + 0.5 * 1000
    assert missed_sectors(many, C, 0.5) == 1000 + 0.5 * 7000


def test_stores_to_one_sector_are_merged_and_then_whole() -> None:
    # 8 members of 4 bytes in structs of 32 bytes.
    structs = kernel(
        global_store_sectors=8000, global_store_ideal_sectors=1000, rewritten_sectors=7000
    )
    assert stored_sectors(structs, 1.0) == 1000
    assert stored_sectors(structs, 0.0) == 8000 + 7000


def global_latency(f: Fitted = FITTED, grid_extents: float | None = None, **more: float) -> float:
    counters = {
        "global_load_sectors": 8000.0,
        "block_load_sectors": 8000.0,
        "global_load_waits": 8000.0,
    } | more
    instructions = {} if grid_extents is None else {"grid_extents": grid_extents}
    k = Kernel("Loop", 1, 1, 256, 8, counters, instructions, 16)
    return model.busy(k, C, f, model.likely(k, C, f))["latency"]


def test_short_loops_have_as_many_loads_in_flight_as_rounds_are_unrolled() -> None:
    f = replace(FITTED, unrolled=1.0, unrolled_loops=4.0, start_us=0.0)
    in_order = global_latency(f)
    assert global_latency(f, looped_load_waits=8000) == pytest.approx(in_order / 4)
    assert global_latency(f, looped_load_waits=4000) == pytest.approx(in_order * (1 / 8 + 1 / 2))
    # Loops of four basic blocks are unrolled less often.
    long = global_latency(f, looped_load_waits=8000, block_runs=32000)
    assert in_order / 4 < long - f.cycles_per_branch * 4000 / C.clock < in_order


def test_loads_of_one_sector_that_are_in_flight_together_wait_for_one_miss() -> None:
    f = replace(FITTED, unrolled=1.0, unrolled_loops=4.0, start_us=0.0)
    rows = {"block_load_sectors": 1000.0, "reloaded_sectors": 7000.0, "looped_load_waits": 8000.0}
    # Of two batches for eight elements one misses.
    batches_us = 1000 / 8 * (C.l2_latency_ns + C.l1_latency_ns) / 1e3
    assert global_latency(f, **rows) == pytest.approx(batches_us)


def test_a_stride_is_the_grids_only_where_a_kernel_reads_its_extent() -> None:
    f = replace(FITTED, unrolled=1.0, unrolled_loops=4.0, start_us=0.0)
    loop = {
        "looped_load_waits": 8000.0,
        "strided_load_waits": 8000.0,
        "grid_strided_load_waits": 8000.0,
    }
    by_chance, real, unknown = (global_latency(f, extents, **loop) for extents in (0, 8, None))
    assert real == pytest.approx(unknown, rel=0.1)
    assert by_chance < 0.4 * real


def test_blocks_that_wait_for_each_other_take_a_few_latencies_each() -> None:
    def times(**counters: float) -> tuple[float, float, float]:
        found = model.predict(kernel(**counters), C).microseconds
        return found.low, found.middle, found.high

    chain = times(block_chain=1000, sure_block_chain=1000)
    # Scans of 512 elements for each block took 1.1 us for each.
    assert chain[1] == pytest.approx(1100, rel=0.1)
    looking_back = times(block_chain=1000, sure_block_chain=1)
    assert looking_back[1] < 0.1 * chain[1]
    assert looking_back[2] > 20 * looking_back[0]
    # A warp looks at many blocks at once: a wave of blocks waits together.
    by_warp = times(block_chain=1000, sure_block_chain=1, block_chain_readers=32)
    assert by_warp[1] < 0.5 * looking_back[1]
    assert by_warp[::2] == looking_back[::2]
    # The last of all blocks that reads what the others wrote does not wait for a chain.
    assert times(block_chain=2, sure_block_chain=2) == times()
