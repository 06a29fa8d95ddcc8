"""cudasim-cc, from a copy of its folder outside Bazel: options, errors."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]

ADD = """
#include <cstdio>
__global__ void Add(int* out, int value) { out[threadIdx.x] += value; }
int main() {
  int* data = nullptr;
  cudaMallocManaged(&data, 128);
  for (int i = 0; i < 32; ++i) data[i] = i;
  Add<<<1, 32>>>(data, AMOUNT);
  cudaDeviceSynchronize();
  printf("%d\\n", data[31]);
  cudaFree(data);
}
"""
LIBRARIES = """
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <cub/cub.cuh>
#include <cstdio>
#include <cstdlib>

struct Square {
  __host__ __device__ int operator()(int x) const { return x * x; }
};

int main() {
  thrust::host_vector<int> numbers(1000);
  for (int i = 0; i < 1000; ++i) numbers[i] = (i * 7919) % 1000 - 500;
  thrust::device_vector<int> values = numbers;
  thrust::transform(values.begin(), values.end(), values.begin(), Square());
  thrust::sort(values.begin(), values.end());
  thrust::device_vector<int> sum(1);
  const int* in = thrust::raw_pointer_cast(values.data());
  size_t bytes = 0;
  cub::DeviceReduce::Sum(nullptr, bytes, in, sum.data().get(), 1000);
  thrust::device_vector<char> storage(bytes);
  cub::DeviceReduce::Sum(storage.data().get(), bytes, in, sum.data().get(), 1000);
  std::printf("%d %d %d\\n", (int)values[0], (int)values[999], (int)sum[0]);
}
"""
RACE = "__global__ void Race(int* p) { *p = threadIdx.x; }\n" + ADD.replace(
    "Add<<<1, 32>>>(data, AMOUNT)", "Race<<<1, 32>>>(data)"
)


def output_of(program: Path) -> str:
    done = subprocess.run([program], capture_output=True, text=True, timeout=60, check=True)
    return done.stdout


@pytest.mark.parametrize("mode", [[], ["-check"], ["-profile"]])
def test_builds_a_program_in_every_mode(cc: Run, tmp_path: Path, mode: list[str]) -> None:
    (tmp_path / "add.cu").write_text(ADD)
    done = cc(*mode, "-DAMOUNT=7", "-o", "add", "add.cu")
    assert (done.returncode, done.stderr) == (0, "")
    assert output_of(tmp_path / "add") == "38\n"


def test_the_profile_counts_the_algorithms_of_libraries(cc: Run, tmp_path: Path) -> None:
    (tmp_path / "sort.cu").write_text(LIBRARIES)
    built = cc("-profile", "-O3", "-arch=sm_90", "--extended-lambda", "-o", "sort", "sort.cu")
    assert (built.returncode, built.stderr) == (0, "")
    done = subprocess.run(
        ["./sort"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "0 250000 83333500\n"
    assert "\nthrust::transform  " in done.stderr
    assert "thrust::transform, sort.cu:18, grid (4, 1, 1)" in done.stderr
    assert "\nthrust::sort  " in done.stderr
    counted = "thrust::sort, sort.cu:19: counted as the parallel algorithm for which it stands\n"
    assert counted in done.stderr


def test_a_finding_names_the_users_line(cc: Run, tmp_path: Path) -> None:
    (tmp_path / "race.cu").write_text(RACE)
    assert cc("-check", "-DAMOUNT=1", "race.cu").returncode == 0
    done = subprocess.run([tmp_path / "a.out"], capture_output=True, text=True, check=False)
    assert done.returncode == 67
    assert "data_race: kernel Race, race.cu:1" in done.stderr


def test_takes_nvccs_options_and_tells_what_it_ignores(cc: Run, tmp_path: Path) -> None:
    (tmp_path / "add.cu").write_text(ADD)
    known = "-O3 -g -G -lineinfo -std=c++17 -arch=sm_80 -Xptxas -v -Xcompiler -Wall,-fopenmp -m64"
    known += " -gencode arch=compute_80,code=sm_80 --ptxas-options=-v --use_fast_math -ccbin g++"
    known += " --expt-extended-lambda --expt-relaxed-constexpr -maxrregcount 64 -w -D AMOUNT=1"
    known += " -forward-unknown-to-host-compiler -Werror cross-execution-space-call"
    done = cc(
        *known.split(), "-Xcompiler", "-Wall -fopenmp", "--no-such-thing", "add.cu", "-o", "add"
    )
    assert done.returncode == 0
    assert done.stderr == "note: ignored, no option of the simulator: --no-such-thing\n"
    assert output_of(tmp_path / "add") == "32\n"


def test_werror_makes_warnings_errors(cc: Run, tmp_path: Path) -> None:
    (tmp_path / "warned.cu").write_text("int F() {}\nint main() {}\n")
    assert cc("warned.cu").returncode == 0
    done = cc("-Werror", "all-warnings", "warned.cu")
    assert done.returncode == 1
    assert "warned.cu:1: error: no return statement" in done.stderr


MISTAKES = """
#define CHECK(call) do { if ((call) != cudaSuccess) return 1; } while (false)
template <class T> __global__ void Set(T* p) {
  __shared__ T tile[4];
  tile[5] = *p;
  *p = tile[5];
}
int main() {
  int* p; cudaMalloc(&p, 4);
  Set<<<1, 1>>>(p); float x = "x";
  double ms; cudaEvent_t a, b;
  CHECK(cudaEventElapsedTime(&ms, a, b));
}
"""


def test_messages_name_lines_of_the_source_and_nothing_of_the_simulator(
    cc: Run, tmp_path: Path
) -> None:
    (tmp_path / "lab.cu").write_text(MISTAKES)
    done = cc("-check", "-Wall", "lab.cu")
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "lab.cu: In function 'int main()':",
        "lab.cu:10: error: cannot convert 'const char*' to 'float' in initialization",
        "lab.cu:12: error: cannot convert 'double*' to 'float*'",
        "lab.cu:12: note:   initializing argument 1 of 'cudaError_t "
        "cudaEventElapsedTime(float*, cudaEvent_t, cudaEvent_t)'",
        "lab.cu:10: warning: unused variable 'x' [-Wunused-variable]",
    ]
    (tmp_path / "lab.cu").write_text(MISTAKES.replace('"x"', "1").replace("double", "float"))
    done = cc("-Wall", "-O2", "lab.cu")
    assert done.returncode == 0
    assert "cudasim" not in done.stderr
    assert "lambda" not in done.stderr


def test_says_that_two_arrays_share_an_address(cc: Run, tmp_path: Path) -> None:
    kernel = "__global__ void K() {\nextern __shared__ int a[];\nextern __shared__ int b[];\n"
    (tmp_path / "lab.cu").write_text(kernel + "a[0] = b[0]; }\nint main() { K<<<1, 1, 8>>>(); }")
    done = cc("lab.cu")
    assert done.returncode == 0
    assert done.stderr.startswith("lab.cu:3: note: 'b' begins at the same address as 'a' (line 2)")


def test_reads_what_editors_write(cc: Run, tmp_path: Path) -> None:
    text = ADD.replace("AMOUNT", "\\\n7") + "// " + "x" * 1_000_000
    (tmp_path / "add.cu").write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    done = cc("-check", "-o", "add", "add.cu")
    assert (done.returncode, done.stderr) == (0, "")
    assert output_of(tmp_path / "add") == "38\n"


def test_programs_may_define_what_cpp17_leaves_free(cc: Run, tmp_path: Path) -> None:
    (tmp_path / "lerp.cu").write_text(
        "#include <math.h>\n#include <cstdio>\n"
        "__device__ float lerp(float a, float b, float t) { return a + t * (b - a); }\n"
        "__device__ void Count(volatile int* count) { *count += 1; }\n"
        '__global__ void Print() { printf("%g\\n", lerp(1, 3, 0.5f) + fabs(-sqrtf(4))); }\n'
        "int main() { Print<<<1, 1>>>(); cudaDeviceSynchronize(); }\n"
    )
    done = cc("-std=c++17", "-o", "lerp", "lerp.cu")
    assert (done.returncode, done.stderr) == (0, "")
    assert output_of(tmp_path / "lerp") == "4\n"


def test_preprocesses_writes_dependencies_and_takes_any_file_as_cuda(
    cc: Run, tmp_path: Path
) -> None:
    (tmp_path / "mine.h").write_text("#define AMOUNT 2\n")
    (tmp_path / "add.txt").write_text('#include "mine.h"\n' + ADD)
    assert "Add<<<1, 32>>>(data, 2)" in cc("-E", "-x", "cu", "add.txt").stdout
    assert cc("-c", "-MD", "-x", "cu", "add.txt", "-o", "add.o").returncode == 0
    assert "mine.h" in (tmp_path / "add.d").read_text()
    assert cc("add.o", "-o", "add").returncode == 0
    assert output_of(tmp_path / "add") == "33\n"


@pytest.mark.parametrize(
    ("arguments", "error", "next_step"),
    [
        ([], "error: no input files", "FILE.cu"),
        (["none.cu"], "error: no such file: none.cu", "check the path"),
        (["."], "error: is a folder: .", "name the files in it"),
        (["notes.txt"], "error: unknown kind of file: notes.txt", "-x cu"),
        (["-o"], "error: no value after -o", "-o VALUE"),
        (["-ptx", "add.cu"], "error: not simulated: -ptx", "leave it out"),
        (["-lcublas", "add.cu"], "error: not simulated: -lcublas", "runtime API"),
        (["-c", "-o", "x.o", "add.cu", "add.cu"], "error: -o x.o with 2 sources", "one by one"),
        (["-o", "add.cu", "add.cu"], "would overwrite an input: add.cu", "another -o"),
        (["open.cu"], "open.cu:1: error: '<<<' has no matching '>>>'", "kernel<<<grid, block>>>"),
        (["empty.cu"], "undefined reference to `main'", "define main()"),
        (["thrust.cu"], "cudasim: thrust/merge.h is not simulated", "README.md"),
        (["host.cpp"], "cudasim: thrust in a host file is not simulated", "compile it as CUDA"),
        (["comment.cu"], "unterminated comment", "comment.cu:1"),
        (["driver.cu"], "cuInit", "the driver API (cu...) is not simulated"),
        (["binary.cu"], "error: no text: binary.cu: byte 0x01 at offset 0", "end in .o, .a or .so"),
        (["utf16.cu"], "error: text in UTF-16: utf16.cu", "iconv -f UTF-16"),
        (["-o", "none/add", "add.cu"], "error: no such folder: none", "mkdir -p none"),
        (["-c", "-o", ".", "add.cu"], "error: the output is a folder: .", "write -o FOLDER/NAME"),
        (["-o", "/proc/x", "main.cu"], "cannot open output file /proc/x", "choose another -o"),
        (["-c", "-o", "/proc/x.o", "main.cu"], "can't create /proc/x.o", "choose another -o"),
    ],
)
def test_errors_say_what_and_the_next_step(
    cc: Run, tmp_path: Path, arguments: list[str], error: str, next_step: str
) -> None:
    (tmp_path / "add.cu").write_text(ADD)
    (tmp_path / "notes.txt").write_text("no program\n")
    (tmp_path / "open.cu").write_text("void F() { k<<<1, 2(); }\n")
    (tmp_path / "empty.cu").write_text("")
    (tmp_path / "thrust.cu").write_text("#include <thrust/merge.h>\n")
    (tmp_path / "host.cpp").write_text("#include <thrust/host_vector.h>\n")
    (tmp_path / "comment.cu").write_text("/* int main() {}\n")
    (tmp_path / "driver.cu").write_text("int main() { cuInit(0); }\n")
    (tmp_path / "binary.cu").write_bytes(bytes(range(1, 256)) * 20)
    (tmp_path / "main.cu").write_text("int main() {}\n")
    (tmp_path / "utf16.cu").write_text(ADD, encoding="utf-16")
    done = cc(*arguments)
    assert done.returncode in (1, 2)
    assert error in done.stderr
    assert next_step in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(shutil.which("clang++") is None, reason="no clang++ here")
def test_says_that_clang_does_not_compile_for_the_simulator(
    cc: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "add.cu").write_text(ADD)
    monkeypatch.setenv("CXX", "clang++")
    done = cc("-DAMOUNT=1", "add.cu")
    assert done.returncode == 1
    assert "clang does not compile for the simulator: use g++ (cudasim-cc: CXX=g++)" in done.stderr
    assert "is no kernel" not in done.stderr


def test_help_names_the_modes(cc: Run) -> None:
    text = cc("--help").stdout
    assert text.startswith("cudasim-cc [-check|-profile]")
    assert cc("--version").stdout.startswith("cudasim-cc: ")
