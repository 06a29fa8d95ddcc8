// Wrong: serial loops, and a parallel region in a function that nobody calls.

#include <cmath>
#include <cstddef>

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

std::uint16_t Sample(float gain, float offset, float number) {
  const float amplified = gain * number + offset;
  const float limited = amplified / (1 + std::abs(amplified));
  const float shaped = limited * (1.5f - 0.5f * limited * limited);
  return static_cast<std::uint16_t>(static_cast<int>(32768.5f + 32767 * shaped));
}

}  // namespace

void ScaledAdd(float a, std::span<const float> x, std::span<const float> y, std::span<float> out) {
#pragma omp simd
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = a * x[i] + y[i];
}

void EscapeTimes(View view, std::span<std::uint16_t> image) {
  for (int row = 0; row < view.height; ++row) {
    FillRow(view, row, image.data() + static_cast<std::size_t>(row) * view.width);
  }
}

void Digitize(float gain, float offset, std::span<const float> signal,
              std::span<std::uint16_t> samples) {
#pragma omp simd
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = Sample(gain, offset, signal[i]);
}

void EnterDecoy() {
#pragma omp parallel
  { [[maybe_unused]] volatile int nothing = 0; }
}
