// Right: two halves in two streams, so that on a GPU copies and kernels overlap.

#include <cuda_runtime.h>

#include <cstddef>

#include "common/cuda/check.h"
#include "labs/cuda_vecadd/vecadd.h"

namespace {

// A stream with device memory for three vectors.
struct Lane {
  cudaStream_t stream = nullptr;
  float* memory = nullptr;

  explicit Lane(std::size_t n) {
    CUDA_CHECK(cudaStreamCreate(&stream));
    CUDA_CHECK(cudaMalloc(&memory, 3 * n * sizeof(float)));
  }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;
  ~Lane() {
    cudaFree(memory);
    cudaStreamDestroy(stream);
  }
};

void Copy(float* to, const float* from, std::size_t n, cudaMemcpyKind kind, cudaStream_t stream) {
  CUDA_CHECK(cudaMemcpyAsync(to, from, n * sizeof(float), kind, stream));
}

// Queues everything for one part of the vectors.
void Start(const Lane& lane, std::span<const float> a, std::span<const float> b,
           std::span<float> c) {
  const std::size_t n = c.size();
  float* const x = lane.memory;
  float* const y = x + n;
  float* const sum = y + n;
  Copy(x, a.data(), n, cudaMemcpyHostToDevice, lane.stream);
  Copy(y, b.data(), n, cudaMemcpyHostToDevice, lane.stream);
  VecAdd({x, n}, {y, n}, {sum, n}, lane.stream);
  Copy(c.data(), sum, n, cudaMemcpyDeviceToHost, lane.stream);
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
  if (c.empty()) return;
  const std::size_t half = c.size() / 2;
  const std::size_t rest = c.size() - half;
  const Lane first(rest);
  const Lane second(rest);
  Start(first, a.first(rest), b.first(rest), c.first(rest));
  if (half > 0) Start(second, a.last(half), b.last(half), c.last(half));
  CUDA_CHECK(cudaStreamSynchronize(first.stream));
  CUDA_CHECK(cudaStreamSynchronize(second.stream));
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
