// Times the reference's maps beside oneTBB and std::transform.

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <cmath>
#include <execution>
#include <vector>

#include "common/benchmark/host.h"
#include "labs/openmp_map/map.h"

namespace {

constexpr std::size_t kSize = std::size_t{1} << 24;
using Range = tbb::blocked_range<std::size_t>;

bool CompareScaledAdd() {
  const std::vector<float> x(kSize, 3.0f);
  const std::vector<float> y(kSize, 4.0f);
  std::vector<float> out(kSize);
  const auto map = [](float a, float b) { return 2.0f * a + b; };
  const auto entry = [&](const char* name, auto run) {
    return lab::Candidate{name, 3 * kSize * sizeof(float), run,
                          [&out] { return out == std::vector<float>(kSize, 10.0f); }};
  };
  const std::vector<lab::Candidate> candidates = {
      entry("ScaledAdd", [&] { ScaledAdd(2, x, y, out); }),
      entry("tbb::parallel_for",
            [&] {
              tbb::parallel_for(Range(0, kSize), [&](const Range& range) {
                for (std::size_t i = range.begin(); i < range.end(); ++i) out[i] = map(x[i], y[i]);
              });
            }),
      entry("std::transform(par_unseq)",
            [&] {
              std::transform(std::execution::par_unseq, x.begin(), x.end(), y.begin(), out.begin(),
                             map);
            }),
      lab::HostCopy(3 * kSize * sizeof(float)),
  };
  return lab::CompareOnHost("scaled addition of 2^24 floats", candidates);
}

std::uint16_t EscapeTime(double re, double im, int limit) {
  float x = 0;
  float y = 0;
  for (int count = 0; count < limit; ++count) {
    const double xx = double{x} * x;
    const double yy = double{y} * y;
    if (xx + yy > 4) return static_cast<std::uint16_t>(count);
    y = static_cast<float>(2.0 * x * y + im);
    x = static_cast<float>((xx - yy) + re);
  }
  return static_cast<std::uint16_t>(limit);
}

bool CompareEscapeTimes() {
  const View view{-2.0f, 1.25f, 2.5f / 512, 640, 512, 500};
  std::vector<std::uint16_t> want(static_cast<std::size_t>(view.width) * view.height);
  std::vector<std::uint16_t> image(want.size());
  EscapeTimes(view, want);
  const auto fill_row = [&](int row) {
    const double im = view.top - row * double{view.step};
    for (int column = 0; column < view.width; ++column) {
      image[static_cast<std::size_t>(row) * view.width + column] =
          EscapeTime(view.left + column * double{view.step}, im, view.limit);
    }
  };
  const auto entry = [&](const char* name, auto run) {
    return lab::Candidate{name, 0, run, [&] { return image == want; }};
  };
  const std::vector<lab::Candidate> candidates = {
      entry("EscapeTimes", [&] { EscapeTimes(view, image); }),
      entry("tbb::parallel_for over rows", [&] { tbb::parallel_for(0, view.height, fill_row); }),
  };
  return lab::CompareOnHost("a picture of 640 x 512 escape times", candidates);
}

bool CompareDigitize() {
  std::vector<float> signal(kSize);
  for (std::size_t i = 0; i < kSize; ++i) signal[i] = static_cast<float>(i % 2001) / 1000 - 1;
  std::vector<std::uint16_t> want(kSize);
  std::vector<std::uint16_t> samples(kSize);
  Digitize(2, 0.25f, signal, want);
  const auto digitize = [](float value) {
    const float amplified = 2 * value + 0.25f;
    const float limited = amplified / (1 + std::abs(amplified));
    const float shaped = limited * (1.5f - 0.5f * limited * limited);
    return static_cast<std::uint16_t>(static_cast<int>(32768.5f + 32767 * shaped));
  };
  const std::size_t bytes = kSize * (sizeof(float) + sizeof(std::uint16_t));
  const auto entry = [&](const char* name, auto run) {
    return lab::Candidate{name, static_cast<double>(bytes), run, [&] { return samples == want; }};
  };
  const std::vector<lab::Candidate> candidates = {
      entry("Digitize", [&] { Digitize(2, 0.25f, signal, samples); }),
      entry("tbb::parallel_for",
            [&] {
              tbb::parallel_for(Range(0, kSize), [&](const Range& range) {
                for (std::size_t i = range.begin(); i < range.end(); ++i) {
                  samples[i] = digitize(signal[i]);
                }
              });
            }),
      entry("std::transform(par_unseq)",
            [&] {
              std::transform(std::execution::par_unseq, signal.begin(), signal.end(),
                             samples.begin(), digitize);
            }),
      lab::HostCopy(bytes),
  };
  return lab::CompareOnHost("2^24 samples digitized", candidates);
}

}  // namespace

int main() { return CompareScaledAdd() && CompareEscapeTimes() && CompareDigitize() ? 0 : 1; }
