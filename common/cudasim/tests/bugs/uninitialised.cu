// Programs that read uninitialised memory.
#include <cuda_runtime.h>

#include "common/cudasim/tests/programs.h"

namespace uninitialised {

constexpr int kCount = 100;

int* Allocate(int count) {
  int* pointer = nullptr;
  cudaMalloc(&pointer, count * sizeof(int));
  return pointer;
}

__global__ void Double(const int* in, int* out) { out[threadIdx.x] = 2 * in[threadIdx.x]; }

PROGRAM(MissingCopy) {
  int* const in = Allocate(kCount);
  int* const out = Allocate(kCount);
  Double<<<1, kCount>>>(in, out);
}

PROGRAM(CopyTooShort) {
  int values[kCount] = {};
  int* const in = Allocate(kCount);
  int* const out = Allocate(kCount);
  cudaMemcpy(in, values, kCount, cudaMemcpyHostToDevice);  // needs * sizeof(int)
  Double<<<1, kCount>>>(in, out);
}

__global__ void Count(int* bins) { atomicAdd(&bins[threadIdx.x % 4], 1); }

PROGRAM(BinsNotCleared) { Count<<<1, kCount>>>(Allocate(4)); }

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
