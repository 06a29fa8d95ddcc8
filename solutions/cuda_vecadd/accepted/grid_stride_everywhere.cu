// Right: one kernel with a grid-stride loop serves all three parts.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "common/cuda/check.h"
#include "labs/cuda_vecadd/vecadd.h"

namespace {

constexpr int kThreads = 512;
constexpr int kMaxBlocks = 1024;

__global__ void AddKernel(const float* a, const float* b, float* c, std::size_t n) {
  const std::size_t stride = gridDim.x * blockDim.x;
  std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n) {
    c[i] = a[i] + b[i];
    i += stride;
  }
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
  VecAdd({d_a, a.size()}, {d_b, b.size()}, {d_c, c.size()}, nullptr);
  CUDA_CHECK(cudaMemcpy(c.data(), d_c, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_a));
  CUDA_CHECK(cudaFree(d_b));
  CUDA_CHECK(cudaFree(d_c));
}

void VecAdd(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
            cudaStream_t stream) {
  const int needed = static_cast<int>((c.size() + kThreads - 1) / kThreads);
  VecAddGridStride(a, b, c, stream, std::clamp(needed, 1, kMaxBlocks));
}

void VecAddGridStride(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                      cudaStream_t stream, int blocks) {
  AddKernel<<<blocks, kThreads, 0, stream>>>(a.data(), b.data(), c.data(), c.size());
  CUDA_CHECK(cudaGetLastError());
}
