"""The instructions that the prediction of times reads from a program's code, whatever the processor
that it is for."""

from __future__ import annotations

from functools import cache

import pytest

from common.cudasim.predict.instructions import GRID_EXTENTS, blocks_of, instructions
from common.cudasim.tests.simulated import FOLDER, PROFILED, profile_of


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
