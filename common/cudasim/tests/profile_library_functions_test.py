"""Library functions in profile mode: an H100's counts of profile/library_functions.cu.

Measured with ncu 2025.3.1, nvcc 13.0, on an NVIDIA H100 80GB HBM3.
"""

from __future__ import annotations

import pytest

from common.cudasim.tests.simulated import counters_of

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


def counters() -> dict[str, dict[str, float]]:
    return counters_of("library_functions")


@pytest.mark.parametrize("name", MEASURED)
def test_counts_no_branch_where_a_gpu_has_none(name: str) -> None:
    counted = counters()[name]
    assert (counted["branches"], counted["divergent_branches"]) == (0, 0)


def test_counts_a_store_for_each_result_that_goes_through_a_pointer() -> None:
    counted = counters()["SecondResults"]
    assert tuple(counted[key] for key in REQUESTS) == (1, 8)


@pytest.mark.parametrize("name", MEASURED)
def test_counts_the_requests_of_lanes_that_have_met_in_parts_as_a_gpu_does(name: str) -> None:
    counted = counters()[name]
    assert tuple(counted[key] for key in REQUESTS) == MEASURED[name]
