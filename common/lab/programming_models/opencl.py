"""OpenCL, on the simulator of CUDA: a work item is a thread, a work group a block."""

from common.lab.programming_models.cuda import (
    OF_THE_HOST,
    SIMULATOR_MB,
    SIMULATORS_CALLS,
    UNSEEN_BY_SIMULATOR,
)
from common.lab.programming_models.model import ModelPolicy, ProgrammingModel
from common.lab.programming_models.phases import COUNTERS, RACES, TESTS

_USUAL_HEADERS = (
    *("CL/cl.h", "algorithm", "array", "assert.h", "bit", "cassert", "climits", "cmath"),
    *("concepts", "cstddef", "cstdint", "cstdio", "cstdlib", "cstring", "exception", "functional"),
    *("iterator", "limits", "limits.h", "math.h", "memory", "new", "numeric", "optional", "ranges"),
    *("span", "stddef.h", "stdexcept", "stdint.h", "stdio.h", "stdlib.h", "string", "string.h"),
    *("string_view", "tuple", "type_traits", "utility", "vector"),
)

# What the simulator has besides; the rewriter refuses it in a kernel's text.
_OF_CUDA = (
    *("cuda*", "CUDA*", "__global__", "__device__", "__shared__", "__constant__", "__managed__"),
    *("threadIdx", "blockIdx", "blockDim", "gridDim", "__sync*", "dim3", "opencl_*"),
)

OPENCL = ProgrammingModel(
    name="opencl",
    language="cxx",
    policy=ModelPolicy(
        words=_OF_CUDA,
        usual_headers=_USUAL_HEADERS,
        symbols=OF_THE_HOST,
        instrumentation=SIMULATORS_CALLS,
        unseen=UNSEEN_BY_SIMULATOR,
    ),
    phases=(TESTS, RACES, COUNTERS),
    ceilings={"host_and_empty_kernel": 0, "one_work_item": 35, "one_work_group": 60},
    runtime_mb=SIMULATOR_MB,
    schedule_variable="CUDASIM_SCHEDULE",
)
