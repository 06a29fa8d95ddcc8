// Wrong: loops on the host, and a kernel in a function that nobody calls.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/cuda/check.h"
#include "labs/cuda_vecadd/vecadd.h"

namespace {

void AddOnTheHost(const float* a, const float* b, float* c, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

// To the host, added there, and back to the device.
void AddByCopies(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c) {
  const std::size_t n = c.size();
  std::vector<float> x(n);
  std::vector<float> y(n);
  CUDA_CHECK(cudaMemcpy(x.data(), a.data(), a.size_bytes(), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(y.data(), b.data(), b.size_bytes(), cudaMemcpyDeviceToHost));
  AddOnTheHost(x.data(), y.data(), x.data(), n);
  CUDA_CHECK(cudaMemcpy(c.data(), x.data(), c.size_bytes(), cudaMemcpyHostToDevice));
}

}  // namespace

void VecAddHost(std::span<const float> a, std::span<const float> b, std::span<float> c) {
  AddOnTheHost(a.data(), b.data(), c.data(), c.size());
}

void VecAdd(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
            cudaStream_t) {
  AddByCopies(a, b, c);
}

void VecAddGridStride(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                      cudaStream_t, int) {
  AddByCopies(a, b, c);
}

namespace {

void ScaleOnTheHost(std::uint8_t* pixels, std::size_t n, int percent) {
  for (std::size_t i = 0; i < n; ++i) pixels[i] = std::min(255, (pixels[i] * percent + 50) / 100);
}

void BlurOnTheHost(const std::uint8_t* scaled, std::uint8_t* blurred, int width, int height,
                   int radius) {
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      int sum = 0;
      int pixels = 0;
      for (int r = std::max(0, row - radius); r <= std::min(height - 1, row + radius); ++r) {
        for (int c = std::max(0, column - radius); c <= std::min(width - 1, column + radius); ++c) {
          sum += scaled[r * width + c];
          ++pixels;
        }
      }
      blurred[row * width + column] = (sum + pixels / 2) / pixels;
    }
  }
}

}  // namespace

void ScaleAndBlur(DeviceSpan<const std::uint8_t> picture, DeviceSpan<std::uint8_t> scaled,
                  DeviceSpan<std::uint8_t> blurred, int width, int height, int percent, int radius,
                  cudaStream_t) {
  const std::size_t n = picture.size();
  if (n == 0) return;
  std::vector<std::uint8_t> pixels(n);
  std::vector<std::uint8_t> out(n);
  CUDA_CHECK(cudaMemcpy(pixels.data(), picture.data(), n, cudaMemcpyDeviceToHost));
  ScaleOnTheHost(pixels.data(), n, percent);
  BlurOnTheHost(pixels.data(), out.data(), width, height, radius);
  CUDA_CHECK(cudaMemcpy(scaled.data(), pixels.data(), n, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(blurred.data(), out.data(), n, cudaMemcpyHostToDevice));
}

__global__ void DecoyKernel() {}

void LaunchDecoy() { DecoyKernel<<<1, 32>>>(); }
