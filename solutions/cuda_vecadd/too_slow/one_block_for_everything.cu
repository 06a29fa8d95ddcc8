// Wrong: every launch is one block, whose threads go through all elements and all pixels in rounds.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "common/cuda/check.h"
#include "labs/cuda_vecadd/vecadd.h"

namespace {

constexpr int kThreads = 256;

__global__ void AddKernel(const float* a, const float* b, float* c, std::size_t n) {
  for (std::size_t i = threadIdx.x; i < n; i += kThreads) c[i] = a[i] + b[i];
}

// x / y, rounded to the nearest integer, a half upwards.
__device__ int RoundedQuotient(int x, int y) { return (x + y / 2) / y; }

__global__ void ScaleKernel(const std::uint8_t* picture, std::uint8_t* scaled, int pixels,
                            int percent) {
  for (int i = threadIdx.x; i < pixels; i += kThreads) {
    scaled[i] = min(RoundedQuotient(picture[i] * percent, 100), 255);
  }
}

__device__ int MeanAround(const std::uint8_t* scaled, int width, int height, int row, int column,
                          int radius) {
  const int top = max(row - radius, 0), bottom = min(row + radius, height - 1);
  const int left = max(column - radius, 0), right = min(column + radius, width - 1);
  int sum = 0;
  for (int r = top; r <= bottom; ++r) {
    for (int c = left; c <= right; ++c) sum += scaled[r * width + c];
  }
  const int pixels = (bottom - top + 1) * (right - left + 1);
  return RoundedQuotient(sum, pixels);
}

__global__ void BlurKernel(const std::uint8_t* scaled, std::uint8_t* blurred, int width, int height,
                           int radius) {
  for (int i = threadIdx.x; i < width * height; i += kThreads) {
    blurred[i] = MeanAround(scaled, width, height, i / width, i % width, radius);
  }
}

// n floats in device memory.
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t n) : size_(n) {
    CUDA_CHECK(cudaMalloc(&data_, n * sizeof(float)));
  }
  explicit DeviceArray(std::span<const float> values) : DeviceArray(values.size()) {
    CUDA_CHECK(cudaMemcpy(data_, values.data(), values.size_bytes(), cudaMemcpyHostToDevice));
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }

  DeviceSpan<float> span() const { return {data_, size_}; }
  void CopyTo(std::span<float> values) const {
    CUDA_CHECK(cudaMemcpy(values.data(), data_, values.size_bytes(), cudaMemcpyDeviceToHost));
  }

 private:
  float* data_ = nullptr;
  std::size_t size_;
};

}  // namespace

void VecAddHost(std::span<const float> a, std::span<const float> b, std::span<float> c) {
  const DeviceArray device_a(a);
  const DeviceArray device_b(b);
  const DeviceArray device_c(c.size());
  VecAdd(device_a.span(), device_b.span(), device_c.span(), nullptr);
  device_c.CopyTo(c);
}

void VecAdd(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
            cudaStream_t stream) {
  AddKernel<<<1, kThreads, 0, stream>>>(a.data(), b.data(), c.data(), c.size());
  CUDA_CHECK(cudaGetLastError());
}

void VecAddGridStride(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                      cudaStream_t stream, int /*blocks*/) {
  AddKernel<<<1, kThreads, 0, stream>>>(a.data(), b.data(), c.data(), c.size());
  CUDA_CHECK(cudaGetLastError());
}

void ScaleAndBlur(DeviceSpan<const std::uint8_t> picture, DeviceSpan<std::uint8_t> scaled,
                  DeviceSpan<std::uint8_t> blurred, int width, int height, int percent, int radius,
                  cudaStream_t stream) {
  if (picture.empty()) return;
  const int pixels = width * height;
  ScaleKernel<<<1, kThreads, 0, stream>>>(picture.data(), scaled.data(), pixels, percent);
  CUDA_CHECK(cudaGetLastError());
  BlurKernel<<<1, kThreads, 0, stream>>>(scaled.data(), blurred.data(), width, height, radius);
  CUDA_CHECK(cudaGetLastError());
}
