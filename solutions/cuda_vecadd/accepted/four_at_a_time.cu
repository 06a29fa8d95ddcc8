// Right: float4 loads and stores, four pixels in a word, and a scalar kernel for the n % 4 at the
// end.

#include <cuda_runtime.h>

#include <cstdint>

#include "common/cuda/check.h"
#include "labs/cuda_vecadd/vecadd.h"

namespace {

__device__ float4 Add(float4 x, float4 y) {
  return make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}

__global__ void AddFourKernel(const float4* a, const float4* b, float4* c, int n4) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n4) c[i] = Add(a[i], b[i]);
}

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
  const int n4 = n / 4;
  if (n4 > 0) {
    AddFourKernel<<<(n4 + 255) / 256, 256, 0, stream>>>(reinterpret_cast<const float4*>(a.data()),
                                                        reinterpret_cast<const float4*>(b.data()),
                                                        reinterpret_cast<float4*>(c.data()), n4);
    CUDA_CHECK(cudaGetLastError());
  }
  const int done = 4 * n4;
  if (done == n) return;
  AddKernel<<<1, 4, 0, stream>>>(a.data() + done, b.data() + done, c.data() + done, n - done);
  CUDA_CHECK(cudaGetLastError());
}

void VecAddGridStride(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                      cudaStream_t stream, int blocks) {
  const int n = static_cast<int>(c.size());
  AddGridStrideKernel<<<blocks, 256, 0, stream>>>(a.data(), b.data(), c.data(), n);
  CUDA_CHECK(cudaGetLastError());
}

namespace {

__device__ unsigned Scaled(unsigned value, int percent) {
  return min(255u, (value * percent + 50) / 100);
}

// Four pixels in a word: brightness knows no rows and no columns.
__global__ void ScaleFourKernel(const unsigned* picture, unsigned* scaled, int words, int percent) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= words) return;
  const unsigned four = picture[i];
  unsigned result = 0;
  for (int shift = 0; shift < 32; shift += 8) {
    result |= Scaled(four >> shift & 255, percent) << shift;
  }
  scaled[i] = result;
}

__global__ void ScaleKernel(const std::uint8_t* picture, std::uint8_t* scaled, int pixels,
                            int percent) {
  const int i = threadIdx.x;
  if (i < pixels) scaled[i] = Scaled(picture[i], percent);
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
  const int pixels = width * height;
  if (pixels == 0) return;
  const int words = pixels / 4;
  if (words > 0) {
    ScaleFourKernel<<<(words + 255) / 256, 256, 0, stream>>>(
        reinterpret_cast<const unsigned*>(picture.data()),
        reinterpret_cast<unsigned*>(scaled.data()), words, percent);
    CUDA_CHECK(cudaGetLastError());
  }
  const int done = 4 * words;
  if (done < pixels) {
    ScaleKernel<<<1, 4, 0, stream>>>(picture.data() + done, scaled.data() + done, pixels - done,
                                     percent);
    CUDA_CHECK(cudaGetLastError());
  }
  const dim3 block(32, 8);
  const dim3 grid((width + 31) / 32, (height + 7) / 8);
  BlurKernel<<<grid, block, 0, stream>>>(scaled.data(), blurred.data(), width, height, radius);
  CUDA_CHECK(cudaGetLastError());
}
