// Algorithms of Thrust and CUB with known counts, which profile_test.py lists.
#include <thrust/reduce.h>

#include <cub/cub.cuh>

#include "common/cudasim/tests/programs.h"

PROGRAM(libraries) {
  constexpr int kCount = 1 << 16;
  unsigned* in = nullptr;
  unsigned* out = nullptr;
  void* storage = nullptr;
  std::size_t bytes = 0;
  cub::DeviceRadixSort::SortKeys(nullptr, bytes, in, out, kCount, 0, 16);
  cudaMalloc(&in, kCount * sizeof(unsigned));
  cudaMalloc(&out, kCount * sizeof(unsigned));
  cudaMalloc(&storage, bytes);
  cudaMemset(in, 0, kCount * sizeof(unsigned));
  thrust::reduce(thrust::device, in, in + kCount);
  cub::DeviceRadixSort::SortKeys(storage, bytes, in, out, kCount, 0, 16);
  cudaFree(storage);
  cudaFree(out);
  cudaFree(in);
}
