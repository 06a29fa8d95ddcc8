"""The model's properties, and its arithmetic for counters that are given."""

import math
from dataclasses import replace

import pytest

from common.cudasim.predict import model
from common.cudasim.predict.calibration import load
from common.cudasim.predict.kernel import Interval, Kernel, blocks_by_registers, residents
from common.cudasim.predict.model import predict
from common.cudasim.predict.parameters import FITTED, Assumption

C = load()
MIB = float(1 << 20)


def copy(mib: float, **changes: float) -> Kernel:
    """A kernel that reads and writes so much memory, a float per thread."""
    warps = mib * MIB / 128
    counters = {
        "global_load_requests": warps,
        "global_load_sectors": 4 * warps,
        "block_load_sectors": 4 * warps,
        "global_store_requests": warps,
        "global_store_sectors": 4 * warps,
        "global_store_ideal_sectors": 4 * warps,
        "global_lines": 2 * warps,
        "memory_instructions": 2 * warps,
        "compulsory_read_bytes": mib * MIB,
        "compulsory_write_bytes": mib * MIB,
        "block_runs": 3 * warps,
        "work": 160 * warps,
        "span": 5.0,
    }
    return Kernel("Copy", 1, math.ceil(warps / 8), 256, 8, counters | changes, {}, 16)


def middle(kernel: Kernel) -> float:
    return predict(kernel, C).microseconds.middle


def test_a_kernel_takes_no_less_than_an_empty_one() -> None:
    nothing = Kernel("Nothing", 1, 1, 32, 32, {}, {}, 16)
    for kernel in (nothing, copy(1 / 8192), replace(copy(1), launches=1000)):
        times = predict(kernel, C).microseconds
        assert times.low >= C.launch_us
        assert times.middle >= C.launch_us


def test_the_interval_contains_its_middle() -> None:
    for mib in (0.001, 0.5, 10, 100, 2000):
        for registers in (None, 16, 255):
            times = predict(replace(copy(mib), registers=registers), C).microseconds
            assert times.low <= times.middle <= times.high


def test_an_interval_in_the_wrong_order_or_with_nan_is_refused() -> None:
    for ends in ((2.0, 1.0, 3.0), (0.0, math.nan, 1.0), (math.nan, 1.0, 2.0)):
        with pytest.raises(ValueError, match="not an interval"):
            Interval(*ends)


def test_more_bytes_take_longer() -> None:
    times = [middle(copy(mib)) for mib in (0.25, 1, 4, 16, 24, 32, 64, 256, 2048)]
    assert times == sorted(times)
    assert len(set(times)) == len(times)


@pytest.mark.parametrize(
    "counter",
    [
        "global_load_sectors",
        "global_lines",
        "shared_load_wavefronts",
        "shared_atomic_passes",
        "barriers",
        "memory_instructions",
        "span",
    ],
)
def test_more_of_one_thing_never_makes_a_kernel_faster(counter: str) -> None:
    times = [middle(copy(4, **{counter: amount})) for amount in (1e5, 1e6, 1e7, 1e8)]
    assert times == sorted(times)
    assert times[-1] > times[0]


def test_the_mean_of_equal_launches_does_not_depend_on_their_number() -> None:
    once = copy(4)
    ten = replace(
        once, launches=10, counters={name: 10 * value for name, value in once.counters.items()}
    )
    assert middle(ten) == pytest.approx(middle(once), rel=1e-12)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -1.0])
def test_a_counter_that_is_no_count_is_named(bad: float) -> None:
    with pytest.raises(ValueError, match="Copy: counter global_lines is"):
        predict(copy(1, global_lines=bad), C)


def test_a_copy_takes_as_long_as_the_one_that_was_measured() -> None:
    # On an H100: 64 MiB, 256 MiB and 1 GiB moved, a float per thread.
    for moved, us in ((64, 31.2), (256, 114.368), (1024, 447.424)):
        assert middle(copy(moved / 2)) == pytest.approx(us, rel=0.15)


def test_the_ceilings_are_these_for_these_counters() -> None:
    kernel = Kernel(
        "Given",
        2,
        132,
        128,
        8,
        {
            "global_load_requests": 2000,
            "global_lines": 8000,
            "shared_load_wavefronts": 4000,
            "global_load_sectors": 16000,
            "block_load_sectors": 12000,
            "global_store_sectors": 1000,
            "global_store_ideal_sectors": 800,
        },
        {},
        16,
    )
    f = replace(FITTED, l2_share=0.5)
    ceilings = model.busy(kernel, C, f, Assumption(0.5, 1, 1, 8, 1, 0))
    assert ceilings["launch"] == pytest.approx(132 / C.blocks_per_us)
    l1 = 4000 * C.cycles_per_line + 2000 * C.cycles_per_wavefront  # a launch, all blocks
    assert ceilings["L1/shared"] == pytest.approx(l1 / 132 / C.clock)
    sectors = 6000 + 0.5 * 2000 + 500 + 100  # first loads, missed repeats, stores, partial ones
    assert ceilings["L2"] == pytest.approx(sectors * 32 / (0.5 * C.l2_bytes_per_us))
    assert ceilings["DRAM"] == 0
    assert ceilings["atomics"] == 0


