// Right: a two-dimensional grid of two-dimensional blocks, numbered row by row in 64 bits.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "common/cuda/check.h"
#include "labs/cuda_vecadd/vecadd.h"

namespace {

// The number of this thread in the whole grid.
__device__ std::int64_t ThreadNumber() {
  const std::int64_t block = static_cast<std::int64_t>(blockIdx.y) * gridDim.x + blockIdx.x;
  return (block * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

__global__ void AddKernel(const float* a, const float* b, float* c, std::int64_t n) {
  const std::int64_t i = ThreadNumber();
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void AddGridStrideKernel(const float* a, const float* b, float* c, std::int64_t n) {
  const std::int64_t stride =
      static_cast<std::int64_t>(gridDim.x) * gridDim.y * blockDim.x * blockDim.y;
  for (std::int64_t i = ThreadNumber(); i < n; i += stride) c[i] = a[i] + b[i];
}

dim3 GridFor(std::int64_t n, dim3 block) {
  const std::int64_t threads = block.x * block.y;
  const std::int64_t blocks = (n + threads - 1) / threads;
  const auto width = static_cast<unsigned>(std::min<std::int64_t>(blocks, 100));
  return dim3(width, static_cast<unsigned>((blocks + width - 1) / width));
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
  const dim3 block(32, 8);
  AddKernel<<<GridFor(n, block), block>>>(d_a.data(), d_b.data(), d_c.data(), n);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(c.data(), d_c.data(), bytes, cudaMemcpyDeviceToHost));
}

void VecAdd(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
            cudaStream_t stream) {
  const int n = static_cast<int>(c.size());
  if (n == 0) return;
  const dim3 block(64, 4);
  AddKernel<<<GridFor(n, block), block, 0, stream>>>(a.data(), b.data(), c.data(), n);
  CUDA_CHECK(cudaGetLastError());
}

void VecAddGridStride(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                      cudaStream_t stream, int blocks) {
  const int n = static_cast<int>(c.size());
  AddGridStrideKernel<<<blocks, dim3(32, 8), 0, stream>>>(a.data(), b.data(), c.data(), n);
  CUDA_CHECK(cudaGetLastError());
}

namespace {

// A thread's number is its pixel's: rows and columns come from a division.
__global__ void ScaleKernel(const std::uint8_t* picture, std::uint8_t* scaled, std::int64_t pixels,
                            int percent) {
  const std::int64_t i = ThreadNumber();
  if (i < pixels) scaled[i] = min(255, (picture[i] * percent + 50) / 100);
}

__global__ void BlurKernel(const std::uint8_t* scaled, std::uint8_t* blurred, std::int64_t width,
                           std::int64_t height, std::int64_t radius) {
  const std::int64_t i = ThreadNumber();
  if (i >= width * height) return;
  const std::int64_t row = i / width;
  const std::int64_t column = i % width;
  std::int64_t sum = 0;
  std::int64_t pixels = 0;
  for (std::int64_t r = row - radius; r <= row + radius; ++r) {
    for (std::int64_t c = column - radius; c <= column + radius; ++c) {
      if (r < 0 || r >= height || c < 0 || c >= width) continue;
      sum += scaled[r * width + c];
      ++pixels;
    }
  }
  blurred[i] = static_cast<std::uint8_t>((sum + pixels / 2) / pixels);
}

}  // namespace

void ScaleAndBlur(DeviceSpan<const std::uint8_t> picture, DeviceSpan<std::uint8_t> scaled,
                  DeviceSpan<std::uint8_t> blurred, int width, int height, int percent, int radius,
                  cudaStream_t stream) {
  const std::int64_t pixels = static_cast<std::int64_t>(width) * height;
  if (pixels == 0) return;
  const dim3 block(64, 4);
  const dim3 grid = GridFor(pixels, block);
  ScaleKernel<<<grid, block, 0, stream>>>(picture.data(), scaled.data(), pixels, percent);
  CUDA_CHECK(cudaGetLastError());
  BlurKernel<<<grid, block, 0, stream>>>(scaled.data(), blurred.data(), width, height, radius);
  CUDA_CHECK(cudaGetLastError());
}
