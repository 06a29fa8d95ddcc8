// Programs with livelocks and endless kernels.
#include <cstdlib>

#include "common/cudasim/tests/bugs/bugs.h"

namespace waiting {

__global__ void WaitForFlag(volatile int* flag) {
  while (*flag == 0) {
  }
}

PROGRAM(FlagNobodySets) { WaitForFlag<<<2, 64>>>(Zeros(1)); }

__global__ void TakeLock(int* lock) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
}

PROGRAM(LockNeverReleased) { TakeLock<<<4, 1>>>(Zeros(1)); }

__device__ int launches;
__device__ int arrived;

__global__ void WaitForAll(int blocks) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) atomicAdd(&launches, 1);
  atomicAdd(&arrived, 1);
  while (atomicAdd(&arrived, 0) <= blocks) {  // needs <
  }
}

PROGRAM(OneArrivalTooFew) { WaitForAll<<<3, 32>>>(3); }

__global__ void WaitForEither(volatile int* a, volatile int* b) {
  while (*a == 0 && *b == 0) {
  }
}

PROGRAM(TwoFlagsNobodySets) {
  int* flags = Zeros(2);
  WaitForEither<<<2, 32>>>(flags, flags + 1);
}

__global__ void WaitForPlainFlag(int* flag, bool somebody_sets_it) {
  if (somebody_sets_it && blockIdx.x == gridDim.x - 1) *flag = 1;
  while (*flag == 0) __threadfence();
}

PROGRAM(PlainFlagNobodySets) { WaitForPlainFlag<<<2, 1>>>(Zeros(1), false); }

PROGRAM(PlainFlagSetByALaterBlock) { WaitForPlainFlag<<<2, 1>>>(Zeros(1), true); }

__global__ void DoNothingForEver() {
  while (true) {
  }
}

PROGRAM(EndlessLoop) {
  setenv("CUDASIM_TIMEOUT_S", "1", 1);  // before the first launch
  DoNothingForEver<<<1, 1>>>();
}

}  // namespace waiting
