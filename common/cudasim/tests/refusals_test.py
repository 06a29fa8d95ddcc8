"""Features that are not simulated are errors at compile time, with the line and a reason."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

INCLUDE = Path("common/cudasim/include")
REWRITE = Path("common/cudasim/rewrite")
COMPILER = "/usr/bin/g++"


def run(*command: str | Path) -> str:
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=60)
    return done.stderr if done.returncode != 0 else ""


def compile_cuda(folder: Path, source: str) -> str:
    """The errors of the first step that fails; empty if the file compiles."""
    lab, text, rewritten = (folder / name for name in ("lab.cu", "lab.ii", "lab.sim.ii"))
    lab.write_text(source)
    # In its own folder, so that messages name lab.cu without a path.
    preprocess = [COMPILER, "-E", "-x", "c++", "-std=c++20", "-D__CUDACC__"]
    preprocess += ["-include", "cuda_runtime.h", "-isystem", str(INCLUDE.resolve()), "lab.cu"]
    done = subprocess.run(preprocess, cwd=folder, capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        return done.stderr
    text.write_text(done.stdout)
    compiler: list[str | Path] = [
        COMPILER,
        "-x",
        "c++-cpp-output",
        "-std=c++20",
        "-O2",
        "-c",
        rewritten,
    ]
    return run(REWRITE, text, rewritten) or run(*compiler, "-o", folder / "lab.o")


def test_compiles_a_plain_kernel(tmp_path: Path) -> None:
    assert compile_cuda(tmp_path, "__global__ void K() {}\nvoid F() { K<<<1, 1>>>(); }\n") == ""


PARTS_OF_CUDA_RUNTIME = sorted(
    path.name
    for path in INCLUDE.glob("*.h")
    if path.read_text().startswith("// Part of cuda_runtime.h here.")
)


def test_takes_a_texture_of_the_programs_own(tmp_path: Path) -> None:
    own = "template <class T> struct texture {};\ntexture<float> image;\n"
    assert compile_cuda(tmp_path, own + "__global__ void K() {}\n") == ""


def test_takes_headers_whose_contents_cuda_runtime_has(tmp_path: Path) -> None:
    assert {"surface_functions.h", "sm_30_intrinsics.h"} <= set(PARTS_OF_CUDA_RUNTIME)
    includes = "".join(f"#include <{name}>\n" for name in PARTS_OF_CUDA_RUNTIME)
    assert compile_cuda(tmp_path, includes + "__global__ void K() {}\n") == ""


@pytest.mark.parametrize(
    ("source", "line", "reason"),
    [
        (
            "__global__ void K(int* p) {\n  *p = tex2DLod<int>(*p, 0, 0, 0);\n}\n",
            2,
            "cudasim: tex2DLod is not simulated; see common/cudasim/README.md",
        ),
        (
            "void F(void* p) {\n  cudaBindTexture(p, p, p, 4);\n}\n",
            2,
            "cudasim: cudaBindTexture is not simulated; see common/cudasim/README.md",
        ),
        (
            "__global__ void K(int* p) {\n  *p = __shfl_down(*p, 1);\n}\n",
            2,
            "__shfl_down is not in CUDA for this GPU; use __shfl_down_sync",
        ),
        (
            "__global__ void K(int* p) {\n  *p = __ballot(*p) + __any(*p);\n}\n",
            2,
            "__any is not in CUDA for this GPU; use __any_sync, whose first argument is the mask",
        ),
        (
            "void F() {\n  cudaGraphConditionalHandle handle;\n  (void)handle;\n}\n",
            2,
            "cudaGraphConditionalHandle is not simulated",
        ),
        (
            "void F() {\n  cudaStreamBeginCaptureToGraph(nullptr, nullptr);\n}\n",
            2,
            "cudasim: cudaStreamBeginCaptureToGraph is not simulated; see common/cudasim/README.md",
        ),
        (
            "cudaIpcMemHandle_t handle;\n",
            1,
            "cudasim: cudaIpcMemHandle_t is not simulated; see common/cudasim/README.md",
        ),
        (
            "#include <thrust/set_operations.h>\n",
            1,
            "cudasim: thrust/set_operations.h is not simulated; see common/cudasim/README.md",
        ),
        (
            "#define CUDASIM_OWN_KERNELS\n#include <thrust/sort.h>\n",
            2,
            "cudasim: thrust is not allowed in this lab: its kernels are to be your own",
        ),
        (
            "#define CUDASIM_OWN_KERNELS\n#include <cub/cub.cuh>\n",
            2,
            "cudasim: cub is not allowed in this lab: its kernels are to be your own",
        ),
        (
            "#include <cub/block/block_load.cuh>\n",
            1,
            "cudasim: cub/block/block_load.cuh is not simulated; see common/cudasim/README.md",
        ),
        (
            "#include <thrust/scan.h>\nvoid F(int* p) {\n"
            "  thrust::inclusive_scan_by_key(p, p, p, p);\n}\n",
            3,
            "cudasim: thrust::inclusive_scan_by_key is not simulated; see common/cudasim/README.md",
        ),
        (
            "#include <thrust/functional.h>\nusing namespace thrust::placeholders;\n"
            "auto twice = 2 * _1;\n",
            3,
            "cudasim: thrust::placeholders is not simulated: write a lambda",
        ),
        (
            "#include <thrust/device_vector.h>\n#include <thrust/transform.h>\n"
            "void F(thrust::device_vector<int>& d, int* h) {\n"
            "  thrust::transform(d.begin(), d.end(), h, thrust::negate<int>());\n}\n",
            4,
            "iterators of the host and of the device in one algorithm of thrust",
        ),
        (
            "#include <cub/cub.cuh>\nvoid F(size_t n) {\n"
            "  cub::DeviceHistogram::HistogramEven(nullptr, n);\n}\n",
            3,
            "cudasim: cub::DeviceHistogram::HistogramEven is not simulated",
        ),
        (
            "#include <cub/cub.cuh>\n__global__ void K() {\n"
            "  cub::BlockRadixSort<int, 32> sort;\n}\n",
            3,
            "cudasim: cub::BlockRadixSort is not simulated; see common/cudasim/README.md",
        ),
        (
            "#include <nvtx3/nvtx3.hpp>\n",
            1,
            "use the functions of nvtx3/nvToolsExt.h",
        ),
        (
            "__global__ void K(cudaTextureObject_t t, float* p) {\n"
            "  *p = tex2Dgather<float>(t, 0, 0, 0);\n}\n",
            2,
            "cudasim: tex2Dgather is not simulated; see common/cudasim/README.md",
        ),
        (
            "void F() {\n  cudaGraphAddMemAllocNode();\n}\n",
            2,
            "cudaGraphAddMemAllocNode is not simulated",
        ),
        (
            "void F() {\n  cudaGraphicsMapResources(1, nullptr, nullptr);\n}\n",
            2,
            "cudaGraphicsMapResources is not simulated",
        ),
        ("struct S {\n  cudaMipmappedArray_t array;\n};\n", 2, "cudaMipmappedArray_t is not sim"),
        (
            "int F() {\n  return cudaLaunchAttributePreferredClusterDimension;\n}\n",
            2,
            "cudaLaunchAttributePreferredClusterDimension is not simulated",
        ),
        (
            "__global__ void K() {\n  cudaDeviceSynchronize();\n}\n",
            2,
            "cudaDeviceSynchronize is not in CUDA's device code",
        ),
        (
            "int a;\nstatic texture<float, 2, cudaReadModeElementType> image;\n",
            2,
            "texture references are not in CUDA for this GPU",
        ),
        (
            "#include <cooperative_groups.h>\n__global__ void K() {\n"
            "  __shared__ cooperative_groups::block_tile_memory<64> memory;\n}\n",
            3,
            "tiles of more than 32 threads are not simulated",
        ),
        (
            "#include <cuda_fp8.h>\n",
            1,
            "cudasim: floating point of 8 bits is not simulated; see common/cudasim/README.md",
        ),
        (
            "#include <cuda_awbarrier.h>\n",
            1,
            "nvcuda::experimental::awbarrier is not simulated: use cuda::barrier",
        ),
        (
            "#include <cuda_gl_interop.h>\n",
            1,
            "cudasim: OpenGL is not simulated; see common/cudasim/README.md",
        ),
        (
            "#include <cooperative_groups.h>\n__global__ void K() {\n"
            "  cooperative_groups::this_multi_grid();\n}\n",
            3,
            "groups of several GPUs are not simulated",
        ),
        (
            '__global__ void K(int* p) {\n  asm("add.s32 %0, %0, 1;" : "+r"(*p));\n}\n',
            2,
            "inline PTX is not simulated: add.s32 %0, %0, 1",
        ),
        (
            "void F() {\n  cudaMallocMipmappedArray(nullptr, nullptr);\n}\n",
            2,
            "cudasim: cudaMallocMipmappedArray is not simulated; see common/cudasim/README.md",
        ),
        (
            "__global__ void K(cudaStream_t* s) {\n  cudaStreamCreate(s);\n}\n",
            2,
            "cudaStreamCreate is not in CUDA's device code",
        ),
        ("__global__ void K();\nvoid F() { K<<<1, 1>>(); }\n", 2, "'<<<' has no matching '>>>'"),
        ('const char* text = "no end;\n', 1, "missing terminating"),
        ("This is a letter, not a program.\n", 1, "error"),
        ("void F() { cuInit(0); }\n", 1, "cuInit"),
    ],
)
def test_refuses_with_a_line_and_a_reason(
    tmp_path: Path, source: str, line: int, reason: str
) -> None:
    errors = compile_cuda(tmp_path, source)
    assert reason in errors
    assert f"lab.cu:{line}:" in errors or f"from lab.cu:{line}" in errors


def test_a_program_may_use_names_that_begin_like_those_of_graphs(tmp_path: Path) -> None:
    source = "#include <cuda_runtime.h>\nvoid cudaGraphsManual() {}\ncudaGraph_t cudaGraph;\n"
    assert compile_cuda(tmp_path, source) == ""


def test_leaves_a_binary_file_to_the_compiler(tmp_path: Path) -> None:
    binary = tmp_path / "in.ii"
    binary.write_bytes(bytes(range(256)) * 40)
    assert run(REWRITE, binary, tmp_path / "out.ii") == ""
    assert run(COMPILER, "-x", "c++-cpp-output", "-c", tmp_path / "out.ii") != ""


def test_rewriter_names_files_that_it_cannot_read_or_write(tmp_path: Path) -> None:
    assert "error: cannot read: /no/such" in run(REWRITE, "/no/such", tmp_path / "out")
    empty = tmp_path / "empty"
    empty.touch()
    assert "error: cannot write: /no/such" in run(REWRITE, empty, "/no/such/out")
    assert "error: wrong number of arguments" in run(REWRITE, empty)


# For graders, which have no CUDA header, and for the runtime itself.
PUBLIC = {"call_account.h", "expect_callers.h", "exit_code.h", "fail_call.h", "hardware.h"}
HEADERS = sorted({p.name for p in (INCLUDE / "cudasim").glob("*.h")})


@pytest.mark.parametrize("header", sorted(PUBLIC))
def test_public_headers_need_no_other_header_of_the_simulator(tmp_path: Path, header: str) -> None:
    source = tmp_path / "alone.cc"
    source.write_text((INCLUDE / "cudasim" / header).read_text())
    assert run(COMPILER, "-std=c++20", "-fsyntax-only", source) == ""


@pytest.mark.parametrize("header", [name for name in HEADERS if name not in PUBLIC])
def test_private_headers_refuse_direct_inclusion(tmp_path: Path, header: str) -> None:
    source = tmp_path / "direct.cc"
    source.write_text(f"#include <cudasim/{header}>\n")
    errors = run(COMPILER, "-std=c++20", "-fsyntax-only", "-isystem", INCLUDE, source)
    assert "this header is private to the simulator: include <cuda_" in errors
