"""Features that are not simulated are errors at compile time, with the line and a reason."""

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


NOT_SIMULATED = "{} is not simulated; see common/cudasim/README.md"
KERNEL = "__global__ void K(int* p, cudaStream_t* s) {{\n  {};\n}}\n"
HOST = "void F(void* p) {{\n  {};\n}}\n"
COOPERATIVE = "#include <cooperative_groups.h>\n" + KERNEL
THRUST = "#include <thrust/{}.h>\n"
CUB = "#include <cub/cub.cuh>\n"


@pytest.mark.parametrize(
    ("source", "line", "reason"),
    [
        # Names of the simulator's headers.
        (KERNEL.format("*p = tex2DLod<int>(*p, 0, 0, 0)"), 2, NOT_SIMULATED.format("tex2DLod")),
        (KERNEL.format("tex2Dgather<int>(*p, 0, 0)"), 2, NOT_SIMULATED.format("tex2Dgather")),
        (HOST.format("cudaBindTexture(p, p, p, 4)"), 2, NOT_SIMULATED.format("cudaBindTexture")),
        (HOST.format("cudaGraphAddMemAllocNode()"), 2, "cudaGraphAddMemAllocNode is not simulated"),
        (
            HOST.format("cudaGraphicsMapResources(1)"),
            2,
            "cudaGraphicsMapResources is not simulated",
        ),
        (HOST.format("cudaMipmappedArray_t array"), 2, "cudaMipmappedArray_t is not simulated"),
        (HOST.format("cudaGraphConditionalHandle h"), 2, "cudaGraphConditionalHandle is not sim"),
        (KERNEL.format("*p = __shfl_down(*p, 1)"), 2, "use __shfl_down_sync"),
        (KERNEL.format("*p = __any(*p)"), 2, "use __any_sync, whose first argument is the mask"),
        (COOPERATIVE.format("cooperative_groups::this_multi_grid()"), 3, "groups of several GPUs"),
        (
            COOPERATIVE.format("__shared__ cooperative_groups::block_tile_memory<64> m"),
            3,
            "tiles of more than 32 threads are not simulated",
        ),
        # What the rewriter refuses.
        (KERNEL.format("cudaDeviceSynchronize()"), 2, "cudaDeviceSynchronize is not in CUDA's dev"),
        (KERNEL.format("cudaStreamCreate(s)"), 2, "cudaStreamCreate is not in CUDA's device code"),
        (KERNEL.format('asm("add.s32 %0, %0, 1;" : "+r"(*p))'), 2, "PTX is not simulated: add.s32"),
        ("int a;\nstatic texture<float, 2> image;\n", 2, "texture references are not in CUDA"),
        ("__global__ void K();\nvoid F() { K<<<1, 1>>(); }\n", 2, "'<<<' has no matching '>>>'"),
        # Headers.
        (THRUST.format("set_operations"), 1, NOT_SIMULATED.format("thrust/set_operations.h")),
        ("#include <cub/block/block_load.cuh>\n", 1, NOT_SIMULATED.format("block_load.cuh")),
        ("#include <cuda_fp8.h>\n", 1, NOT_SIMULATED.format("floating point of 8 bits")),
        ("#include <cuda_gl_interop.h>\n", 1, NOT_SIMULATED.format("OpenGL")),
        ("#include <cuda_awbarrier.h>\n", 1, "not simulated: use cuda::barrier"),
        ("#include <nvtx3/nvtx3.hpp>\n", 1, "use the functions of nvtx3/nvToolsExt.h"),
        # Parts of libraries.
        (CUB + HOST.format("cub::DeviceHistogram::HistogramEven()"), 3, "HistogramEven is not sim"),
        (CUB + KERNEL.format("cub::BlockRadixSort<int, 32> s"), 3, "BlockRadixSort is not simulat"),
        (
            THRUST.format("functional") + HOST.format("(void)(2 * thrust::placeholders::_1)"),
            3,
            "cudasim: thrust::placeholders is not simulated: write a lambda",
        ),
        (
            THRUST.format("device_vector")
            + THRUST.format("transform")
            + "void F(thrust::device_vector<int>& d, int* h) {\n"
            "  thrust::transform(d.begin(), d.end(), h, thrust::negate<int>());\n}\n",
            4,
            "iterators of the host and of the device in one algorithm of thrust",
        ),
        # What the compiler says.
        ('const char* text = "no end;\n', 1, "missing terminating"),
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
PUBLIC = {"call_account.h", "exit_code.h", "expect_callers.h", "fail_call.h", "hardware.h"}


@pytest.mark.parametrize("header", sorted(PUBLIC))
def test_public_headers_need_no_other_header_of_the_simulator(tmp_path: Path, header: str) -> None:
    source = tmp_path / "alone.cc"
    source.write_text((INCLUDE / "cudasim" / header).read_text())
    assert run(COMPILER, "-std=c++20", "-fsyntax-only", source) == ""
