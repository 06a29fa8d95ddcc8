"""Profile mode's counters of the programs in profile/*.cu, beside an H100's where it counts them.

Which atomic operations nvcc combines for a warp was read off its code for sm_90: REDUX, or a vote
and POPC, before one lane's RED or ATOM. Structs and library functions were measured with ncu
2025.3.1, nvcc 13.0, on an NVIDIA H100 80GB HBM3; structs with `-Xcicc -O1 -Xptxas -O1`.
"""

from functools import cache

import pytest

from common.cudasim.predict.instructions import GRID_EXTENTS, blocks_of, instructions
from common.cudasim.tests.simulated import FOLDER, PROFILED, counters_of, profile_of

ATOMICS = counters_of("atomics")
DEPENDENT_LOADS = counters_of("dependent_loads")
LIBRARY_FUNCTIONS = counters_of("library_functions")
STRUCTS = counters_of("structs")


@pytest.mark.parametrize(
    ("kernel", "warps"),
    [("Sum", 4), ("Subtract", 2), ("Places", 2), ("Max", 2), ("Or", 2), ("LongCount", 2)],
)
def test_operations_at_a_common_address_are_combined(kernel: str, warps: int) -> None:
    assert ATOMICS[kernel]["combined_atomic_lanes"] == warps * 31
    assert ATOMICS[kernel]["global_atomic_passes"] == warps
    assert ATOMICS[kernel]["hottest_atomics"] == warps


@pytest.mark.parametrize("kernel", ["LongSum", "FloatSum", "Exchange", "Increment", "Swap"])
def test_operations_that_nvcc_does_not_combine_take_a_pass_each(kernel: str) -> None:
    assert ATOMICS[kernel]["combined_atomic_lanes"] == 0
    assert ATOMICS[kernel]["global_atomic_passes"] == 64
    assert ATOMICS[kernel]["hottest_atomics"] == 64


def test_only_lanes_that_take_part_are_combined() -> None:
    assert ATOMICS["SumOfSome"]["combined_atomic_lanes"] == 2 * 4
    assert ATOMICS["SumOfSome"]["global_atomic_passes"] == 2
    assert ATOMICS["SumOfOne"]["combined_atomic_lanes"] == 0
    assert ATOMICS["SumOfOne"]["global_atomic_passes"] == 1


def test_an_address_that_once_differs_is_not_known_to_be_common() -> None:
    assert ATOMICS["Bins"]["combined_atomic_lanes"] == 0
    # The second warp has eight lanes at each of four addresses of one sector.
    assert ATOMICS["Bins"]["global_atomic_passes"] == 32 + 8
    assert ATOMICS["Bins"]["atomic_sectors"] == 1


def test_addresses_may_differ_between_blocks() -> None:
    assert ATOMICS["SumOfBlocks"]["combined_atomic_lanes"] == 4 * 2 * 10 * 31
    assert ATOMICS["SumOfBlocks"]["global_atomic_passes"] == 4 * 2 * 10
    assert ATOMICS["SumOfBlocks"]["hottest_atomics"] == 2 * 10
    assert ATOMICS["SumOfBlocks"]["atomic_sectors"] == 4


def test_what_is_read_and_written_is_one_footprint() -> None:
    # 64 keys and a sum; the sectors of each are 32 bytes. An atomic operation reads and writes.
    assert ATOMICS["Sum"]["footprint_bytes"] == 64 * 4 + 32
    assert ATOMICS["Sum"]["compulsory_read_bytes"] == 64 * 4 + 32
    assert ATOMICS["Sum"]["compulsory_write_bytes"] == 32


def test_the_longest_chain_is_that_of_one_warp_that_uses_results() -> None:
    assert ATOMICS["Chain"]["longest_atomic_chain"] == 30
    assert ATOMICS["Places"]["longest_atomic_chain"] == 1
    for unused in ("SumOfBlocks", "Max", "Or"):
        assert ATOMICS[unused]["longest_atomic_chain"] == 0


def test_shared_sums_are_combined_too() -> None:
    assert ATOMICS["SharedSum"]["shared_atomic_passes"] == 2
    assert ATOMICS["SharedSum"]["shared_atomic_wavefronts"] == 64
    assert ATOMICS["SharedSum"]["combined_atomic_lanes"] == 0


def test_shared_sums_of_floats_spin() -> None:
    spinning = ATOMICS["SharedFloatSum"]
    assert spinning["spinning_atomic_wavefronts"] == spinning["shared_atomic_wavefronts"] > 64
    assert spinning["shared_atomic_passes"] == spinning["shared_atomic_wavefronts"]
    assert ATOMICS["SharedSum"]["spinning_atomic_wavefronts"] == 0


def dependent(kernel: str, space: str = "global") -> float:
    return DEPENDENT_LOADS[kernel].get(f"dependent_{space}_loads", 0)


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
    assert DEPENDENT_LOADS["List"]["longest_global_chain"] == 19
    assert DEPENDENT_LOADS["SharedList"]["longest_shared_chain"] == 9


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
    assert DEPENDENT_LOADS[kernel]["global_load_waits"] == waits


