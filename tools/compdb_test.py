"""Tests of writing compile_commands.json."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from tools.compdb import entries, entry, main, source_of


def action(*arguments: str) -> dict[str, Any]:
    return {"arguments": ["/usr/bin/g++", *arguments]}


def test_keeps_one_entry_per_source_in_order() -> None:
    actions = [action("-O2", "-c", "b.cc"), action("-c", "a.cc"), action("-O0", "-c", "b.cc")]
    found = entries("/w", actions)
    assert [one["file"] for one in found] == ["a.cc", "b.cc"]
    assert found[1]["arguments"] == ["/usr/bin/g++", "-O2", "-c", "b.cc"]
    assert found[1]["directory"] == "/w"


def test_leaves_out_options_that_clang_does_not_know() -> None:
    (one,) = entries("/w", [action("-fno-canonical-system-headers", "-c", "a.cc")])
    assert one["arguments"] == ["/usr/bin/g++", "-c", "a.cc"]


def test_reads_a_cuda_file_as_cuda_on_the_simulators_headers() -> None:
    folders = ["-I", ".", "-isystem", "common/cudasim/include"]
    (one,) = entries(
        "/w", [action("-E", "-x", "c++", "-DCUDASIM_CHECK", *folders, "a.cu", "-o", "a.ii")]
    )
    arguments = one["arguments"]
    assert arguments[arguments.index("-x") + 1] == "cuda"
    assert arguments[-1] == "a.cu"
    assert arguments.count("common/cudasim/include") == 1
    assert not {"-E", "-o", "-DCUDASIM_CHECK"} & set(arguments)


def test_reads_an_opencl_file_as_cpp_on_the_simulators_headers() -> None:
    (one,) = entries("/w", [action("-E", "-x", "c++", "-D__CUDACC__", "-I", ".", "a.cxx")])
    arguments = " ".join(one["arguments"])
    assert arguments.startswith("clang++ -x c++ ")
    assert "-isystem common/cudasim/include" in arguments
    assert "CUDA" not in arguments


def test_finds_a_toolkits_headers_after_the_simulators() -> None:
    folders = ["-isystem", "external/local_cuda/include", "-I", "."]
    (one,) = entries("/w", [action("-x", "cu", *folders, "-c", "a.cu", "-o", "a.o")])
    arguments = " ".join(one["arguments"])
    assert "-isystem common/cudasim/include" in arguments
    assert "-idirafter external/local_cuda/include" in arguments


CUDA_FILE = """
template <class T> __global__ void Scale(T* data, T by) {
  __shared__ T tile[32];
  tile[threadIdx.x] = data[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = tile[threadIdx.x] * by;
}
void Run(float* data) { Scale<<<dim3(1, 2), 32, 0, nullptr>>>(data, 2.0f); }
"""
CUDA_FILES = [
    "common/cudasim/tests/bugs/races.cu",
    *map(str, sorted(Path("labs").glob("*/*.cu"))),  # where there is the whole workspace
]


FIND = "third_party/compilers/find.sh"


def errors_of(file: str) -> list[str]:
    """What clang, with the arguments that clangd is given, says is wrong."""
    found = subprocess.run(["bash", FIND], capture_output=True, text=True, check=True).stdout
    folders = [line.removeprefix("clang ") for line in found.splitlines() if line[:6] == "clang "]
    if not folders:
        pytest.skip("SKIPPED: no clang++ on this machine, so no editor's view of CUDA files")
    clang = f"{folders[0]}/bin/clang++"
    one = entry(str(Path.cwd()), file, ["g++", "-I", ".", file])
    command = [clang, *one["arguments"][1:]]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    return [line for line in done.stderr.splitlines() if "error:" in line]


@pytest.mark.parametrize("file", CUDA_FILES)
def test_clang_finds_no_error_in_cuda_files(file: str) -> None:
    assert errors_of(file) == []


def test_clang_finds_no_error_in_the_simulators_headers(tmp_path: Path) -> None:
    folder = Path("common/cudasim/include")
    paths = [path for path in folder.rglob("*") if path.is_file()]
    names = sorted(
        str(path.relative_to(folder))
        for path in paths
        if path.parent.name != "cudasim" and "is not simulated" not in path.read_text()
    )
    assert {"cuda/barrier", "cuda_runtime.h", "mma.h", "thrust/sort.h"} <= set(names)
    file = tmp_path / "headers.cu"
    file.write_text("".join(f"#include <{name}>\n" for name in names))
    assert errors_of(str(file)) == []


def test_clang_knows_launches_and_marks_unknown_names(tmp_path: Path) -> None:
    right, wrong = tmp_path / "right.cu", tmp_path / "wrong.cu"
    right.write_text(CUDA_FILE)
    wrong.write_text(CUDA_FILE + "void Other() { cudaNoSuchFunction(); }\n")
    assert errors_of(str(right)) == []
    (error,) = errors_of(str(wrong))
    assert "cudaNoSuchFunction" in error


@pytest.mark.parametrize(
    "path", ["bazel-out/k8/bin/exports.cc", "external/gtest/a.cc", "/usr/a.cc"]
)
def test_leaves_out_files_that_are_not_the_workspaces_own(path: str) -> None:
    assert source_of(action("-c", path)) is None


def test_help_says_what_it_writes_and_how_to_call_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("Writes compile_commands.json for clangd")
    assert "tools/compdb.py [BAZEL-OPTION]..." in text
