// Wrong: the picture is copied to the host, scaled and blurred there, and copied back: no kernel,
// so nothing is counted and nothing earned for it.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <vector>

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

// Device memory for n numbers, freed however the function ends.
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t n) { CUDA_CHECK(cudaMalloc(&data_, n * sizeof(float))); }
  DeviceArray(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }
  float* data() const { return data_; }

 private:
  float* data_ = nullptr;
};

}  // namespace

void VecAddHost(std::span<const float> a, std::span<const float> b, std::span<float> c) {
  const int n = static_cast<int>(a.size());
  if (n == 0) return;
  const std::size_t bytes = n * sizeof(float);
  const DeviceArray d_a(n);
  const DeviceArray d_b(n);
  const DeviceArray d_c(n);
  CUDA_CHECK(cudaMemcpy(d_a.data(), a.data(), bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_b.data(), b.data(), bytes, cudaMemcpyHostToDevice));
  AddKernel<<<(n + 255) / 256, 256>>>(d_a.data(), d_b.data(), d_c.data(), n);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(c.data(), d_c.data(), bytes, cudaMemcpyDeviceToHost));
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
