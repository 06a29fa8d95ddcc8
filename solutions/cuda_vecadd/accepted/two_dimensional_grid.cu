// Right: a two-dimensional grid of two-dimensional blocks, numbered row by row in 64 bits.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "common/cuda/check.h"
#include "labs/cuda_vecadd/vecadd.h"

namespace {

// The number of this thread in the whole grid.
__device__ std::int64_t ThreadNumber() {
  const std::int64_t block = static_cast<std::int64_t>(blockIdx.y) * gridDim.x + blockIdx.x;
  return (block * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

__global__ void AddKernel(const float* a, const float* b, float* c, std::int64_t n) {
  const std::int64_t i = ThreadNumber();
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void AddGridStrideKernel(const float* a, const float* b, float* c, std::int64_t n) {
  const std::int64_t stride =
      static_cast<std::int64_t>(gridDim.x) * gridDim.y * blockDim.x * blockDim.y;
  for (std::int64_t i = ThreadNumber(); i < n; i += stride) c[i] = a[i] + b[i];
}

dim3 GridFor(std::int64_t n, dim3 block) {
  const std::int64_t threads = block.x * block.y;
  const std::int64_t blocks = (n + threads - 1) / threads;
  const auto width = static_cast<unsigned>(std::min<std::int64_t>(blocks, 100));
  return dim3(width, static_cast<unsigned>((blocks + width - 1) / width));
}

}  // namespace

void VecAddHost(std::span<const float> a, std::span<const float> b, std::span<float> c) {
  const int n = static_cast<int>(a.size());
  if (n == 0) return;
  const std::size_t bytes = n * sizeof(float);
  float* d_a;
  float* d_b;
  float* d_c;
  CUDA_CHECK(cudaMalloc(&d_a, bytes));
  CUDA_CHECK(cudaMalloc(&d_b, bytes));
  CUDA_CHECK(cudaMalloc(&d_c, bytes));
  CUDA_CHECK(cudaMemcpy(d_a, a.data(), bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_b, b.data(), bytes, cudaMemcpyHostToDevice));
  const dim3 block(32, 8);
  AddKernel<<<GridFor(n, block), block>>>(d_a, d_b, d_c, n);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(c.data(), d_c, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_a));
  CUDA_CHECK(cudaFree(d_b));
  CUDA_CHECK(cudaFree(d_c));
}

void VecAdd(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
            cudaStream_t stream) {
  const int n = static_cast<int>(c.size());
  if (n == 0) return;
  const dim3 block(64, 4);
  AddKernel<<<GridFor(n, block), block, 0, stream>>>(a.data(), b.data(), c.data(), n);
  CUDA_CHECK(cudaGetLastError());
}

void VecAddGridStride(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                      cudaStream_t stream, int blocks) {
  const int n = static_cast<int>(c.size());
  AddGridStrideKernel<<<blocks, dim3(32, 8), 0, stream>>>(a.data(), b.data(), c.data(), n);
  CUDA_CHECK(cudaGetLastError());
}
