"""Headers, kernels, conditions and arguments of GPUVerify's tests."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from common.cudasim.fidelity.labelled import gpuverify
from common.cudasim.fidelity.labelled.gpuverify import Kernel
from common.cudasim.fidelity.labelled.model import Label, Program, SuitesError

CLEAN = "//pass\n//--blockDim=64 --gridDim=2\n"
WRONG = "//xfail:NOT_ALL_VERIFIED\n//--blockDim=64 --gridDim=2\n"


def program(folder: Path, text: str) -> Program:
    source = folder / "group" / "test" / "kernel.cu"
    source.parent.mkdir(parents=True)
    source.write_text(text)
    return gpuverify.program(source, folder, seed=1)


def test_reads_the_label_sizes_and_macros_of_a_header() -> None:
    header = gpuverify.read_header("//PASS\n//--gridDim=[2,3] --blockDim=8 -DWIDTH=4 --x\n", "")
    assert header.expected == "pass"
    assert (header.block, header.grid) == ((8, 1, 1), (2, 3, 1))
    assert header.defines == ("-DWIDTH=4",)


def test_reads_a_counterexample_up_to_the_first_line_that_is_no_comment() -> None:
    text = WRONG + "//Write by thread 3\n//x = 185\n//y = -1\n\n//z = 2\n"
    assert gpuverify.read_header(text, "").counterexample == {"x": "185", "y": "-1"}


@pytest.mark.parametrize(
    "text", ["", "//pass\n", "// a comment\n//--gridDim=1\n", "//pass\nint x;\n"]
)
def test_names_a_file_without_a_header(text: str) -> None:
    with pytest.raises(SuitesError, match=r"no header of a test: some/kernel\.cu\n  next: "):
        gpuverify.read_header(text, "some/kernel.cu")


def test_a_block_has_no_more_threads_than_on_a_gpu() -> None:
    assert gpuverify.fit((64, 2, 1)) == (64, 2, 1)
    assert gpuverify.fit((2048, 1, 1)) == (1024, 1, 1)
    assert gpuverify.fit((64, 64, 64)) == (64, 16, 1)
    assert gpuverify.fit((2, 2, 256)) == (2, 2, 64)


def test_reads_each_kernels_parameters_and_its_own_conditions() -> None:
    text = """
    __device__ void help(int x) { __requires(x == 9); }
    __global__ void one(int *p, float * __restrict q, unsigned n) { __requires(n > (1)); }
    __global__ void
    two() { /* __requires(m == 1); */ __assume(true); }
    """
    one, two = gpuverify.read_kernels(text)
    assert one == Kernel("one", ("p", "q", "n"), ("n > (1)",))
    assert two == Kernel("two", (), ("true",))


def test_reads_comparisons_and_of_alternatives_the_first() -> None:
    kernel = Kernel("k", ("f", "n", "s"), ("f == a | f == b", "n >= 2", "n < 7", "s == blockDim.x"))
    assert gpuverify.bounds(kernel, (32, 1, 1)) == {
        "f": [("==", "a")],
        "n": [(">=", "2"), ("<", "7")],
        "s": [("==", "32")],
    }


@pytest.mark.parametrize(
    ("comparisons", "draw", "value"),
    [
        ([("==", "143")], 5, "143"),
        ([(">=", "2"), ("<", "7")], 5, "5"),
        ([(">=", "2"), ("<", "7")], 50, "6"),
        ([(">", "2")], 0, "3"),
        ([("!=", "0")], 0, "1"),
        ([("!=", "4")], 4, "5"),
        ([("<", "-3")], 9, "-4"),
    ],
)
def test_chooses_values_for_which_the_comparisons_hold(
    comparisons: list[tuple[str, str]], draw: int, value: str
) -> None:
    assert gpuverify.choose(comparisons, draw) == value


def test_a_counterexample_is_an_input_and_comes_before_conditions() -> None:
    kernel = Kernel("k", ("x", "y"), ("x < 1000", "y > 3"))
    header = gpuverify.read_header(WRONG + "//x = 185\n//z = 1\n", "")
    first, zeros = gpuverify.choices(kernel, header, (64, 1, 1), Random(1))  # noqa: S311
    assert (first["x"], zeros["x"]) == ("185", "185")
    assert zeros["y"] == "4"
    assert "z" not in zeros


@pytest.mark.parametrize(
    ("assertion", "expected"),
    [
        ("__assert(x == 1);", False),
        ("__assert(__implies(__enabled(), x < (2)));", False),
        ("__assert(__no_read(p));", True),
        ("// __assert(__no_read(p));", False),
        ("__assert(true); __assert(__other_int(x) != 4);", True),
    ],
)
def test_finds_assertions_about_other_threads(assertion: str, expected: bool) -> None:
    assert gpuverify.has_ghosts(assertion) == expected


def test_a_test_is_named_by_its_folder_and_launched_for_each_tuple_of_arguments(
    tmp_path: Path,
) -> None:
    made = program(tmp_path, WRONG + "__global__ void k(int *p, int n) { __requires(n == 3); }\n")
    assert (made.name, made.label, made.not_run) == ("group/test", Label.ERROR, "")
    text = made.files["main.cu"]
    assert f'#include "{tmp_path}/group/test/kernel.cu"' in text
    assert "const dim3 grid(2, 1, 1), block(64, 1, 1);" in text
    assert text.count("std::get<1>(given) = 3;") == 2
    assert text.count("labelled::Launch(k, grid, block, false, given);") == 2
    assert made.note == "n = 3"


def test_a_grid_group_needs_a_cooperative_launch(tmp_path: Path) -> None:
    made = program(tmp_path, CLEAN + "__global__ void k() { grid_group g = this_grid(); }\n")
    assert "labelled::Launch(k, grid, block, true, given);" in made.files["main.cu"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (CLEAN + "__device__ int x;\n", "it has no kernel"),
        ("//xfail:BUGLE_ERROR\n//\n__global__ void k() {}\n", "label xfail:BUGLE_ERROR is about"),
        (CLEAN + "__axiom(blockIdx.x == 1);\n__global__ void k() {}\n", "its axiom restricts it"),
        (
            CLEAN + "__global__ void k(int x) { __requires(x * x == 4); }\n",
            "no arguments meet __requires(x * x == 4)",
        ),
        (CLEAN + "__global__ void k() { __requires(y == 4); }\n", "no arguments meet"),
    ],
)
def test_says_why_a_test_cannot_run(tmp_path: Path, text: str, why: str) -> None:
    assert why in program(tmp_path, text).not_run
