// Right: one template kernel for any operation; consecutive threads take consecutive elements.
// Another one for pictures.

#include <cuda_runtime.h>

#include <cstdint>

#include "common/cuda/check.h"
#include "labs/cuda_vecadd/vecadd.h"

namespace {

struct Plus {
  __device__ float operator()(float x, float y) const { return x + y; }
};

// c[i] = operation(a[i], b[i]), in grid-stride order.
template <typename T, typename Operation>
__global__ void MapKernel(const T* __restrict__ a, const T* __restrict__ b, T* __restrict__ c,
                          unsigned n, Operation operation) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    c[i] = operation(a[i], b[i]);
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
  MapKernel<<<(n + 255) / 256, 256>>>(d_a.data(), d_b.data(), d_c.data(), n, Plus());
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(c.data(), d_c.data(), bytes, cudaMemcpyDeviceToHost));
}

void VecAdd(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
            cudaStream_t stream) {
  const int n = static_cast<int>(c.size());
  if (n == 0) return;
  MapKernel<float><<<(n + 63) / 64, 64, 0, stream>>>(a.data(), b.data(), c.data(), n, Plus{});
  CUDA_CHECK(cudaGetLastError());
}

void VecAddGridStride(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                      cudaStream_t stream, int blocks) {
  const int n = static_cast<int>(c.size());
  MapKernel<<<blocks, 192, 0, stream>>>(a.data(), b.data(), c.data(), n, Plus());
  CUDA_CHECK(cudaGetLastError());
}

namespace {

struct Size {
  int width, height;
};

struct Scale {
  const std::uint8_t* picture;
  int percent;

  __device__ int operator()(Size size, int row, int column) const {
    return min((picture[row * size.width + column] * percent + 50) / 100, 255);
  }
};

struct Blur {
  const std::uint8_t* scaled;
  int radius;

  __device__ int operator()(Size size, int row, int column) const {
    int sum = 0;
    int pixels = 0;
    for (int r = row - radius; r <= row + radius; ++r) {
      if (r < 0 || r >= size.height) continue;
      for (int c = max(column - radius, 0); c <= column + radius && c < size.width; ++c) {
        sum += scaled[r * size.width + c];
        ++pixels;
      }
    }
    return (sum + pixels / 2) / pixels;
  }
};

// out[row, column] = function(size, row, column) for each pixel.
template <typename Function>
__global__ void PixelKernel(std::uint8_t* out, Size size, Function function) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < size.height && column < size.width) {
    out[row * size.width + column] = static_cast<std::uint8_t>(function(size, row, column));
  }
}

template <typename Function>
void ForEachPixel(DeviceSpan<std::uint8_t> out, Size size, const Function& function,
                  cudaStream_t stream) {
  if (out.empty()) return;
  const dim3 block(32, 16);
  const dim3 grid((size.width + block.x - 1) / block.x, (size.height + block.y - 1) / block.y);
  PixelKernel<<<grid, block, 0, stream>>>(out.data(), size, function);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void ScaleAndBlur(DeviceSpan<const std::uint8_t> picture, DeviceSpan<std::uint8_t> scaled,
                  DeviceSpan<std::uint8_t> blurred, int width, int height, int percent, int radius,
                  cudaStream_t stream) {
  ForEachPixel(scaled, {width, height}, Scale{picture.data(), percent}, stream);
  ForEachPixel(blurred, {width, height}, Blur{scaled.data(), radius}, stream);
}
