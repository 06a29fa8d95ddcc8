// Hostile: atomic only in instrumented builds, by a macro of the compiler; the builds must not
// differ.
// Or: data_race
#include <cuda_runtime.h>

#include "labs/attacked_cuda/mix.h"

namespace {

__device__ unsigned counted;  // by all threads at the same time

#ifdef __SANITIZE_THREAD__
__device__ void Count() { atomicAdd(&counted, 1); }
#else
__device__ void Count() { ++counted; }
#endif
}  // namespace
