// Lazy: every kernel is launched with one block, whose threads go on in a loop.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "common/cuda/check.h"
#include "labs/cuda_vecadd/vecadd.h"

namespace {

constexpr int kThreads = 1024;

__global__ void AddKernel(const float* a, const float* b, float* c, std::size_t n) {
  for (std::size_t i = threadIdx.x; i < n; i += blockDim.x) c[i] = a[i] + b[i];
}

__device__ int RoundedQuotient(int x, int y) { return (x + y / 2) / y; }

__device__ void ScaleAll(const std::uint8_t* picture, std::uint8_t* scaled, int pixels,
                         int percent) {
  for (int i = threadIdx.x; i < pixels; i += blockDim.x) {
    scaled[i] = min(RoundedQuotient(picture[i] * percent, 100), 255);
  }
}

__device__ void BlurAll(const std::uint8_t* scaled, std::uint8_t* blurred, int width, int height,
                        int radius) {
  for (int i = threadIdx.x; i < width * height; i += blockDim.x) {
    const int row = i / width;
    const int column = i % width;
    const int top = max(row - radius, 0), bottom = min(row + radius, height - 1);
    const int left = max(column - radius, 0), right = min(column + radius, width - 1);
    int sum = 0;
    for (int r = top; r <= bottom; ++r) {
      for (int c = left; c <= right; ++c) sum += scaled[r * width + c];
    }
    blurred[i] = RoundedQuotient(sum, (bottom - top + 1) * (right - left + 1));
  }
}

__global__ void PictureKernel(const std::uint8_t* picture, std::uint8_t* scaled,
                              std::uint8_t* blurred, int width, int height, int percent,
                              int radius) {
  ScaleAll(picture, scaled, width * height, percent);
  __syncthreads();
  BlurAll(scaled, blurred, width, height, radius);
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
  AddKernel<<<1, kThreads, 0, stream>>>(a.data(), b.data(), c.data(), c.size());
  CUDA_CHECK(cudaGetLastError());
}

void VecAddGridStride(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                      cudaStream_t stream, int) {
  VecAdd(a, b, c, stream);
}

void ScaleAndBlur(DeviceSpan<const std::uint8_t> picture, DeviceSpan<std::uint8_t> scaled,
                  DeviceSpan<std::uint8_t> blurred, int width, int height, int percent, int radius,
                  cudaStream_t stream) {
  PictureKernel<<<1, kThreads, 0, stream>>>(picture.data(), scaled.data(), blurred.data(), width,
                                            height, percent, radius);
  CUDA_CHECK(cudaGetLastError());
}
