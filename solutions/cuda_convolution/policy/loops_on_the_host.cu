// Wrong: copies everything to the host and adds up there; no kernel is ever launched.

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

#include "common/cuda/check.h"
#include "labs/cuda_convolution/convolution.h"

namespace {

struct Image {
  int width, height;

  bool Has(int x, int y) const { return x >= 0 && x < width && y >= 0 && y < height; }
  std::size_t size() const { return std::size_t(width) * height; }
};

struct Radii {
  int x, y;
};

std::vector<float> OnHost(const float* from, std::size_t count, cudaStream_t stream) {
  std::vector<float> values(count);
  CUDA_CHECK(
      cudaMemcpyAsync(values.data(), from, count * sizeof(float), cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  return values;
}

float SumAt(const float* in, const float* mask, const Image& image, const Radii& radii, int x,
            int y) {
  float sum = 0;
  for (int dy = -radii.y; dy <= radii.y; ++dy) {
    for (int dx = -radii.x; dx <= radii.x; ++dx, ++mask) {
      if (image.Has(x + dx, y + dy)) sum += *mask * in[(y + dy) * image.width + x + dx];
    }
  }
  return sum;
}

void ConvolveBoth(const float* in, const float* mask, float* out, const Image& image,
                  const Radii& radii, cudaStream_t stream) {
  if (image.size() == 0) return;
  const std::size_t weights = (2 * std::size_t(radii.x) + 1) * (2 * std::size_t(radii.y) + 1);
  const std::vector<float> pixels = OnHost(in, image.size(), stream);
  const std::vector<float> mask_values = OnHost(mask, weights, stream);
  std::vector<float> sums;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      sums.push_back(SumAt(pixels.data(), mask_values.data(), image, radii, x, y));
    }
  }
  CUDA_CHECK(cudaMemcpyAsync(out, sums.data(), sums.size() * sizeof(float), cudaMemcpyHostToDevice,
                             stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
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
