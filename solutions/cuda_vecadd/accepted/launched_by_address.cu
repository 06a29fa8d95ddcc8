// Right: every kernel is launched by its address through cudaLaunchKernel.

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

using AddFunction = void(const float*, const float*, float*, std::size_t);

void LaunchAdd(AddFunction* kernel, unsigned blocks, DeviceSpan<const float> a,
               DeviceSpan<const float> b, DeviceSpan<float> c, cudaStream_t stream) {
  const float* in_a = a.data();
  const float* in_b = b.data();
  float* out = c.data();
  std::size_t n = c.size();
  void* arguments[] = {&in_a, &in_b, &out, &n};
  CUDA_CHECK(cudaLaunchKernel(kernel, blocks, kThreads, arguments, 0, stream));
}

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
  LaunchAdd(AddKernel, blocks, a, b, c, stream);
}

void VecAddGridStride(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                      cudaStream_t stream, int blocks) {
  LaunchAdd(AddGridStrideKernel, static_cast<unsigned>(blocks), a, b, c, stream);
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

// In blocks of 32 x 8 threads, one for each pixel.
void LaunchForPixels(const void* kernel, int width, int height, void** arguments,
                     cudaStream_t stream) {
  const dim3 grid((width + 31) / 32, (height + 7) / 8);
  CUDA_CHECK(cudaLaunchKernel(kernel, grid, dim3(32, 8), arguments, 0, stream));
}

}  // namespace

void ScaleAndBlur(DeviceSpan<const std::uint8_t> picture, DeviceSpan<std::uint8_t> scaled,
                  DeviceSpan<std::uint8_t> blurred, int width, int height, int percent, int radius,
                  cudaStream_t stream) {
  if (picture.empty()) return;
  const std::uint8_t* in = picture.data();
  std::uint8_t* middle = scaled.data();
  std::uint8_t* out = blurred.data();
  void* scale[] = {&in, &middle, &width, &height, &percent};
  LaunchForPixels(reinterpret_cast<const void*>(ScaleKernel), width, height, scale, stream);
  void* blur[] = {&middle, &out, &width, &height, &radius};
  LaunchForPixels(reinterpret_cast<const void*>(BlurKernel), width, height, blur, stream);
}
