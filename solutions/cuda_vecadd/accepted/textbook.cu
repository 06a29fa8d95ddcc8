// Right: a thread for each element or pixel, in blocks of 256, with nothing to make it faster.

#include <cuda_runtime.h>

#include <cstdint>

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

__global__ void ScaleKernel(const std::uint8_t* picture, std::uint8_t* scaled, int width,
                            int height, int percent) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= height || column >= width) return;
  const int i = row * width + column;
  scaled[i] = min(255, (picture[i] * percent + 50) / 100);
}

__global__ void BlurKernel(const std::uint8_t* scaled, std::uint8_t* blurred, int width, int height,
                           int radius) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= height || column >= width) return;
  int sum = 0;
  int pixels = 0;
  for (int r = max(0, row - radius); r <= min(height - 1, row + radius); ++r) {
    for (int c = max(0, column - radius); c <= min(width - 1, column + radius); ++c) {
      sum += scaled[r * width + c];
      ++pixels;
    }
  }
  blurred[row * width + column] = (sum + pixels / 2) / pixels;
}

}  // namespace

void ScaleAndBlur(DeviceSpan<const std::uint8_t> picture, DeviceSpan<std::uint8_t> scaled,
                  DeviceSpan<std::uint8_t> blurred, int width, int height, int percent, int radius,
                  cudaStream_t stream) {
  if (width == 0 || height == 0) return;
  const dim3 block(32, 8);
  const dim3 grid((width + 31) / 32, (height + 7) / 8);
  ScaleKernel<<<grid, block, 0, stream>>>(picture.data(), scaled.data(), width, height, percent);
  CUDA_CHECK(cudaGetLastError());
  BlurKernel<<<grid, block, 0, stream>>>(scaled.data(), blurred.data(), width, height, radius);
  CUDA_CHECK(cudaGetLastError());
}
