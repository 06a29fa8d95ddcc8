// One static loop for every map: rows in equal shares, and four passes through memory.

#include <cmath>
#include <cstddef>
#include <vector>

#include "labs/openmp_map/map.h"

namespace {

std::uint16_t EscapeTime(double re, double im, int limit) {
  float x = 0;
  float y = 0;
  int count = 0;
  for (; count < limit; ++count) {
    const double xx = static_cast<double>(x) * x;
    const double yy = static_cast<double>(y) * y;
    if (xx + yy > 4) break;
    y = static_cast<float>(2.0 * x * y + im);
    x = static_cast<float>((xx - yy) + re);
  }
  return static_cast<std::uint16_t>(count);
}

void FillRow(const View& view, int row, std::span<std::uint16_t> image) {
  const double im = view.top - row * static_cast<double>(view.step);
  const std::size_t first = static_cast<std::size_t>(row) * view.width;
  for (int column = 0; column < view.width; ++column) {
    const double re = view.left + column * static_cast<double>(view.step);
    image[first + column] = EscapeTime(re, im, view.limit);
  }
}

}  // namespace

void ScaledAdd(float a, std::span<const float> x, std::span<const float> y, std::span<float> out) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = a * x[i] + y[i];
}

void EscapeTimes(View view, std::span<std::uint16_t> image) {
#pragma omp parallel for schedule(static)
  for (int row = 0; row < view.height; ++row) FillRow(view, row, image);
}

void Digitize(float gain, float offset, std::span<const float> signal,
              std::span<std::uint16_t> samples) {
  std::vector<float> numbers(signal.begin(), signal.end());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = gain * numbers[i] + offset;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] /= 1 + std::abs(numbers[i]);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] *= 1.5f - 0.5f * numbers[i] * numbers[i];
  }
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    samples[i] = static_cast<std::uint16_t>(static_cast<int>(32768.5f + 32767 * numbers[i]));
  }
}
