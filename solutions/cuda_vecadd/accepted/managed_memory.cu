// Right: managed memory, which host and device both reach; a deleter frees it.

#include <cuda_runtime.h>

#include <algorithm>
#include <memory>

#include "common/cuda/check.h"
#include "labs/cuda_vecadd/vecadd.h"

namespace {

struct Free {
  void operator()(float* memory) const { cudaFree(memory); }
};
using Managed = std::unique_ptr<float, Free>;

Managed NewManaged(std::size_t n) {
  float* memory = nullptr;
  CUDA_CHECK(cudaMallocManaged(&memory, n * sizeof(float)));
  return Managed(memory);
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
  const Managed x = NewManaged(n);
  const Managed y = NewManaged(n);
  std::copy(a.begin(), a.end(), x.get());
  std::copy(b.begin(), b.end(), y.get());
  const Managed sum = NewManaged(n);
  AddKernel<<<(n + 255) / 256, 256>>>(x.get(), y.get(), sum.get(), n);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  std::copy_n(sum.get(), n, c.begin());
}

void VecAdd(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
            cudaStream_t stream) {
  const int n = static_cast<int>(c.size());
  if (n == 0) return;
  AddKernel<<<(n + 255) / 256, 256, 0, stream>>>(a.data(), b.data(), c.data(), n);
  CUDA_CHECK(cudaGetLastError());
}

void VecAddGridStride(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                      cudaStream_t stream, int blocks) {
  const int n = static_cast<int>(c.size());
  AddGridStrideKernel<<<blocks, 256, 0, stream>>>(a.data(), b.data(), c.data(), n);
  CUDA_CHECK(cudaGetLastError());
}
