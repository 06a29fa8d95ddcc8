#pragma once

// What the tests of the parts share: sizes, values whose sums are known exactly, error bounds.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "common/lab/call/sizes.h"
#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "labs/cuda_reduction/reduction.h"

namespace reduction_test {

using Floats = std::vector<float>;

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();
inline constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();

// Sizes at which vectors of four, warps, blocks and tiles begin and end.
inline std::set<std::size_t> Sizes() {
  std::set<std::size_t> sizes{4095, 4096, 4097};
  for (const std::size_t width : {4, 32, 128, 256, 512, 1024, 2048}) {
    for (const std::size_t n : lab::EdgeSizes(width)) sizes.insert(n);
  }
  return sizes;
}

// Whole numbers other than 0 whose sums never round: the absolute values add up to at most 2^24.
// n <= 2^23.
inline Floats WholeNumbers(lab::Random& random, std::size_t n) {
  const auto largest = static_cast<int>(std::clamp<std::size_t>((1 << 24) / (n + 1), 1, 15));
  Floats values(n);
  for (float& value : values) {
    const int size = random.UniformInt(1, largest);
    value = static_cast<float>(random.UniformInt(0, 1) == 0 ? size : -size);
  }
  return values;
}

// A function that sums, and the largest number of additions that a value may go through in it.
struct Adder {
  std::function<void(std::span<const float> values, std::span<float> sum)> add;
  std::function<std::size_t(std::size_t n)> depth;
};

// The sum, and its error bound by the contract. Each of the additions that a value goes through
// multiplies it by 1 + d with |d| <= u = 2^-24; at most D of them by 1 + e with |e| <= D u / (1 - D
// u) (Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, section 4.2). An
// additional u covers that this sum is rounded to double.
struct ExpectedSum {
  double value;
  double tolerance;
};

inline ExpectedSum Expected(std::span<const float> values, std::size_t depth) {
  long double sum = 0;
  long double absolute = 0;
  bool whole = true;
  for (const float value : values) {
    sum += value;
    absolute += std::abs(value);
    whole = whole && value == std::trunc(value);
  }
  if (whole && absolute <= 0x1p24L) return {static_cast<double>(sum), 0};
  const double u = 0x1p-24;
  const double d = static_cast<double>(depth);
  const double bound = d * u / (1 - d * u) * static_cast<double>(absolute);
  return {static_cast<double>(sum), bound + 0x1p-50 * static_cast<double>(absolute)};
}

// `before` is what the result held.
inline void ExpectResult(const Adder& adder, const Floats& values, const ExpectedSum& want,
                         float before = lab::PoisonValue<float>()) {
  SCOPED_TRACE("with n = " + std::to_string(values.size()));
  Floats sum{before};
  adder.add(values, sum);
  lab::ExpectAllNear(sum, std::vector<double>{want.value}, want.tolerance);
}

inline void ExpectSum(const Adder& adder, const Floats& values) {
  ExpectResult(adder, values, Expected(values, adder.depth(values.size())));
}

inline void ExpectSum(const Adder& adder, std::size_t n, lab::Random& random) {
  ExpectSum(adder, WholeNumbers(random, n));
}

}  // namespace reduction_test
