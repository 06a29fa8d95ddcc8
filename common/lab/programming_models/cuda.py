"""CUDA, on the simulator or a GPU."""

from common.lab.programming_models.model import THREAD_SANITIZER, ModelPolicy, ProgrammingModel
from common.lab.programming_models.phases import COUNTERS, GPU_TIMING, RACES, TESTS

# Compilers for GPUs refuse these in a kernel. The simulator does not, and would not see what they
# write.
OF_THE_HOST = (
    *("strcpy", "strncpy", "strcat", "strncat", "strto*", "s*printf", "vs*printf", "sscanf"),
    *("rand_r", "qsort", "bzero", "posix_memalign", "lgamma*_r", "*time_r"),
    *("sched_getaffinity", "sem_*", "pthread_join", "pthread_*attr_*", "pthread_key_create"),
    # The work is the device's, not that of the host's threads.
    *("GOMP_*", "omp_*", "pthread_create", "_ZNSt6thread*"),
)

# The counters need a call in every basic block to see where lanes of a warp diverge and reconverge.
SIMULATORS_CALLS = {
    "races": THREAD_SANITIZER,
    "counters": (*THREAD_SANITIZER, "__sanitizer_cov_trace_pc"),
}
UNSEEN_BY_SIMULATOR = {"races": ("__*_chk", "__*divmodti4"), "counters": ("__*_chk",)}
# The stacks of all simulated threads; fiber.cc reserves them.
SIMULATOR_MB = 16 << 10

_USUAL_HEADERS = (
    *("algorithm", "array", "assert.h", "bit", "cassert", "cfloat", "climits", "cmath", "concepts"),
    *("cooperative_groups.h", "cooperative_groups/reduce.h", "cooperative_groups/scan.h"),
    *("cstddef", "cstdint", "cstdio", "cstdlib", "cstring", "cuda.h", "cuda/atomic"),
    *("cuda_runtime.h", "cuda_runtime_api.h", "device_launch_parameters.h", "exception", "float.h"),
    *("functional", "iomanip", "ios", "iostream", "iterator", "limits", "limits.h", "math.h"),
    *("math_constants.h", "memory", "new", "numeric", "optional", "ranges", "span", "sstream"),
    *("stddef.h", "stdexcept", "stdint.h", "stdio.h", "stdlib.h", "string", "string.h"),
    *("string_view", "tuple", "type_traits", "utility", "vector"),
)

CUDA = ProgrammingModel(
    name="cuda",
    language="cu",
    policy=ModelPolicy(
        words=("_mm_*", "_mm256_*", "_mm512_*"),  # not part of CUDA
        usual_headers=_USUAL_HEADERS,
        headers=("thrust/*", "cub/*"),
        symbols=OF_THE_HOST,
        instrumentation={**SIMULATORS_CALLS, "gpu": ("__cuda*",)},
        unseen=UNSEEN_BY_SIMULATOR,
    ),
    phases=(TESTS, RACES, COUNTERS, GPU_TIMING),
    ceilings={
        "host_and_empty_kernel": 0,
        "one_thread": 35,
        "one_block": 60,
        "first_algorithm": 75,
    },
    runtime_mb=SIMULATOR_MB,
    schedule_variable="CUDASIM_SCHEDULE",
)
