// The reference: one buffer class for the host code, one kernel for each of the other parts.

#include <cuda_runtime.h>

#include <cstddef>

#include "common/cuda/check.h"
#include "labs/cuda_vecadd/vecadd.h"

namespace {

constexpr unsigned kThreads = 256;

unsigned BlocksFor(std::size_t n) { return static_cast<unsigned>((n + kThreads - 1) / kThreads); }

__global__ void Add(const float* a, const float* b, float* c, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void AddGridStride(const float* a, const float* b, float* c, std::size_t n) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    c[i] = a[i] + b[i];
  }
}

// n floats on the device, freed at the end of their scope, also when an exception passes.
class Buffer {
 public:
  explicit Buffer(std::size_t n) { CUDA_CHECK(cudaMalloc(&data_, n * sizeof(float))); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { cudaFree(data_); }

  float* data() const { return data_; }

 private:
  float* data_ = nullptr;
};

}  // namespace

void VecAddHost(std::span<const float> a, std::span<const float> b, std::span<float> c) {
  if (c.empty()) return;
  const Buffer device_a(a.size());
  const Buffer device_b(b.size());
  const Buffer device_c(c.size());
  CUDA_CHECK(cudaMemcpy(device_a.data(), a.data(), a.size_bytes(), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(device_b.data(), b.data(), b.size_bytes(), cudaMemcpyHostToDevice));
  Add<<<BlocksFor(c.size()), kThreads>>>(device_a.data(), device_b.data(), device_c.data(),
                                         c.size());
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(c.data(), device_c.data(), c.size_bytes(), cudaMemcpyDeviceToHost));
}

void VecAdd(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
            cudaStream_t stream) {
  if (c.empty()) return;
  Add<<<BlocksFor(c.size()), kThreads, 0, stream>>>(a.data(), b.data(), c.data(), c.size());
  CUDA_CHECK(cudaGetLastError());
}

void VecAddGridStride(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                      cudaStream_t stream, int blocks) {
  AddGridStride<<<blocks, kThreads, 0, stream>>>(a.data(), b.data(), c.data(), c.size());
  CUDA_CHECK(cudaGetLastError());
}
