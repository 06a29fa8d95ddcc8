// Right: one template kernel for any operation; consecutive threads take consecutive elements.

#include <cuda_runtime.h>

#include "common/cuda/check.h"
#include "labs/cuda_vecadd/vecadd.h"

namespace {

struct Plus {
  __device__ float operator()(float x, float y) const { return x + y; }
};

// c[i] = operation(a[i], b[i]), in grid-stride order.
template <typename T, typename Operation>
__global__ void MapKernel(const T* __restrict__ a, const T* __restrict__ b, T* __restrict__ c,
                          unsigned n, Operation operation) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    c[i] = operation(a[i], b[i]);
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
  MapKernel<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n, Plus());
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
  MapKernel<float><<<(n + 63) / 64, 64, 0, stream>>>(a.data(), b.data(), c.data(), n, Plus{});
  CUDA_CHECK(cudaGetLastError());
}

void VecAddGridStride(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                      cudaStream_t stream, int blocks) {
  const int n = static_cast<int>(c.size());
  MapKernel<<<blocks, 192, 0, stream>>>(a.data(), b.data(), c.data(), n, Plus());
  CUDA_CHECK(cudaGetLastError());
}
