// Programs with wrong barriers, launches and calls.  `control BUG` runs the bug of that name;
// control.txt holds the simulator's report.
#include <cuda_runtime.h>

#include <stdexcept>

#include "common/cudasim/tests/bugs/bugs.h"

namespace {

__global__ void BarrierInBranch(int count) {
  if (static_cast<int>(threadIdx.x) < count) {
    __syncthreads();
  } else {
    __syncthreads();
  }
}

void BarriersInBothBranches() { BarrierInBranch<<<1, 64>>>(32); }

__global__ void ReturnEarly(int count) {
  if (static_cast<int>(threadIdx.x) >= count) return;
  __syncthreads();
}

void EarlyReturn() { ReturnEarly<<<2, 64>>>(50); }

__global__ void ReturnLate(int count) {
  __syncthreads();
  for (int i = 0; i < 3; ++i) {
    if (static_cast<int>(threadIdx.x) == count + i) return;
    __syncthreads();
  }
}

void ReturnFromLoop() { ReturnLate<<<1, 64>>>(60); }

__global__ void Nothing() {}

void TooManyThreads() { Nothing<<<1, 2048>>>(); }

void NoBlocks() { Nothing<<<0, 64>>>(); }

void NoThreads() { Nothing<<<1, 0>>>(); }

void GridTooHigh() { Nothing<<<dim3(1, 70000), 64>>>(); }

void TooMuchShared() { Nothing<<<1, 64, 60000>>>(); }

__global__ void Throw() {
  NOT_ON_A_GPU(if (threadIdx.x == 3) throw std::runtime_error("no bins"));  // nvcc rejects it
}

void Exception() { Throw<<<1, 64>>>(); }

// On one line: the processor decides which of its instructions needs more stack than there is.
__device__ int Descend(int depth) { return depth == 0 ? 1 : depth / Descend(depth - 1); }

__global__ void Recurse(int* out) { *out = Descend(1 << 24); }

void StackOverflow() {
  int* out = nullptr;
  cudaMalloc(&out, sizeof(int));
  Recurse<<<1, 1>>>(out);
}

// CUDASIM_CONTINUE has an effect only if it is set when the process starts.
void SwitchChecksOff() {
  setenv("CUDASIM_CONTINUE", "1", 1);
  Nothing<<<0, 1>>>();
  std::_Exit(0);
}

void TwoFindings() {
  Nothing<<<0, 1>>>();
  Nothing<<<1, 0>>>();
}

}  // namespace

int main(int argc, char** argv) {
  return RunBug(
      argc, argv,
      {BUG(BarriersInBothBranches), BUG(EarlyReturn), BUG(ReturnFromLoop), BUG(TooManyThreads),
       BUG(NoBlocks), BUG(NoThreads), BUG(GridTooHigh), BUG(TooMuchShared), BUG(Exception),
       BUG(StackOverflow), BUG(SwitchChecksOff), BUG(TwoFindings)});
}
