// Right: one kernel with a grid-stride loop serves the three parts that add; those of the picture
// stride in two dimensions.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "common/cuda/check.h"
#include "labs/cuda_vecadd/vecadd.h"

namespace {

constexpr int kThreads = 512;
constexpr int kMaxBlocks = 1024;

__global__ void AddKernel(const float* a, const float* b, float* c, std::size_t n) {
  const std::size_t stride = gridDim.x * blockDim.x;
  std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n) {
    c[i] = a[i] + b[i];
    i += stride;
  }
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
  VecAdd({d_a.data(), a.size()}, {d_b.data(), b.size()}, {d_c.data(), c.size()}, nullptr);
  CUDA_CHECK(cudaMemcpy(c.data(), d_c.data(), bytes, cudaMemcpyDeviceToHost));
}

void VecAdd(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
            cudaStream_t stream) {
  const int needed = static_cast<int>((c.size() + kThreads - 1) / kThreads);
  VecAddGridStride(a, b, c, stream, std::clamp(needed, 1, kMaxBlocks));
}

void VecAddGridStride(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                      cudaStream_t stream, int blocks) {
  AddKernel<<<blocks, kThreads, 0, stream>>>(a.data(), b.data(), c.data(), c.size());
  CUDA_CHECK(cudaGetLastError());
}

namespace {

// Grids that do not cover the picture: each thread strides over rows and columns.
__global__ void ScaleKernel(const std::uint8_t* picture, std::uint8_t* scaled, int width,
                            int height, int percent) {
  for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < height;
       row += gridDim.y * blockDim.y) {
    for (int column = blockIdx.x * blockDim.x + threadIdx.x; column < width;
         column += gridDim.x * blockDim.x) {
      const int value = (picture[row * width + column] * percent + 50) / 100;
      scaled[row * width + column] = value > 255 ? 255 : value;
    }
  }
}

__device__ std::uint8_t MeanAround(const std::uint8_t* scaled, int width, int height, int row,
                                   int column, int radius) {
  const int top = max(0, row - radius), bottom = min(height, row + radius + 1);
  const int left = max(0, column - radius), right = min(width, column + radius + 1);
  int sum = 0;
  for (int r = top; r < bottom; ++r) {
    for (int c = left; c < right; ++c) sum += scaled[r * width + c];
  }
  const int pixels = (bottom - top) * (right - left);
  return static_cast<std::uint8_t>((sum + pixels / 2) / pixels);
}

__global__ void BlurKernel(const std::uint8_t* scaled, std::uint8_t* blurred, int width, int height,
                           int radius) {
  for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < height;
       row += gridDim.y * blockDim.y) {
    for (int column = blockIdx.x * blockDim.x + threadIdx.x; column < width;
         column += gridDim.x * blockDim.x) {
      blurred[row * width + column] = MeanAround(scaled, width, height, row, column, radius);
    }
  }
}

}  // namespace

void ScaleAndBlur(DeviceSpan<const std::uint8_t> picture, DeviceSpan<std::uint8_t> scaled,
                  DeviceSpan<std::uint8_t> blurred, int width, int height, int percent, int radius,
                  cudaStream_t stream) {
  const dim3 block(64, 4);
  const dim3 grid(4, 64);
  ScaleKernel<<<grid, block, 0, stream>>>(picture.data(), scaled.data(), width, height, percent);
  CUDA_CHECK(cudaGetLastError());
  BlurKernel<<<grid, block, 0, stream>>>(scaled.data(), blurred.data(), width, height, radius);
  CUDA_CHECK(cudaGetLastError());
}