def test_ceilings_are_combined_by_a_power_mean() -> None:
    assert model.combined({"a": 3.0, "b": 4.0}, 2) == pytest.approx(5)
    assert model.combined({"a": 0.0, "b": 0.0}, 2) == 0


def test_additions_to_one_address_take_one_pass_each() -> None:
    # h100.csv, atomic_one_for_a_warp with one address: 4,325,376 additions, 3165.38 us.
    lanes = 4325376.0
    kernel = Kernel(
        "Add",
        1,
        1056,
        256,
        8,
        {
            "global_atomic_lanes": lanes,
            "global_atomic_requests": lanes / 32,
            "global_atomic_passes": lanes,
            "atomic_sectors": 1,
            "hottest_atomics": lanes,
        },
        {},
        16,
    )
    prediction = predict(kernel, C)
    assert prediction.bound == "atomics"
    assert prediction.microseconds.middle == pytest.approx(3165.38, rel=0.02)


@pytest.mark.parametrize(
    ("sectors", "floats", "passes", "us"),
    [
        # On an H100, a warp's lanes at one address at random: each lane's addition is a pass.
        (4, False, 4325376, 3003.55),
        (32, False, 4325376, 1608.61),
        (32, True, 4325376, 1625.44),
        (1, True, 4325376, 7592.51),
        # Lanes at 8 addresses in turn: a warp has four lanes at each.
        (1, False, 540672, 319.328),
    ],
)
def test_passes_to_sectors_take_as_long_as_those_that_were_measured(
    sectors: int, floats: bool, passes: int, us: float
) -> None:
    lanes = 4325376.0
    counters = {
        "global_atomic_lanes": lanes,
        "float_atomic_lanes": lanes * floats,
        "global_atomic_requests": lanes / 32,
        "global_atomic_passes": passes,
        "atomic_sectors": sectors,
        "hottest_atomics": passes / sectors,
    }
    assert middle(Kernel("Add", 1, 1056, 256, 8, counters, {}, 16)) == pytest.approx(us, rel=0.3)


def test_results_that_a_warp_needs_one_after_another_take_a_latency_each() -> None:
    def us(**counters: float) -> float:
        kernel = Kernel("Chain", 1, 1, 32, 32, counters, {}, 16)
        return model.busy(kernel, C, FITTED, model.likely(kernel, C, FITTED))["latency"]

    each_us = C.atomic_latency_ns * FITTED.atomic_latencies / 1e3
    unused = us(global_atomic_requests=1000.0)
    chain = us(global_atomic_requests=1000.0, longest_atomic_chain=1000.0)
    assert chain - unused == pytest.approx(1000 * each_us)


def test_data_changed_in_place_are_cached_up_to_twice_the_traffic() -> None:
    # Reads and writes 20 MiB each, of 20 MiB that the L2 cache holds.
    def dram(kernel: Kernel) -> float:
        return model.busy(kernel, C, FITTED, model.likely(kernel, C, FITTED))["DRAM"]

    in_place = copy(20, footprint_bytes=20 * MIB)
    assert dram(in_place) == pytest.approx(2 * dram(copy(10)))
    assert dram(in_place) < 0.7 * dram(copy(20))


def test_registers_limit_the_resident_blocks() -> None:
    # As the occupancy calculator of the toolkit has it for compute capability 9.0.
    assert blocks_by_registers(256, 32) == 8
    assert blocks_by_registers(256, 33) == 6
    assert blocks_by_registers(256, 64) == 4
    assert blocks_by_registers(256, 255) == 1
    assert blocks_by_registers(1024, 64) == 1
    assert residents(replace(copy(1), registers=64)) == Interval(4, 4, 4)
    assert residents(replace(copy(1), registers=None)) == Interval(4, 8, 8)


def test_an_interval_is_wider_than_the_models_extremes_by_what_cross_validation_shows() -> None:
    kernel = copy(64)
    beyond = model.beyond_launch(kernel, C, FITTED)
    times = predict(kernel, C).microseconds
    assert times.high == pytest.approx(1.2 * C.launch_us + model.BEYOND * beyond.high)
    assert times.low == pytest.approx(0.8 * C.launch_us + beyond.low / model.BEYOND)


def test_an_interval_is_wider_where_atomic_operations_are() -> None:
    few = copy(64, global_atomic_requests=1.0)
    beyond = model.beyond_launch(few, C, FITTED)
    high = predict(few, C).microseconds.high
    assert high == pytest.approx(1.2 * C.launch_us + model.BEYOND_WITH_ATOMICS * beyond.high)


def test_the_bound_is_the_resource_that_is_busy_longest() -> None:
    assert predict(copy(0.01), C).bound == "launch"
    assert predict(copy(500), C).bound == "DRAM"
    assert predict(copy(8, shared_load_wavefronts=1e8), C).bound == "L1/shared"
    assert predict(copy(8, global_load_sectors=1e8, block_load_sectors=1e8), C).bound == "L2"
    assert predict(copy(1, span=1e6), C).bound == "latency"
    # One block keeps one multiprocessor busy, and so 1/132 of them.
    alone = replace(copy(1, shared_load_wavefronts=1e6), blocks=1)
    assert predict(alone, C).bound == "latency"
    arithmetic = replace(copy(8), instructions={"multiplies": 1e9})
    assert predict(arithmetic, C).bound == "issue"
