#pragma once

// Loops on the device that prepare the problems of benchmarks and check their results. For .cu
// files.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "common/cuda/check.h"
#include "common/cuda/device_array.h"

namespace lab {

// Any 32 bits for each i: the mixing function of SplitMix64 (Steele, Lea and Flood, "Fast
// splittable pseudorandom number generators", OOPSLA 2014).
__host__ __device__ inline std::uint32_t AnyWord(std::uint64_t i) {
  std::uint64_t bits = (i + 1) * 0x9e3779b97f4a7c15;
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
  return static_cast<std::uint32_t>(bits >> 32);
}

template <typename F>
__global__ void ForEachKernel(std::size_t n, F f) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) f(i);
}

// Calls f(i) on the device for all i below n.
template <typename F>
void ForEach(std::size_t n, F f) {
  if (n == 0) return;
  ForEachKernel<<<static_cast<unsigned>((n + 255) / 256), 256>>>(n, f);
  CUDA_CHECK(cudaGetLastError());
}

template <typename F>
struct CountUnless {
  F is_right;
  unsigned* wrong;
  __device__ void operator()(std::size_t i) const {
    if (!is_right(i)) atomicAdd(wrong, 1u);
  }
};

// Whether is_right(i) for all i below n.
template <typename F>
bool AllOf(std::size_t n, F is_right) {
  const DeviceArray<unsigned> wrong(1);
  wrong.Fill(0);
  ForEach(n, CountUnless<F>{is_right, wrong.data()});
  return wrong.First() == 0;
}

// For AllOf: whether a[i] == b[i].
template <typename T>
struct IsSame {
  const T* a;
  const T* b;
  __device__ bool operator()(std::size_t i) const { return a[i] == b[i]; }
};

}  // namespace lab
