// Times the reference's reductions beside oneTBB and the standard library.

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <array>
#include <execution>
#include <functional>
#include <numeric>
#include <vector>

#include "common/benchmark/host.h"
#include "labs/openmp_reduction/reduction.h"

namespace {

constexpr std::size_t kSize = std::size_t{1} << 25;
using Range = tbb::blocked_range<std::size_t>;
using Bins = std::array<std::uint32_t, kLetterGroups>;

bool CompareDotProduct() {
  std::vector<float> a(kSize);
  for (std::size_t i = 0; i < kSize; ++i) a[i] = static_cast<float>(i % 32);
  const std::vector<float> b(kSize, 2.0f);
  const double want = static_cast<double>(kSize / 32) * (31 * 32);
  double got = 0;
  const auto multiply = [](float x, float y) { return double{x} * double{y}; };
  const auto entry = [&](const char* name, auto dot) {
    return lab::Candidate{name, 2 * kSize * sizeof(float), [&got, dot] { got = dot(); },
                          [&got, want] { return got == want; }};
  };
  const std::vector<lab::Candidate> candidates = {
      entry("DotProduct", [&] { return DotProduct(a, b); }),
      entry("tbb::parallel_reduce",
            [&] {
              return tbb::parallel_reduce(
                  Range(0, kSize), 0.0,
                  [&](const Range& range, double sum) {
                    for (std::size_t i = range.begin(); i < range.end(); ++i) {
                      sum += multiply(a[i], b[i]);
                    }
                    return sum;
                  },
                  std::plus<>());
            }),
      entry("std::transform_reduce(par)",
            [&] {
              return std::transform_reduce(std::execution::par, a.begin(), a.end(), b.begin(), 0.0,
                                           std::plus<>(), multiply);
            }),
      entry("std::transform_reduce(par_unseq)",
            [&] {
              return std::transform_reduce(std::execution::par_unseq, a.begin(), a.end(), b.begin(),
                                           0.0, std::plus<>(), multiply);
            }),
      lab::HostRead(2 * kSize * sizeof(float)),
      lab::HostCopy(2 * kSize * sizeof(float)),
  };
  return lab::CompareOnHost("the dot product of 2^25 floats", candidates);
}

bool CompareFirstMinimum() {
  std::vector<float> values(kSize);
  for (std::size_t i = 0; i < kSize; ++i) values[i] = static_cast<float>((i * 7919) % 65536);
  values[kSize / 3] = values[kSize / 2] = -1;
  MinLocation got{};
  const auto before = [](const MinLocation& x, const MinLocation& y) {
    return x.value < y.value || (x.value == y.value && x.index < y.index);
  };
  const auto entry = [&](const char* name, auto find) {
    return lab::Candidate{name, kSize * sizeof(float), [&got, find] { got = find(); },
                          [&got] { return got.value == -1 && got.index == kSize / 3; }};
  };
  const std::vector<lab::Candidate> candidates = {
      entry("FirstMinimum", [&] { return FirstMinimum(values); }),
      entry("tbb::parallel_reduce",
            [&] {
              return tbb::parallel_reduce(
                  Range(0, kSize), MinLocation{values[0], 0},
                  [&](const Range& range, MinLocation best) {
                    for (std::size_t i = range.begin(); i < range.end(); ++i) {
                      if (before({values[i], i}, best)) best = {values[i], i};
                    }
                    return best;
                  },
                  [&](const MinLocation& x, const MinLocation& y) { return before(y, x) ? y : x; });
            }),
      entry("std::min_element(par)",
            [&] {
              const auto found =
                  std::min_element(std::execution::par, values.begin(), values.end());
              return MinLocation{*found, static_cast<std::size_t>(found - values.begin())};
            }),
      lab::HostCopy(kSize * sizeof(float)),
  };
  return lab::CompareOnHost("the first minimum of 2^25 floats", candidates);
}

bool CompareLetterHistogram() {
  std::vector<char> text(kSize);
  for (std::size_t i = 0; i < kSize; ++i) text[i] = static_cast<char>('a' + i * 7919 % 31);
  Bins want;
  LetterHistogram(text, want);
  Bins got;
  const auto entry = [&](const char* name, auto run) {
    return lab::Candidate{name, kSize, run, [&] { return got == want; }};
  };
  const std::vector<lab::Candidate> candidates = {
      entry("LetterHistogram", [&] { LetterHistogram(text, got); }),
      entry("tbb::parallel_reduce",
            [&] {
              got = tbb::parallel_reduce(
                  Range(0, kSize), Bins{},
                  [&](const Range& range, Bins bins) {
                    for (std::size_t i = range.begin(); i < range.end(); ++i) {
                      if (text[i] >= 'a' && text[i] <= 'z') ++bins[(text[i] - 'a') / 4];
                    }
                    return bins;
                  },
                  [](Bins x, const Bins& y) {
                    for (std::size_t g = 0; g < x.size(); ++g) x[g] += y[g];
                    return x;
                  });
            }),
      lab::HostCopy(kSize),
  };
  return lab::CompareOnHost("the histogram of 2^25 letters", candidates);
}

}  // namespace

int main() {
  return CompareDotProduct() && CompareFirstMinimum() && CompareLetterHistogram() ? 0 : 1;
}
