// Right: two halves in two streams, so that on a GPU copies and kernels overlap.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "common/cuda/check.h"
#include "labs/cuda_vecadd/vecadd.h"

namespace {

// A stream with device memory for three vectors.
struct Lane {
  cudaStream_t stream = nullptr;
  float* memory = nullptr;

  Lane() { CUDA_CHECK(cudaStreamCreate(&stream)); }
  // What the first constructor made is destroyed if the second one throws.
  explicit Lane(std::size_t n) : Lane() { CUDA_CHECK(cudaMalloc(&memory, 3 * n * sizeof(float))); }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;
  ~Lane() {
    cudaFree(memory);
    cudaStreamDestroy(stream);
  }
};

void Copy(float* to, const float* from, std::size_t n, cudaMemcpyKind kind, cudaStream_t stream) {
  CUDA_CHECK(cudaMemcpyAsync(to, from, n * sizeof(float), kind, stream));
}

// Queues everything for one part of the vectors.
void Start(const Lane& lane, std::span<const float> a, std::span<const float> b,
           std::span<float> c) {
  const std::size_t n = c.size();
  float* const x = lane.memory;
  float* const y = x + n;
  float* const sum = y + n;
  Copy(x, a.data(), n, cudaMemcpyHostToDevice, lane.stream);
  Copy(y, b.data(), n, cudaMemcpyHostToDevice, lane.stream);
  VecAdd({x, n}, {y, n}, {sum, n}, lane.stream);
  Copy(c.data(), sum, n, cudaMemcpyDeviceToHost, lane.stream);
}

__global__ void AddKernel(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void AddGridStrideKernel(const float* a, const float* b, float* c, int n) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) c[i] = a[i] + b[i];
}

}  // namespace

void VecAddHost(std::span<const float> a, std::span<const float> b, std::span<float> c) {
  if (c.empty()) return;
  const std::size_t half = c.size() / 2;
  const std::size_t rest = c.size() - half;
  const Lane first(rest);
  const Lane second(rest);
  Start(first, a.first(rest), b.first(rest), c.first(rest));
  if (half > 0) Start(second, a.last(half), b.last(half), c.last(half));
  CUDA_CHECK(cudaStreamSynchronize(first.stream));
  CUDA_CHECK(cudaStreamSynchronize(second.stream));
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
