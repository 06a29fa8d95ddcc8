// Lazy: each thread gets a stretch of elements or a row, as threads of a CPU would.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "common/cuda/check.h"
#include "labs/cuda_vecadd/vecadd.h"

namespace {

constexpr std::size_t kThreads = 256;
constexpr std::size_t kStretch = 32;  // elements of a thread, where it is free to choose

unsigned BlocksFor(std::size_t threads) {
  return static_cast<unsigned>((threads + kThreads - 1) / kThreads);
}

__global__ void AddKernel(const float* a, const float* b, float* c, std::size_t n,
                          std::size_t stretch) {
  const std::size_t first = (blockIdx.x * kThreads + threadIdx.x) * stretch;
  for (std::size_t i = first; i < min(first + stretch, n); ++i) c[i] = a[i] + b[i];
}

__device__ int RoundedQuotient(int x, int y) { return (x + y / 2) / y; }

// A row for each thread.
__global__ void ScaleKernel(const std::uint8_t* picture, std::uint8_t* scaled, int width,
                            int height, int percent) {
  const int row = blockIdx.x * kThreads + threadIdx.x;
  if (row >= height) return;
  for (int i = row * width; i < (row + 1) * width; ++i) {
    scaled[i] = min(RoundedQuotient(picture[i] * percent, 100), 255);
  }
}

// A row for each thread.
__global__ void BlurKernel(const std::uint8_t* scaled, std::uint8_t* blurred, int width, int height,
                           int radius) {
  const int row = blockIdx.x * kThreads + threadIdx.x;
  if (row >= height) return;
  const int top = max(row - radius, 0), bottom = min(row + radius, height - 1);
  for (int column = 0; column < width; ++column) {
    const int left = max(column - radius, 0), right = min(column + radius, width - 1);
    int sum = 0;
    for (int r = top; r <= bottom; ++r) {
      for (int c = left; c <= right; ++c) sum += scaled[r * width + c];
    }
    const int pixels = (bottom - top + 1) * (right - left + 1);
    blurred[row * width + column] = RoundedQuotient(sum, pixels);
  }
}

// Floats in device memory.
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t n) { CUDA_CHECK(cudaMalloc(&data_, n * sizeof(float))); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }
  float* data() const { return data_; }

 private:
  float* data_ = nullptr;
};

}  // namespace

void VecAddHost(std::span<const float> a, std::span<const float> b, std::span<float> c) {
  const std::size_t n = c.size();
  const DeviceArray device_a(n);
  const DeviceArray device_b(n);
  const DeviceArray device_c(n);
  CUDA_CHECK(cudaMemcpy(device_a.data(), a.data(), a.size_bytes(), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(device_b.data(), b.data(), b.size_bytes(), cudaMemcpyHostToDevice));
  VecAdd({device_a.data(), n}, {device_b.data(), n}, {device_c.data(), n}, nullptr);
  CUDA_CHECK(cudaMemcpy(c.data(), device_c.data(), c.size_bytes(), cudaMemcpyDeviceToHost));
}

void VecAdd(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
            cudaStream_t stream) {
  if (c.empty()) return;
  const unsigned blocks = BlocksFor((c.size() + kStretch - 1) / kStretch);
  AddKernel<<<blocks, kThreads, 0, stream>>>(a.data(), b.data(), c.data(), c.size(), kStretch);
  CUDA_CHECK(cudaGetLastError());
}

void VecAddGridStride(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                      cudaStream_t stream, int blocks) {
  const std::size_t stretch = c.size() / (blocks * kThreads) + 1;
  AddKernel<<<blocks, kThreads, 0, stream>>>(a.data(), b.data(), c.data(), c.size(), stretch);
  CUDA_CHECK(cudaGetLastError());
}

void ScaleAndBlur(DeviceSpan<const std::uint8_t> picture, DeviceSpan<std::uint8_t> scaled,
                  DeviceSpan<std::uint8_t> blurred, int width, int height, int percent, int radius,
                  cudaStream_t stream) {
  if (picture.empty()) return;
  const unsigned blocks = BlocksFor(height);
  ScaleKernel<<<blocks, kThreads, 0, stream>>>(picture.data(), scaled.data(), width, height,
                                               percent);
  CUDA_CHECK(cudaGetLastError());
  BlurKernel<<<blocks, kThreads, 0, stream>>>(scaled.data(), blurred.data(), width, height, radius);
  CUDA_CHECK(cudaGetLastError());
}
