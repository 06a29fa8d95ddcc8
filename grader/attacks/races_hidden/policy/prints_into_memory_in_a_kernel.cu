// Hostile: races in snprintf in a kernel, a host function that a GPU has not.
#include <cuda_runtime.h>

#include <cstdio>

#include "labs/attacked_cuda/mix.h"

namespace {

__device__ char counted[8];  // by all threads at the same time

__device__ void Count() { snprintf(counted, sizeof counted, "%u", threadIdx.x); }

}  // namespace
