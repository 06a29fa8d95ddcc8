// Programs with wrong barriers, launches and calls.
#include <stdexcept>

#include "common/cudasim/tests/bugs/bugs.h"

namespace control {

__global__ void BarrierInBranch(int count) {
  if (static_cast<int>(threadIdx.x) < count) {
    __syncthreads();
  } else {
    __syncthreads();
  }
}

PROGRAM(BarriersInBothBranches) { BarrierInBranch<<<1, 64>>>(32); }

__global__ void ReturnEarly(int count) {
  if (static_cast<int>(threadIdx.x) >= count) return;
  __syncthreads();
}

PROGRAM(EarlyReturn) { ReturnEarly<<<2, 64>>>(50); }

__global__ void Nothing() {}

PROGRAM(TooManyThreads) { Nothing<<<1, 2048>>>(); }

PROGRAM(NoBlocks) { Nothing<<<0, 64>>>(); }

PROGRAM(NoThreads) { Nothing<<<1, 0>>>(); }

PROGRAM(GridTooHigh) { Nothing<<<dim3(1, 70000), 64>>>(); }

PROGRAM(TooMuchShared) { Nothing<<<1, 64, 60000>>>(); }

__global__ void Throw() {
  NOT_ON_A_GPU(if (threadIdx.x == 3) throw std::runtime_error("no bins"));  // nvcc rejects it
}

PROGRAM(Exception) { Throw<<<1, 64>>>(); }

// On one line: the processor decides which of its instructions needs more stack than there is.
__device__ int Descend(int depth) { return depth == 0 ? 1 : depth / Descend(depth - 1); }

__global__ void Recurse(int* out) { *out = Descend(1 << 24); }

PROGRAM(StackOverflow) { Recurse<<<1, 1>>>(Allocate(1)); }

// CUDASIM_CONTINUE has an effect only if it is set when the process starts.
PROGRAM(SwitchChecksOff) {
  setenv("CUDASIM_CONTINUE", "1", 1);
  Nothing<<<0, 1>>>();
  std::_Exit(0);
}

PROGRAM(TwoFindings) {
  Nothing<<<0, 1>>>();
  Nothing<<<1, 0>>>();
}

}  // namespace control
