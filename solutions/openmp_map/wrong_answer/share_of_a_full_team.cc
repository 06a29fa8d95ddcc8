// Wrong: takes for granted that the region gets as many threads as it may. Called from another
// parallel region it gets one, which adds its own share alone.

#include <omp.h>

#include <cmath>
#include <cstddef>

#include "labs/openmp_map/map.h"

namespace {

// Exact products: a double holds what two floats give. So it is one answer on every machine.
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

}  // namespace

void ScaledAdd(float a, std::span<const float> x, std::span<const float> y, std::span<float> out) {
  const std::size_t threads = omp_get_max_threads();
#pragma omp parallel
  {
    const std::size_t t = omp_get_thread_num();
    const std::size_t end = out.size() * (t + 1) / threads;
#pragma omp simd
    for (std::size_t i = out.size() * t / threads; i < end; ++i) out[i] = a * x[i] + y[i];
  }
}

void EscapeTimes(View view, std::span<std::uint16_t> image) {
#pragma omp parallel for schedule(dynamic)
  for (std::int32_t row = 0; row < view.height; ++row) {
    const double im = view.top - row * static_cast<double>(view.step);
    std::uint16_t* const pixels = image.data() + static_cast<std::size_t>(row) * view.width;
    for (std::int32_t column = 0; column < view.width; ++column) {
      const double re = view.left + column * static_cast<double>(view.step);
      pixels[column] = EscapeTime(re, im, view.limit);
    }
  }
}

void Digitize(float gain, float offset, std::span<const float> signal,
              std::span<std::uint16_t> samples) {
#pragma omp parallel for simd
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const float amplified = gain * signal[i] + offset;
    const float limited = amplified / (1 + std::abs(amplified));
    const float shaped = limited * (1.5f - 0.5f * limited * limited);
    samples[i] = static_cast<std::uint16_t>(static_cast<int>(32768.5f + 32767 * shaped));
  }
}
