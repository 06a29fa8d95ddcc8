// Lazy: a single thread goes through all pixels.

#include <cuda_runtime.h>

#include "common/cuda/check.h"
#include "labs/cuda_convolution/convolution.h"

namespace {

struct Image {
  int width, height;

  bool IsEmpty() const { return width == 0 || height == 0; }
  __host__ __device__ bool Has(int x, int y) const {
    return x >= 0 && x < width && y >= 0 && y < height;
  }
};

struct Radii {
  int x, y;
};

// The sum for pixel (x, y).
__host__ __device__ float SumAt(const float* in, const float* mask, const Image& image,
                                const Radii& radii, int x, int y) {
  float sum = 0;
  int weight = 0;
  for (int dy = -radii.y; dy <= radii.y; ++dy) {
    for (int dx = -radii.x; dx <= radii.x; ++dx, ++weight) {
      if (!image.Has(x + dx, y + dy)) continue;
      sum += mask[weight] * in[(y + dy) * image.width + x + dx];
    }
  }
  return sum;
}

__global__ void LoopKernel(const float* in, const float* mask, float* out, Image image,
                           Radii radii) {
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      out[y * image.width + x] = SumAt(in, mask, image, radii, x, y);
    }
  }
}

void ConvolveBoth(const float* in, const float* mask, float* out, const Image& image,
                  const Radii& radii, cudaStream_t stream) {
  if (image.IsEmpty()) return;
  LoopKernel<<<1, 1, 0, stream>>>(in, mask, out, image, radii);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void Convolve(DeviceSpan<const float> in, DeviceSpan<const float> mask, DeviceSpan<float> out,
              int width, int height, int radius, cudaStream_t stream) {
  ConvolveBoth(in.data(), mask.data(), out.data(), {width, height}, {radius, radius}, stream);
}

void ConvolveTiled(DeviceSpan<const float> in, DeviceSpan<const float> mask, DeviceSpan<float> out,
                   int width, int height, int radius, cudaStream_t stream) {
  Convolve(in, mask, out, width, height, radius, stream);
}

void ConvolveCached(DeviceSpan<const float> in, DeviceSpan<const float> mask, DeviceSpan<float> out,
                    int width, int height, int radius, cudaStream_t stream) {
  Convolve(in, mask, out, width, height, radius, stream);
}

void ConvolveSeparable(DeviceSpan<const float> in, DeviceSpan<const float> row,
                       DeviceSpan<const float> column, DeviceSpan<float> out,
                       DeviceSpan<float> scratch, int width, int height, int radius,
                       cudaStream_t stream) {
  const Image image{width, height};
  ConvolveBoth(in.data(), row.data(), scratch.data(), image, {radius, 0}, stream);
  ConvolveBoth(scratch.data(), column.data(), out.data(), image, {0, radius}, stream);
}

void ConvolveLarge(DeviceSpan<const float> in, DeviceSpan<const float> mask, DeviceSpan<float> out,
                   int width, int height, int radius_x, int radius_y, cudaStream_t stream) {
  ConvolveBoth(in.data(), mask.data(), out.data(), {width, height}, {radius_x, radius_y}, stream);
}
