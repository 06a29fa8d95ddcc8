// Programs that read uninitialised memory.
#include "common/cudasim/tests/bugs/bugs.h"

namespace uninitialised {

constexpr int kCount = 100;

__global__ void Double(const int* in, int* out) { out[threadIdx.x] = 2 * in[threadIdx.x]; }

PROGRAM(MissingCopy) { Double<<<1, kCount>>>(Allocate(kCount), Allocate(kCount)); }

PROGRAM(FreshMemoryAfterFree) {
  int* const first = Allocate(200 * kCount);
  cudaMemset(first, 0, 200 * kCount * sizeof(int));
  cudaFree(first);
  for (int i = 0; i < 1100; ++i) cudaFree(Allocate(1));  // check mode remembers 1024
  int* const second = Allocate(200 * kCount);
  Double<<<1, kCount>>>(second + 100 * kCount, second);
}

__global__ void SumShared(int* out, int count) {
  __shared__ int values[kCount];
  if (static_cast<int>(threadIdx.x) < count) values[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x != 0) return;
  int sum = 0;
  for (int i = 0; i < kCount; ++i) sum += values[i];
  *out = sum;
}

PROGRAM(SharedPartlyFilled) { SumShared<<<1, kCount>>>(Allocate(1), kCount - 1); }

__global__ void KeepInShared(int* out) {
  __shared__ int kept;
  if (blockIdx.x == 0) kept = 1;
  out[blockIdx.x] = kept;
}

PROGRAM(SharedOfAnotherBlock) { KeepInShared<<<2, 1>>>(Allocate(2)); }

}  // namespace uninitialised
