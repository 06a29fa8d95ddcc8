#pragma once

// Halves on the host, for the tests, and what the parts compute with them, in double precision.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "common/lab/testing/inputs.h"
#include "labs/cuda_tensor/tensor.h"

namespace cuda_tensor {

using Halves = std::vector<HalfBits>;
using Doubles = std::vector<double>;

inline constexpr HalfBits kHalfInfinity = 0x7c00;

/// The half nearest to x, of two the even one.
inline HalfBits ToHalf(double x) {
  const HalfBits sign = std::signbit(x) ? 0x8000 : 0;
  if (std::isnan(x)) return 0x7e00;
  if (std::abs(x) >= 65520) return sign | kHalfInfinity;
  const int exponent = x == 0 ? -14 : std::max(std::ilogb(x), -14);
  const auto digits = static_cast<int>(std::nearbyint(std::ldexp(std::abs(x), 10 - exponent)));
  return static_cast<HalfBits>(sign + ((exponent + 14) << 10) + digits);
}

inline double ToDouble(HalfBits half) {
  const int exponent = half >> 10 & 31;
  const int digits = half & 0x3ff;
  double size = exponent == 0 ? std::ldexp(digits, -24) : std::ldexp(digits + 1024, exponent - 25);
  if (exponent == 31) {
    size = digits == 0 ? std::numeric_limits<double>::infinity()
                       : std::numeric_limits<double>::quiet_NaN();
  }
  return half & 0x8000 ? -size : size;
}

/// The half nearest to a x + y: the sum is rounded to odd first, so that rounding it again does no
/// harm.
inline HalfBits HalfOfSum(HalfBits a, HalfBits x, HalfBits y) {
  const double product = ToDouble(a) * ToDouble(x);  // exact
  const double addend = ToDouble(y);
  const double sum = product + addend;
  const double rest =
      std::abs(product) > std::abs(addend) ? addend - (sum - product) : product - (sum - addend);
  auto bits = std::bit_cast<std::uint64_t>(sum);
  if (!std::isfinite(sum) || rest == 0 || bits % 2 == 1) return ToHalf(sum);
  return ToHalf(std::bit_cast<double>((rest > 0) == (sum > 0) ? bits + 1 : bits - 1));
}

/// n halves from low to high.
inline Halves AnyHalves(std::size_t n, double low, double high, lab::Random& random) {
  Halves halves(n);
  for (HalfBits& half : halves) half = ToHalf(random.UniformDouble(low, high));
  return halves;
}

/// n whole numbers from -4 to 4: sums of their products are exact.
inline Halves WholeHalves(std::size_t n, lab::Random& random) {
  Halves halves(n);
  for (HalfBits& half : halves) half = ToHalf(random.UniformInt(-4, 4));
  return halves;
}

struct Shape {
  int m, n, k;

  std::size_t OfA() const { return std::size_t(m) * k; }
  std::size_t OfB() const { return std::size_t(k) * n; }
  std::size_t OfC() const { return std::size_t(m) * n; }
};

/// scale(a b) added up, where a product of two halves is exact.
template <typename Scale>
Doubles ProductOf(const Halves& a, const Halves& b, const Shape& shape, const Scale& scale) {
  Doubles factors(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) factors[i] = ToDouble(b[i]);
  Doubles c(shape.OfC());
  for (int row = 0; row < shape.m; ++row) {
    for (int i = 0; i < shape.k; ++i) {
      const double factor = ToDouble(a[std::size_t(row) * shape.k + i]);
      const double* const from = factors.data() + std::size_t(i) * shape.n;
      double* const to = c.data() + std::size_t(row) * shape.n;
      for (int column = 0; column < shape.n; ++column) to[column] += scale(factor * from[column]);
    }
  }
  return c;
}

inline Doubles ProductOf(const Halves& a, const Halves& b, const Shape& shape) {
  return ProductOf(a, b, shape, [](double x) { return x; });
}

/// What tensor.h calls gamma: the relative error of a sum of k products.
inline double Gamma(double k) { return k * 0x1p-22 / (1 - k * 0x1p-22); }

/// The results that are expected, and how far from them others may be.
struct Expected {
  Doubles values, tolerances;
};

/// One head of attention, as tensor.h defines it.
inline Expected AttentionOf(const Halves& q, const Halves& k, const Halves& v, int n) {
  Expected expected;
  for (int row = 0; row < n; ++row) {
    Doubles weights(n);
    double top = -std::numeric_limits<double>::infinity(), e = 0, sum = 0;
    for (int j = 0; j < n; ++j) {
      double score = 0, sizes = 0;
      for (int i = 0; i < kHeadSize; ++i) {
        const double product = ToDouble(q[row * kHeadSize + i]) * ToDouble(k[j * kHeadSize + i]);
        score += product / 8;
        sizes += std::abs(product) / 8;
      }
      weights[j] = score;
      top = std::max(top, score);
      e = std::max(e, Gamma(kHeadSize) * sizes);
    }
    for (double& weight : weights) sum += weight = std::exp(weight - top);
    const double d = 0x1p-11 + 2 * e + (n + 64) * 0x1p-22;
    for (int i = 0; i < kHeadSize; ++i) {
      double value = 0, size = 0, all = 0;
      for (int j = 0; j < n; ++j) {
        const double of_j = ToDouble(v[j * kHeadSize + i]);
        value += weights[j] / sum * of_j;
        size += weights[j] / sum * std::abs(of_j);
        all += std::abs(of_j);
      }
      expected.values.push_back(value);
      expected.tolerances.push_back(2 * d * size + 0x1p-24 * all);
    }
  }
  return expected;
}

}  // namespace cuda_tensor
