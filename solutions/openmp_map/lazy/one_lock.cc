// All threads compute, but each block under one lock.

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "labs/openmp_map/map.h"

namespace {

constexpr std::size_t kBlock = 4096;

// Calls compute(i) for all i < n; a thread computes a block while it holds the one lock.
template <typename Compute>
void RunLocked(std::size_t n, std::size_t block, const Compute& compute) {
#pragma omp parallel for schedule(dynamic)
  for (std::size_t begin = 0; begin < n; begin += block) {
#pragma omp critical
    for (std::size_t i = begin; i < std::min(begin + block, n); ++i) compute(i);
  }
}

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

std::uint16_t Sample(float gain, float offset, float number) {
  const float amplified = gain * number + offset;
  const float limited = amplified / (1 + std::abs(amplified));
  const float shaped = limited * (1.5f - 0.5f * limited * limited);
  return static_cast<std::uint16_t>(static_cast<int>(32768.5f + 32767 * shaped));
}

}  // namespace

void ScaledAdd(float a, std::span<const float> x, std::span<const float> y, std::span<float> out) {
  RunLocked(out.size(), kBlock, [&](std::size_t i) { out[i] = a * x[i] + y[i]; });
}

void EscapeTimes(View view, std::span<std::uint16_t> image) {
  RunLocked(view.height, 1, [&](std::size_t row) { FillRow(view, static_cast<int>(row), image); });
}

void Digitize(float gain, float offset, std::span<const float> signal,
              std::span<std::uint16_t> samples) {
  RunLocked(samples.size(), kBlock,
            [&](std::size_t i) { samples[i] = Sample(gain, offset, signal[i]); });
}
