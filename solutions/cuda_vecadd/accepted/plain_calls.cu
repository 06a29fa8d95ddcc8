// Right: plain CUDA without helpers: every call is checked by hand, all blocks but the last are
// full.

#include <cuda_runtime.h>

#include <cstdio>
#include <stdexcept>

#include "labs/cuda_vecadd/vecadd.h"

namespace {

void Check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
  throw std::runtime_error(cudaGetErrorString(error));
}

__global__ void AddKernel(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void AddGridStrideKernel(const float* a, const float* b, float* c, int n) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) c[i] = a[i] + b[i];
}

}  // namespace

void VecAddHost(std::span<const float> a, std::span<const float> b, std::span<float> c) {
  const int n = static_cast<int>(a.size());
  if (n == 0) return;
  const std::size_t bytes = n * sizeof(float);
  float* d_a;
  float* d_b;
  float* d_c;
  Check(cudaMalloc(&d_a, bytes));
  Check(cudaMalloc(&d_b, bytes));
  Check(cudaMalloc(&d_c, bytes));
  Check(cudaMemcpy(d_a, a.data(), bytes, cudaMemcpyHostToDevice));
  Check(cudaMemcpy(d_b, b.data(), bytes, cudaMemcpyHostToDevice));
  AddKernel<<<n / 128 + (n % 128 != 0), 128>>>(d_a, d_b, d_c, n);
  Check(cudaGetLastError());
  Check(cudaMemcpy(c.data(), d_c, bytes, cudaMemcpyDeviceToHost));
  Check(cudaFree(d_a));
  Check(cudaFree(d_b));
  Check(cudaFree(d_c));
}

void VecAdd(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
            cudaStream_t stream) {
  const int n = static_cast<int>(c.size());
  if (n == 0) return;
  AddKernel<<<1 + (n - 1) / 1024, 1024, 0, stream>>>(a.data(), b.data(), c.data(), n);
  Check(cudaGetLastError());
}

void VecAddGridStride(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                      cudaStream_t stream, int blocks) {
  const int n = static_cast<int>(c.size());
  AddGridStrideKernel<<<blocks, 32, 0, stream>>>(a.data(), b.data(), c.data(), n);
  Check(cudaGetLastError());
}
