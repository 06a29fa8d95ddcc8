"""The model's latency term: loads, barriers, the longest thread."""

from dataclasses import replace

import pytest

from common.cudasim.predict import model
from common.cudasim.predict.calibration import load
from common.cudasim.predict.kernel import Kernel
from common.cudasim.predict.model import predict
from common.cudasim.predict.parameters import FITTED

C = load()


def lanes_alone(alone: bool, **changes: float) -> Kernel:
    """A block of 8 warps. One lane runs 1000 loads and 1000 basic blocks; or all lanes do, and so
    nobody waits for another."""
    warps = 1 if alone else 8
    threads = 1 if alone else 256
    counters = {
        "global_load_requests": 1000.0 * warps,
        "global_load_waits": 1000.0 * warps,
        "global_load_sectors": 1000.0 * warps,
        "block_load_sectors": 1000.0 * warps,
        "memory_instructions": 1000.0 * warps,
        "block_runs": 1000.0 * warps,
        "work": 2000.0 * threads,
        "span": 2000.0,
    }
    return Kernel("Walk", 1, 1, 256, 8, counters | changes, {}, 16)


def latency(kernel: Kernel, **changes: float) -> float:
    case = replace(model.likely(kernel, C, FITTED), **changes)
    return model.busy(kernel, C, FITTED, case)["latency"]


def test_a_lane_alone_takes_as_long_as_a_warp_that_does_the_same() -> None:
    # A few instructions that each warp has anyway are charged once more.
    assert latency(lanes_alone(True)) == pytest.approx(latency(lanes_alone(False)), rel=0.05)


def test_the_longest_thread_does_not_lengthen_barriers() -> None:
    def barriers(kernel: Kernel) -> float:
        more = replace(kernel, counters={**kernel.counters, "barriers": 1000.0})
        return latency(more) - latency(kernel)

    each = C.barrier_ns + 7 * C.barrier_ns_per_warp
    assert barriers(lanes_alone(False)) == pytest.approx(each)
    assert barriers(lanes_alone(True)) == pytest.approx(each)


@pytest.mark.parametrize(
    ("threads", "blocks", "ns"), [(64, 32, 68.6), (256, 8, 68.4), (256, 1, 15.3)]
)
def test_barriers_take_as_long_as_those_that_were_measured(
    threads: int, blocks: int, ns: float
) -> None:
    # On an H100, so many blocks on each multiprocessor.
    grid = 132 * blocks
    kernel = Kernel("Barriers", 1, grid, threads, 32, {"barriers": 1e4 * grid}, {}, 16)
    f = replace(FITTED, start_us=0.0)
    us = model.busy(kernel, C, f, model.likely(kernel, C, f))["latency"]
    assert us * 1e3 / 1e4 == pytest.approx(ns, rel=0.1)


@pytest.mark.parametrize("counter", ["dependent_global_loads", "strided_load_waits"])
def test_loads_that_no_unrolling_helps_take_a_latency_each(counter: str) -> None:
    free = lanes_alone(False, looped_load_waits=8000.0)
    held = lanes_alone(False, looped_load_waits=8000.0, **{counter: 8000.0})
    each_us = 1e3 * C.l2_latency_ns / 1e3
    assert latency(free, hits=0.0) < 0.8 * each_us
    assert latency(held, hits=0.0) > each_us
    assert latency(free, in_flight=0.0) == pytest.approx(latency(held, in_flight=0.0))


def test_dependent_loads_of_global_memory_do_not_hold_back_those_of_shared_memory() -> None:
    shared = lanes_alone(False, shared_load_waits=8000.0)
    both = replace(shared, counters={**shared.counters, "dependent_global_loads": 8000.0})
    more = latency(both) - latency(shared)
    alone = latency(lanes_alone(False, dependent_global_loads=8000.0)) - latency(lanes_alone(False))
    assert more == pytest.approx(alone)


def test_dependent_loads_take_as_long_as_those_that_were_measured() -> None:
    # On an H100: 4096 loads of one thread, each of which needs the one before. 16 KiB
    # lie in the L1 cache, 1 MiB in the L2 cache.
    counters = {
        "global_load_requests": 4096.0,
        "global_load_waits": 4096.0,
        "dependent_global_loads": 4095.0,
        "longest_global_chain": 4095.0,
        "global_load_sectors": 4096.0,
        "memory_instructions": 4096.0,
        "block_runs": 4096.0,
        "span": 8192.0,
    }
    for sectors, ns in ((0, 36.4453), (4096, 143.922)):
        kernel = Kernel("Chase", 1, 1, 1, 32, counters | {"block_load_sectors": sectors}, {}, 16)
        assert latency(kernel, hits=1.0) == pytest.approx(4096 * ns / 1e3, rel=0.4)


def test_the_warp_with_the_longest_chain_is_waited_for() -> None:
    even = lanes_alone(False, dependent_global_loads=800.0, longest_global_chain=100.0)
    uneven = lanes_alone(False, dependent_global_loads=800.0, longest_global_chain=800.0)
    more_us = 700 * C.l2_latency_ns / 1e3
    assert latency(uneven, hits=0.0) - latency(even, hits=0.0) == pytest.approx(more_us)


def test_a_block_waits_at_its_barrier_for_the_warp_that_searches() -> None:
    # Ten waves of blocks of eight warps, one of which searches, or two of which do half of it.
    blocks = 132 * 8 * 10

    def search(chain: float, barriers: float) -> float:
        loads = dict.fromkeys(("global_load_waits", "dependent_global_loads"), 200.0 * blocks)
        counters = {"longest_global_chain": chain, "barriers": barriers, **loads}
        return latency(Kernel("Search", 1, blocks, 256, 8, counters, {}, 16))

    waves_us = 10 * 200 * C.l2_latency_ns / 1e3
    assert search(200, 0) < 0.2 * waves_us
    assert search(200, blocks) == pytest.approx(waves_us, rel=0.1)
    assert search(100, blocks) == pytest.approx(waves_us / 2, rel=0.1)


def test_loads_of_one_basic_block_are_one_wait() -> None:
    few = lanes_alone(False, global_load_waits=4000.0)
    assert latency(few, in_flight=0.0) < 0.6 * latency(lanes_alone(False), in_flight=0.0)


def test_data_that_no_cache_holds_come_from_dram() -> None:
    read = 1000 * 8 * 32.0
    near = lanes_alone(False, compulsory_read_bytes=read)
    far = lanes_alone(False, compulsory_read_bytes=read, compulsory_write_bytes=1e9)
    ratio = C.dram_latency_ns / C.l2_latency_ns
    start = FITTED.start_us
    assert (latency(far) - start) / (latency(near) - start) == pytest.approx(ratio, rel=0.15)


def test_a_kernel_that_keeps_no_unit_busy_is_bound_by_latency() -> None:
    # Each ceiling is lower than the latency term here, though none is far below it.
    kernel = lanes_alone(False, dependent_global_loads=8000.0)
    assert predict(kernel, C).bound == "latency"
    busy = dict.fromkeys(model.RESOURCES, 0.0)
    us = 10.0
    spent = us - C.events_us
    for share, bound in ((0.59, "latency"), (0.61, "atomics")):
        ceilings = busy | {"atomics": share * spent, "latency": 0.8 * spent}
        assert model._bound(kernel, C, FITTED, ceilings, us) == bound
