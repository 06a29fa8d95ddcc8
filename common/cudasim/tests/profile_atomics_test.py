"""What the atomic operations of profile/atomics.cu cost. Which of them nvcc combines for a warp was
read off its code for sm_90: REDUX, or a vote and POPC, before one lane's RED or ATOM."""

from __future__ import annotations

import pytest

from common.cudasim.tests.simulated import counters_of


def counters() -> dict[str, dict[str, float]]:
    return counters_of("atomics")


@pytest.mark.parametrize(
    ("kernel", "warps"),
    [("Sum", 4), ("Subtract", 2), ("Places", 2), ("Max", 2), ("Or", 2), ("LongCount", 2)],
)
def test_operations_at_a_common_address_are_combined(kernel: str, warps: int) -> None:
    assert counters()[kernel]["combined_atomic_lanes"] == warps * 31
    assert counters()[kernel]["global_atomic_passes"] == warps
    assert counters()[kernel]["hottest_atomics"] == warps


@pytest.mark.parametrize("kernel", ["LongSum", "FloatSum", "Exchange", "Increment", "Swap"])
def test_operations_that_nvcc_does_not_combine_take_a_pass_each(kernel: str) -> None:
    assert counters()[kernel]["combined_atomic_lanes"] == 0
    assert counters()[kernel]["global_atomic_passes"] == 64
    assert counters()[kernel]["hottest_atomics"] == 64


def test_only_lanes_that_take_part_are_combined() -> None:
    assert counters()["SumOfSome"]["combined_atomic_lanes"] == 2 * 4
    assert counters()["SumOfSome"]["global_atomic_passes"] == 2
    assert counters()["SumOfOne"]["combined_atomic_lanes"] == 0
    assert counters()["SumOfOne"]["global_atomic_passes"] == 1


def test_an_address_that_once_differs_is_not_known_to_be_common() -> None:
    assert counters()["Bins"]["combined_atomic_lanes"] == 0
    # The second warp has eight lanes at each of four addresses of one sector.
    assert counters()["Bins"]["global_atomic_passes"] == 32 + 8
    assert counters()["Bins"]["atomic_sectors"] == 1


def test_addresses_may_differ_between_blocks() -> None:
    assert counters()["SumOfBlocks"]["combined_atomic_lanes"] == 4 * 2 * 10 * 31
    assert counters()["SumOfBlocks"]["global_atomic_passes"] == 4 * 2 * 10
    assert counters()["SumOfBlocks"]["hottest_atomics"] == 2 * 10
    assert counters()["SumOfBlocks"]["atomic_sectors"] == 4


def test_what_is_read_and_written_is_one_footprint() -> None:
    # 64 keys and a sum; the sectors of each are 32 bytes. An atomic operation reads and writes.
    assert counters()["Sum"]["footprint_bytes"] == 64 * 4 + 32
    assert counters()["Sum"]["compulsory_read_bytes"] == 64 * 4 + 32
    assert counters()["Sum"]["compulsory_write_bytes"] == 32


def test_the_longest_chain_is_that_of_one_warp_that_uses_results() -> None:
    assert counters()["Chain"]["longest_atomic_chain"] == 30
    assert counters()["Places"]["longest_atomic_chain"] == 1
    for unused in ("SumOfBlocks", "Max", "Or"):
        assert counters()[unused]["longest_atomic_chain"] == 0


def test_shared_sums_are_combined_too() -> None:
    assert counters()["SharedSum"]["shared_atomic_passes"] == 2
    assert counters()["SharedSum"]["shared_atomic_wavefronts"] == 64
    assert counters()["SharedSum"]["combined_atomic_lanes"] == 0


def test_shared_sums_of_floats_spin() -> None:
    spinning = counters()["SharedFloatSum"]
    assert spinning["spinning_atomic_wavefronts"] == spinning["shared_atomic_wavefronts"] > 64
    assert spinning["shared_atomic_passes"] == spinning["shared_atomic_wavefronts"]
    assert counters()["SharedSum"]["spinning_atomic_wavefronts"] == 0