def test_a_loop_over_the_threads_of_the_grid_is_strided() -> None:
    # A stride is known from the third round on.
    assert DEPENDENT_LOADS["Loop"]["strided_load_waits"] == 2 * 62
    assert DEPENDENT_LOADS["GatherInLoop"]["strided_load_waits"] == 2 * 18
    assert DEPENDENT_LOADS["Rows"]["strided_load_waits"] == 0
    assert DEPENDENT_LOADS["ListOfOne"]["strided_load_waits"] == 0


REQUESTS = ("global_load_requests", "global_store_requests")

MEASURED = {
    "Half": (2, 1),
    "HalfPairs": (2, 1),
    "Bfloat": (2, 1),
    "Conversions": (1, 1),
    "Integers": (2, 1),
    "TilesOf8": (1, 1),
    "TilesOf32": (1, 1),
    "ScansOf8": (1, 1),
    "MasksOf8": (1, 1),
}


@pytest.mark.parametrize("name", MEASURED)
def test_counts_no_branch_where_a_gpu_has_none(name: str) -> None:
    counted = LIBRARY_FUNCTIONS[name]
    assert (counted["branches"], counted["divergent_branches"]) == (0, 0)


def test_counts_a_store_for_each_result_that_goes_through_a_pointer() -> None:
    counted = LIBRARY_FUNCTIONS["SecondResults"]
    assert tuple(counted[key] for key in REQUESTS) == (1, 8)


@pytest.mark.parametrize("name", MEASURED)
def test_counts_the_requests_of_lanes_that_have_met_in_parts_as_a_gpu_does(name: str) -> None:
    counted = LIBRARY_FUNCTIONS[name]
    assert tuple(counted[key] for key in REQUESTS) == MEASURED[name]


SECTORS = ("global_load_sectors", "global_store_sectors")
SHARED = ("shared_load_wavefronts", "shared_store_wavefronts")

COPIES = {
    "Floats2": (2, 2, 16, 16, 2, 2),
    "Floats3": (3, 3, 36, 36, 3, 3),
    "Floats4": (4, 4, 64, 64, 4, 4),
    "Floats6": (6, 6, 144, 144, 6, 6),
    "Floats16": (16, 16, 512, 512, 64, 64),
    "Letters": (3, 3, 9, 9, 3, 3),
    "Position": (3, 3, 36, 36, 3, 3),
    "Float3": (3, 3, 36, 36, 3, 3),
    "Float4": (1, 1, 16, 16, 4, 4),
}
# For Floats16 nvcc makes two branches of the condition: 32 requests where the source has 16.
CALLS = {
    "Floats2": (2, 3, 16, 20),
    "Floats3": (3, 4, 36, 40),
    "Floats4": (4, 5, 60, 68),
    "Floats6": (6, 7, 132, 148),
    "Floats16": (16, 17, 464, 516),
    "Letters": (3, 4, 9, 13),
    "Position": (3, 4, 36, 40),
    "Float3": (3, 4, 36, 40),
    "Float4": (1, 2, 15, 20),
}


@pytest.mark.parametrize("name", COPIES)
def test_counts_a_struct_that_is_copied_as_a_gpu_does(name: str) -> None:
    counted = STRUCTS[name + "Copy"]
    assert tuple(counted[key] for key in REQUESTS + SECTORS + SHARED) == COPIES[name]


@pytest.mark.parametrize("name", CALLS)
def test_counts_a_struct_that_a_call_returns_or_takes_as_a_gpu_does(name: str) -> None:
    counted = STRUCTS[name + "Call"]
    assert tuple(counted[key] for key in REQUESTS + SECTORS) == CALLS[name]


@cache
def counts(program: str) -> dict[str, dict[str, int]]:
    """The instructions of each kernel of a program in profile mode."""
    kernels = profile_of(program)["kernels"]
    blocks = blocks_of(FOLDER / PROFILED, (o for k in kernels for o, _ in k["basic_blocks"]))
    return {kernel["kernel"]: instructions(kernel, blocks) for kernel in kernels}


def test_counts_the_arithmetic_of_a_product_of_matrices() -> None:
    # 64 x 64 elements, 64 products each, by warps.
    product = counts("dependent_loads")["Product"]
    assert product["multiplies"] == 64**3 // 32
    assert product["additions"] == 64**3 // 32
    assert product["double_multiplies"] == product["conversions"] == 0


def test_counts_divisions_by_name() -> None:
    loop = counts("time_counters")["DivergentSharedLoop"]
    assert loop["divide_u32"] > 0


@pytest.mark.parametrize("kernel", ["GridStride", "BlockStride"])
def test_knows_which_kernels_read_the_size_of_the_grid(kernel: str) -> None:
    reads = counts("time_counters")[kernel][GRID_EXTENTS]
    assert (reads > 0) == (kernel == "GridStride")
