"""Kernels of our own in the form of GPUVerify's tests, through the harness and check mode."""

from __future__ import annotations

from pathlib import Path

import pytest

from common.cudasim.fidelity.labelled import gpuverify, suites
from common.cudasim.fidelity.labelled.execute import Runner
from common.cudasim.fidelity.labelled.model import Label, Outcome, Program

HEADER = "//pass\n//--blockDim=64 --gridDim=2\n"

# Arguments of every kind: an array, a number with a condition, a function, pointers in a class.
EVERYTHING = """
typedef int (*Function)(int);
struct Pair { struct { int* first; int* second; } pointers; };
class Hidden { double* p; public: __device__ double Read(int i) { return p[i]; } };
struct Number { int n; };
struct Derived : Number {};
__device__ int Twice(int i) { return 2 * i; }
__global__ void Everything(const int* in, volatile float* out, int n, Function f, Pair pair,
                           Hidden hidden, Derived number, bool flag, void* bytes) {
  __requires(n >= 40);
  __requires(n < 50);
  __requires(f == Twice | f == 0);
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  __assert(n >= 40 & n < 50);
  __assert(pair.pointers.first != pair.pointers.second);
  __assert(__implies(__enabled(), in[i] >= 0 && in[i] < 100));
  for (int k = 0; __invariant(k >= 0), k < 3; k++) pair.pointers.first[i] = number.n;
  out[i] = (*f)(in[i]) + hidden.Read(i) + pair.pointers.second[i] + flag;
}
"""


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("everything", EVERYTHING, "clean"),
        ("racy", "__global__ void K(int* p) { p[threadIdx.x] = blockIdx.x; }\n", "data_race"),
        ("zeros", "__global__ void K(int* p, int n) { p[n * threadIdx.x] = 0; }\n", "data_race"),
        ("wrong", "__global__ void K(int n) { __assert(n == 0); }\n", "assertion"),
        ("ghost", "__global__ void K(int* p) { __assert(__no_read(p)); }\n", "clean"),
        ("function", "typedef void (*F)();\n__global__ void K(F f) { f(); }\n", "null_pointer"),
        ("open", "__device__ int G();\n__global__ void K() { G(); }\n", None),
    ],
)
def test_runs_kernels_with_arguments_of_their_types(
    tmp_path: Path, name: str, text: str, kind: str | None
) -> None:
    source = tmp_path / name / "kernel.cu"
    source.parent.mkdir()
    source.write_text(HEADER + text)
    row = Runner(suites.COMPILER, 60).run(gpuverify.program(source, tmp_path, seed=1))
    assert (row.outcome.kind if row.outcome else None) == kind, row
    assert row.why_not == ("" if kind else "calls G(), of which the suite has no definition")


def test_compiles_in_its_own_folder_when_started_by_bazel_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BUILD_WORKING_DIRECTORY", str(tmp_path))
    (tmp_path / "main.cu").write_text("no program\n")
    made = Program(
        "own", "main", Label.CLEAN, (Path("main.cu"),), files={"main.cu": "int main() {}"}
    )
    row = Runner(suites.COMPILER, 60).run(made)
    assert row.outcome == Outcome("clean")
    assert not (tmp_path / "program").exists()
