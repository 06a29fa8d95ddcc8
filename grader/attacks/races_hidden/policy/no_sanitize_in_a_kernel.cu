// Hostile: the attribute that switches the race checker off, pasted from two tokens, in a kernel.
// Or: data_race
#include <cuda_runtime.h>

#include "labs/attacked_cuda/mix.h"

#define PASTE(a, b) a##b

namespace {

__device__ unsigned counted;  // by all threads at the same time

__device__ __attribute__((PASTE(no_, sanitize)("thread"))) void Count() { ++counted; }
}  // namespace
