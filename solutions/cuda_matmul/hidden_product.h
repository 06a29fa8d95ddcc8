#pragma once

// What the hidden tests of the lab "Matrix multiplication on a GPU" multiply, and what they expect.

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <functional>
#include <ostream>
#include <span>
#include <vector>

#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "labs/cuda_matmul/matmul.h"

namespace cuda_matmul {

inline const lab::Function<decltype(MatMul)> mat_mul{"MatMul"};
inline const lab::Function<decltype(MatMulTiledSquare)> mat_mul_tiled_square{"MatMulTiledSquare"};
inline const lab::Function<decltype(MatMulTiled)> mat_mul_tiled{"MatMulTiled"};
inline const lab::Function<decltype(MatMulRegisterTiled)> mat_mul_register_tiled{
    "MatMulRegisterTiled"};

using Floats = std::vector<float>;

struct Shape {
  int m, k, n;

  std::size_t OfA() const { return std::size_t(m) * k; }
  std::size_t OfB() const { return std::size_t(k) * n; }
  std::size_t OfC() const { return std::size_t(m) * n; }
};

inline std::ostream& operator<<(std::ostream& out, const Shape& shape) {
  return out << "m = " << shape.m << ", k = " << shape.k << ", n = " << shape.n;
}

struct Problem {
  Shape shape;
  Floats a, b;
};

// One of the lab's functions.
using Multiply = std::function<void(const Problem&, Floats& c)>;

template <typename F>
Multiply With(const F& function) {
  return [&function](const Problem& problem, Floats& c) {
    const auto [m, k, n] = problem.shape;
    function(problem.a, problem.b, c, m, k, n);
  };
}

// The exact product, and how far each element may be from it.
struct Expected {
  std::vector<double> c, tolerances;
};

// Adds scale(a) * scale(b) up, in double precision, where products of floats are exact.
template <typename Scale>
std::vector<double> ProductOf(const Problem& problem, const Scale& scale) {
  const auto [m, k, n] = problem.shape;
  std::vector<double> c(problem.shape.OfC());
  for (std::size_t row = 0; row < std::size_t(m); ++row) {
    double* const sums = c.data() + row * n;
    for (std::size_t i = 0; i < std::size_t(k); ++i) {
      const double a = scale(problem.a[row * k + i]);
      const float* const b = problem.b.data() + i * n;
      for (int column = 0; column < n; ++column) sums[column] += a * scale(b[column]);
    }
  }
  return c;
}

// gamma * (sum of the products' absolute values), as in the contract, plus the error of the sums in
// double.
inline Expected ExpectedOf(const Problem& problem) {
  const double k = problem.shape.k;
  const double gamma = k * 0x1p-24 / (1 - k * 0x1p-24) + 2 * k * 0x1p-53;
  Expected expected{ProductOf(problem, [](double x) { return x; }),
                    ProductOf(problem, [](double x) { return std::abs(x); })};
  for (double& tolerance : expected.tolerances) tolerance *= gamma;
  return expected;
}

inline void ExpectNear(const Floats& c, const Expected& expected) {
  lab::ExpectAllNear(c, expected.c, std::span<const double>(expected.tolerances));
}

inline void ExpectProduct(const Multiply& multiply, const Problem& problem) {
  Floats c = lab::Poisoned<float>(problem.shape.OfC());
  multiply(problem, c);
  SCOPED_TRACE(testing::Message() << "with " << problem.shape);
  ExpectNear(c, ExpectedOf(problem));
}

// Small whole numbers: every sum is exact, in any order.
inline void ExpectExactProduct(const Multiply& multiply, const Problem& problem) {
  const std::vector<double> want = ProductOf(problem, [](double x) { return x; });
  Floats c = lab::Poisoned<float>(problem.shape.OfC());
  multiply(problem, c);
  SCOPED_TRACE(testing::Message() << "with " << problem.shape);
  lab::ExpectAllEqual(c, Floats(want.begin(), want.end()));
}

inline Problem AnyProblem(const Shape& shape, lab::Random& random) {
  return {shape, random.Floats(shape.OfA(), -1, 1), random.Floats(shape.OfB(), -1, 1)};
}

inline Floats WholeNumbers(std::size_t n, lab::Random& random) {
  Floats values(n);
  for (float& value : values) value = static_cast<float>(random.UniformInt(-8, 8));
  return values;
}

inline Problem WholeProblem(const Shape& shape, lab::Random& random) {
  return {shape, WholeNumbers(shape.OfA(), random), WholeNumbers(shape.OfB(), random)};
}

}  // namespace cuda_matmul
