"""Structs in profile mode: an H100's counts of the kernels in profile/structs.cu.

Measured with ncu 2025.3.1, nvcc 13.0, `-Xcicc -O1 -Xptxas -O1`, on an NVIDIA H100 80GB HBM3.
"""

from __future__ import annotations

import pytest

from common.cudasim.tests.simulated import counters_of

GLOBAL = (
    "global_load_requests",
    "global_store_requests",
    "global_load_sectors",
    "global_store_sectors",
)
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


def counters() -> dict[str, dict[str, float]]:
    return counters_of("structs")


@pytest.mark.parametrize("name", COPIES)
def test_counts_a_struct_that_is_copied_as_a_gpu_does(name: str) -> None:
    counted = counters()[name + "Copy"]
    assert tuple(counted[key] for key in GLOBAL + SHARED) == COPIES[name]


@pytest.mark.parametrize("name", CALLS)
def test_counts_a_struct_that_a_call_returns_or_takes_as_a_gpu_does(name: str) -> None:
    counted = counters()[name + "Call"]
    assert tuple(counted[key] for key in GLOBAL) == CALLS[name]
