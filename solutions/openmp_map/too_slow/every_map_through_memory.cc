// Wrong: right, but every map goes through memory.

#include <cmath>
#include <cstddef>
#include <vector>

#include "labs/openmp_map/map.h"

namespace {

std::uint16_t EscapeTime(double re, double im, int limit) {
  float x = 0;
  float y = 0;
  int count = 0;
  double xx = 0;
  double yy = 0;
  while (count < limit && xx + yy <= 4) {
    y = static_cast<float>(2.0 * x * y + im);
    x = static_cast<float>((xx - yy) + re);
    xx = static_cast<double>(x) * x;
    yy = static_cast<double>(y) * y;
    ++count;
  }
  return static_cast<std::uint16_t>(count);
}

void FillRow(const View& view, int row, std::uint16_t* pixels) {
  const double im = view.top - row * static_cast<double>(view.step);
  for (int column = 0; column < view.width; ++column) {
    const double re = view.left + column * static_cast<double>(view.step);
    pixels[column] = EscapeTime(re, im, view.limit);
  }
}

}  // namespace

void ScaledAdd(float a, std::span<const float> x, std::span<const float> y, std::span<float> out) {
#pragma omp parallel for simd
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = a * x[i] + y[i];
}

void EscapeTimes(View view, std::span<std::uint16_t> image) {
#pragma omp parallel for schedule(dynamic)
  for (int row = 0; row < view.height; ++row) {
    FillRow(view, row, image.data() + static_cast<std::size_t>(row) * view.width);
  }
}

void Digitize(float gain, float offset, std::span<const float> signal,
              std::span<std::uint16_t> samples) {
  const std::size_t n = samples.size();
  std::vector<float> amplified(n);
  std::vector<float> limited(n);
  std::vector<float> shaped(n);
#pragma omp parallel for simd
  for (std::size_t i = 0; i < n; ++i) amplified[i] = gain * signal[i] + offset;
#pragma omp parallel for simd
  for (std::size_t i = 0; i < n; ++i) limited[i] = amplified[i] / (1 + std::abs(amplified[i]));
#pragma omp parallel for simd
  for (std::size_t i = 0; i < n; ++i) {
    shaped[i] = limited[i] * (1.5f - 0.5f * limited[i] * limited[i]);
  }
#pragma omp parallel for simd
  for (std::size_t i = 0; i < n; ++i) {
    samples[i] = static_cast<std::uint16_t>(static_cast<int>(32768.5f + 32767 * shaped[i]));
  }
}
