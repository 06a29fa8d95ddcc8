// Right: the blur adds up along the rows and then along the columns: 2 (2 r + 1) additions a pixel
// in the place of (2 r + 1)^2.

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

// Scales each pixel, and adds up 2 radius + 1 scaled pixels of a row.
__global__ void RowKernel(const std::uint8_t* picture, std::uint8_t* scaled, int* sums, int width,
                          int height, int percent, int radius) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= height || column >= width) return;
  int sum = 0;
  for (int c = max(0, column - radius); c <= min(width - 1, column + radius); ++c) {
    const int value = min(255, (picture[row * width + c] * percent + 50) / 100);
    sum += value;
    if (c == column) scaled[row * width + column] = static_cast<std::uint8_t>(value);
  }
  sums[row * width + column] = sum;
}

// Adds up 2 radius + 1 such sums of a column.
__global__ void ColumnKernel(const int* sums, std::uint8_t* blurred, int width, int height,
                             int radius) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= height || column >= width) return;
  const int top = max(0, row - radius), bottom = min(height - 1, row + radius);
  int sum = 0;
  for (int r = top; r <= bottom; ++r) sum += sums[r * width + column];
  const int columns = min(width - 1, column + radius) - max(0, column - radius) + 1;
  const int pixels = (bottom - top + 1) * columns;
  blurred[row * width + column] = static_cast<std::uint8_t>((sum + pixels / 2) / pixels);
}

// Memory for n sums, taken from the stream's pool and given back to it.
class Sums {
 public:
  Sums(std::size_t n, cudaStream_t stream) : stream_(stream) {
    CUDA_CHECK(cudaMallocAsync(&data_, n * sizeof(int), stream));
  }
  Sums(const Sums&) = delete;
  ~Sums() { cudaFreeAsync(data_, stream_); }
  int* data() const { return data_; }

 private:
  int* data_ = nullptr;
  cudaStream_t stream_;
};

}  // namespace

void ScaleAndBlur(DeviceSpan<const std::uint8_t> picture, DeviceSpan<std::uint8_t> scaled,
                  DeviceSpan<std::uint8_t> blurred, int width, int height, int percent, int radius,
                  cudaStream_t stream) {
  if (picture.empty()) return;
  const Sums sums(picture.size(), stream);
  const dim3 block(32, 8);
  const dim3 grid((width + 31) / 32, (height + 7) / 8);
  RowKernel<<<grid, block, 0, stream>>>(picture.data(), scaled.data(), sums.data(), width, height,
                                        percent, radius);
  CUDA_CHECK(cudaGetLastError());
  ColumnKernel<<<grid, block, 0, stream>>>(sums.data(), blurred.data(), width, height, radius);
  CUDA_CHECK(cudaGetLastError());
}
