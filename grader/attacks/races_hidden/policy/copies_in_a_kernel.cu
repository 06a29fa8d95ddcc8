// Hostile: races in mempcpy in a kernel, which the simulator does not see.
// Or: data_race
#include <cuda_runtime.h>

#include <cstring>

#include "labs/attacked_cuda/mix.h"

namespace {

__device__ unsigned counted;  // by all threads at the same time

__device__ void* (*volatile copy)(void*, const void*, std::size_t) = mempcpy;

__device__ void Count() {
  unsigned old;
  copy(&old, &counted, sizeof old);
  ++old;
  copy(&counted, &old, sizeof old);
}
}  // namespace
