"""How many loads of profile/dependent_loads.cu need what a load before them read. The first load of
a chain depends on none; where addresses tell, the second one is known to."""

from __future__ import annotations

import pytest

from common.cudasim.tests.simulated import counters_of


def counters() -> dict[str, dict[str, float]]:
    return counters_of("dependent_loads")


def dependent(kernel: str, space: str = "global") -> float:
    return counters()[kernel].get(f"dependent_{space}_loads", 0)


@pytest.mark.parametrize(
    ("kernel", "loads"),
    [
        ("List", 9 + 19),
        ("Search", 9),
        ("Merge", 15),
        ("Gather", 1),
        ("GatherTwice", 2),
        ("GatherAndStore", 20),
    ],
)
def test_counts_loads_that_wait_for_a_load(kernel: str, loads: int) -> None:
    assert dependent(kernel) == loads


def test_counts_what_depends_on_a_gather() -> None:
    # 19 do. A chain counts from where its first addresses are known to be irregular.
    assert dependent("Walk") == 17


def test_counts_a_list_of_one_thread() -> None:
    # Two steps pass before a step can be unlike the others.
    assert 96 <= dependent("ListOfOne") <= 99


def test_counts_shared_loads_apart() -> None:
    assert dependent("SharedList", "shared") == 9
    assert dependent("SharedList") == 0


@pytest.mark.parametrize("kernel", ["Loop", "Rows", "Product", "Tree"])
@pytest.mark.parametrize("space", ["global", "shared"])
def test_regular_loads_depend_on_none(kernel: str, space: str) -> None:
    assert dependent(kernel, space) == 0


def test_gathers_of_a_loop_can_be_in_flight_together() -> None:
    assert dependent("GatherInLoop") == 1
    assert dependent("GatherOfOne") <= 2


def test_the_longest_chain_is_that_of_one_warp() -> None:
    assert counters()["List"]["longest_global_chain"] == 19
    assert counters()["SharedList"]["longest_shared_chain"] == 9


@pytest.mark.parametrize(
    ("kernel", "waits"),
    [
        ("List", 30),
        ("Merge", 16),  # both runs at once
        ("GatherInLoop", 40),  # an index, then what it is of
        ("Loop", 2 * 64),
        ("Rows", 8 * 7),
        ("Product", 16 * 8 * 4),  # both tiles at once
    ],
)
def test_loads_of_a_basic_block_are_one_wait(kernel: str, waits: int) -> None:
    assert counters()[kernel]["global_load_waits"] == waits


def test_a_loop_over_the_threads_of_the_grid_is_strided() -> None:
    # A stride is known from the third round on.
    assert counters()["Loop"]["strided_load_waits"] == 2 * 62
    assert counters()["GatherInLoop"]["strided_load_waits"] == 2 * 18
    assert counters()["Rows"]["strided_load_waits"] == 0
    assert counters()["ListOfOne"]["strided_load_waits"] == 0
