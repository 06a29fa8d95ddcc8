// Right: a stream of its own, asynchronous allocation and copies, one wait at the end.

#include <cuda_runtime.h>

#include "common/cuda/check.h"
#include "labs/cuda_vecadd/vecadd.h"

namespace {

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
  cudaStream_t stream;
  CUDA_CHECK(cudaStreamCreate(&stream));
  float* memory;  // all three vectors, one after the other
  CUDA_CHECK(cudaMallocAsync(&memory, 3 * bytes, stream));
  float* const d_a = memory;
  float* const d_b = d_a + n;
  float* const d_c = d_b + n;
  CUDA_CHECK(cudaMemcpyAsync(d_a, a.data(), bytes, cudaMemcpyHostToDevice, stream));
  CUDA_CHECK(cudaMemcpyAsync(d_b, b.data(), bytes, cudaMemcpyHostToDevice, stream));
  AddKernel<<<(n + 255) / 256, 256, 0, stream>>>(d_a, d_b, d_c, n);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpyAsync(c.data(), d_c, bytes, cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaFreeAsync(memory, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  CUDA_CHECK(cudaStreamDestroy(stream));
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
