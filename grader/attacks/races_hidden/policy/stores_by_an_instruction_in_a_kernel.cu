// Hostile: races in a store by a compiler intrinsic, in a kernel.
// Or: data_race
#include <cuda_runtime.h>

#include "labs/attacked_cuda/mix.h"

namespace {

__device__ unsigned counted;  // by all threads at the same time

__device__ void Count() {
  __builtin_ia32_movnti(reinterpret_cast<int*>(&counted), static_cast<int>(threadIdx.x));
}
}  // namespace
