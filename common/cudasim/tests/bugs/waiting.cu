// Programs that wait for memory that nobody changes.  `waiting BUG` runs the bug of that name;
// waiting.txt holds what check mode then says.
#include <cuda_runtime.h>

#include "common/cudasim/tests/bugs/bugs.h"

namespace {

int* Zeros(int count) {
  int* pointer = nullptr;
  cudaMalloc(&pointer, count * sizeof(int));
  cudaMemset(pointer, 0, count * sizeof(int));
  return pointer;
}

__global__ void WaitForFlag(volatile int* flag) {
  while (*flag == 0) {
  }
}

void FlagNobodySets() { WaitForFlag<<<2, 64>>>(Zeros(1)); }

__global__ void TakeLock(int* lock) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
}

void LockNeverReleased() { TakeLock<<<4, 1>>>(Zeros(1)); }

__global__ void WaitForEachOther(int* flags) {
  const int me = blockIdx.x;
  while (atomicAdd(&flags[1 - me], 0) == 0) __nanosleep(100);
  atomicExch(&flags[me], 1);
}

void TwoBlocksWaitForEachOther() { WaitForEachOther<<<2, 1>>>(Zeros(2)); }

__device__ int launches;
__device__ int arrived;

__global__ void WaitForAll(int blocks) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) atomicAdd(&launches, 1);
  atomicAdd(&arrived, 1);
  while (atomicAdd(&arrived, 0) <= blocks) {  // needs <
  }
}

void OneArrivalTooFew() { WaitForAll<<<3, 32>>>(3); }

}  // namespace

int main(int argc, char** argv) {
  return RunBug(argc, argv,
                {BUG(FlagNobodySets), BUG(LockNeverReleased), BUG(TwoBlocksWaitForEachOther),
                 BUG(OneArrivalTooFew)});
}
