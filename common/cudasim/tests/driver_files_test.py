"""cudasim-cc: programs of several files, and headers of an installed CUDA toolkit."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def output_of(program: Path) -> str:
    done = subprocess.run([program], capture_output=True, text=True, timeout=60, check=True)
    return done.stdout


def test_links_files_of_every_kind(cc: Run, tmp_path: Path) -> None:
    (tmp_path / "kernels.cuh").write_text(
        "#pragma once\n__device__ int Twice(int x) { return 2 * x; }\n"
        "__constant__ int offset = 1;\n"
    )
    (tmp_path / "api.h").write_text('extern "C" int Base();\nint* Make();\nint Read(int*);\n')
    (tmp_path / "a.cu").write_text(
        '#include "kernels.cuh"\n#include "api.h"\n'
        "__global__ void Fill(int* p) { *p = Twice(20) + offset; }\n"
        "int* Make() { int* p; cudaMalloc(&p, 4); Fill<<<1, 1>>>(p); return p; }\n"
    )
    (tmp_path / "b.cu").write_text(
        '#include "kernels.cuh"\n#include "api.h"\n'
        "__global__ void Change(int* p) { *p = Twice(*p) + offset; }\n"
        "int Read(int* p) { int v; Change<<<1, 1>>>(p);\n"
        "  cudaMemcpy(&v, p, 4, cudaMemcpyDeviceToHost); cudaFree(p); return v; }\n"
    )
    (tmp_path / "base.c").write_text("int Base(void) { return 1000; }\n")
    (tmp_path / "main.cpp").write_text(
        '#include <cstdio>\n#include <cuda_runtime.h>\n#include "api.h"\n'
        '__host__ int main() { printf("%d\\n", Base() + Read(Make())); }\n'.replace("__host__ ", "")
    )
    assert cc("-c", "b.cu", "base.c").returncode == 0
    done = cc("-o", "all", "a.cu", "main.cpp", "b.o", "base.o", "-I.", "-lcudart", "-lm")
    assert (done.returncode, done.stderr) == (0, "")
    assert output_of(tmp_path / "all") == "1083\n"


TEMPLATES = """
#pragma once
template <class T> __device__ T Twist(T v) {
  __shared__ T cell[8];
  cell[threadIdx.x] = v;
  __syncthreads();
  return cell[7 - threadIdx.x];
}
template <class T, int N> __global__ void Reverse(T* p) {
  __shared__ T tile[N];
  tile[threadIdx.x] = Twist(p[threadIdx.x]);
  __syncthreads();
  p[threadIdx.x] = tile[N - 1 - threadIdx.x] + 1;
}
template <class T> void Reduce(int threads, T* p);
"""


def test_links_template_kernels_with_shared_arrays_of_several_files(
    cc: Run, tmp_path: Path
) -> None:
    (tmp_path / "templates.cuh").write_text(TEMPLATES)
    (tmp_path / "reduce.cu").write_text(
        '#include "templates.cuh"\n'
        "template <class T, int N> __global__ void Sum(T* p) {\n"
        "  __shared__ T part[N];\n"
        "  __shared__ T racy[1];\n"
        "  part[threadIdx.x] = p[threadIdx.x];\n"
        "  if (N == 32) racy[0] = 1;\n"
        "  p[threadIdx.x] = part[threadIdx.x] * 2;\n"
        "}\n"
        "template <class T> void Reduce(int threads, T* p) {\n"
        "  Reverse<T, 8><<<1, 8>>>(p);\n"
        "  if (threads == 8) Sum<T, 8><<<1, 8>>>(p); else Sum<T, 32><<<1, 32>>>(p);\n"
        "}\n"
        "template void Reduce<int>(int, int*);\n"
        "template void Reduce<float>(int, float*);\n"
        "template void Reduce<double>(int, double*);\n"
    )
    (tmp_path / "main.cu").write_text(
        "__global__ void First(int* p) { __shared__ int own[4]; own[0] = 1; p[0] = own[0]; }\n"
        '#include <cstdio>\n#include "templates.cuh"\n'
        "int main() {\n  int* p; cudaMallocManaged(&p, 128);\n"
        "  for (int i = 0; i < 32; ++i) p[i] = i;\n"
        "  First<<<1, 1>>>(p); Reverse<int, 8><<<1, 8>>>(p); Reduce(THREADS, p);\n"
        '  cudaDeviceSynchronize(); printf("%d\\n", p[7]); cudaFree(p);\n}\n'
    )
    for mode in ([], ["-profile"], ["-rdc=true", "-O0"]):
        assert cc(*mode, "-DTHREADS=8", "-o", "program", "reduce.cu", "main.cu").returncode == 0
        assert output_of(tmp_path / "program") == "18\n", mode
    assert cc("-check", "-DTHREADS=32", "-o", "program", "reduce.cu", "main.cu").returncode == 0
    done = subprocess.run([tmp_path / "program"], capture_output=True, text=True, check=False)
    assert "data_race: kernel Sum, reduce.cu:6: write of shared memory races" in done.stderr


def test_finds_device_variables_of_other_files_with_rdc(cc: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("__device__ int shared_value = 5;\n")
    (tmp_path / "b.cu").write_text(
        "#include <cstdio>\nextern __device__ int shared_value;\n"
        '__global__ void Print() { printf("%d\\n", shared_value); }\n'
        "int main() { Print<<<1, 1>>>(); cudaDeviceSynchronize(); }\n"
    )
    assert cc("-rdc=true", "-o", "program", "a.cu", "b.cu").returncode == 0
    assert output_of(tmp_path / "program") == "5\n"


def toolkit(folder: Path) -> Path:
    """A folder that looks like an installed toolkit's, with a header that the simulator lacks."""
    include = folder / "toolkit" / "include"
    (include / "crt").mkdir(parents=True)
    for name in ("crt/host_defines.h", "cuda_runtime.h", "cuda_runtime_api.h"):
        (include / name).write_text("#error of the toolkit\n")
    (include / "cuda_none.h").write_text("// NVIDIA Corporation\nstruct float2 {};\n")
    return include


def test_refuses_headers_of_an_installed_toolkit_by_name(cc: Run, tmp_path: Path) -> None:
    include = toolkit(tmp_path)
    (tmp_path / "mine.cu").write_text("int main() {}\n")
    (tmp_path / "none.cu").write_text(f'#include <cstdio>\n\n#include "{include}/cuda_none.h"\n')
    (tmp_path / "none.cpp").write_text(f'#include "{include}/cuda_runtime.h"\n')
    assert cc("-I", str(include), "mine.cu").returncode == 0
    done = cc("none.cu")
    assert done.returncode == 1
    assert "none.cu:3: error: the CUDA toolkit's header cuda_none.h is not simulated" in done.stderr
    assert f"next: leave out {include}/cuda_runtime.h" in cc("none.cpp").stderr


def test_looks_for_no_headers_in_a_toolkit_of_the_environment(
    cc: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    include = toolkit(tmp_path)
    (tmp_path / "mine.cu").write_text("#include <cuda_runtime.h>\nint main() {}\n")
    (tmp_path / "none.cu").write_text("#include <cuda_none.h>\n")
    monkeypatch.setenv("CPATH", f"{tmp_path}:{include}")
    done = cc("mine.cu")
    assert (done.returncode, done.stderr.count("\n")) == (0, 1)
    assert f"note: ignored, headers of a CUDA toolkit: CPATH={tmp_path}:{include}" in done.stderr
    assert "fatal error: cuda_none.h: No such file" in cc("none.cu").stderr
