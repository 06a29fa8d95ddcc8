"""solutions(): all targets of the instructor's side of every lab.

cpu_bench(), cuda_bench(): programs that time a lab's solutions on a CPU and on a GPU.

kit(): the folder from which one lab's submissions are graded.

HIDDEN_TEST_FLAGS: how hidden tests are compiled.
"""

load("//grader/judging/kit/private:bench.bzl", _cpu_bench = "cpu_bench", _cuda_bench = "cuda_bench")
load("//grader/judging/kit/private:kit.bzl", _kit = "kit")
load("//grader/judging/kit/private:solutions.bzl", _HIDDEN_TEST_FLAGS = "HIDDEN_TEST_FLAGS", _solutions = "solutions")

cpu_bench = _cpu_bench
cuda_bench = _cuda_bench
kit = _kit
solutions = _solutions
HIDDEN_TEST_FLAGS = _HIDDEN_TEST_FLAGS
