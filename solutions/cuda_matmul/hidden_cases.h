#pragma once

// The test cases of the parts for matrices of any size.

#include <cmath>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include "common/lab/call/callers.h"
#include "common/lab/call/sizes.h"
#include "solutions/cuda_matmul/hidden_product.h"

namespace cuda_matmul {

// Where tiles of 8, 16, 32, 64 and 128 begin and end.
inline std::vector<int> EdgeWidths() {
  return {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65, 127, 128, 129};
}

inline void ExpectEach(const Multiply& multiply, const std::vector<Shape>& shapes,
                       lab::Random& random) {
  for (const Shape& shape : shapes) {
    ExpectProduct(multiply, AnyProblem(shape, random));
    if (testing::Test::HasFailure()) return;
  }
}

// The first case of a part: small enough to check by hand, no two widths alike, each of its own
// parity.
inline void ExpectSmallProduct(const Multiply& multiply) {
  ExpectExactProduct(multiply, {{2, 3, 4},
                                {1, 2, 3, 4, 5, 6},
                                {1, 0, 0, 1,  //
                                 0, 1, 0, 1,  //
                                 0, 0, 1, 1}});
}

inline void ExpectSquares(const Multiply& multiply, lab::Random& random) {
  std::vector<Shape> shapes;
  for (const int width : EdgeWidths()) shapes.push_back({width, width, width});
  ExpectEach(multiply, shapes, random);
}

// Each width in turn at the edges of tiles, the other two where no tile ends.
inline void ExpectRectangles(const Multiply& multiply, lab::Random& random) {
  std::vector<Shape> shapes;
  for (const int width : EdgeWidths()) {
    shapes.push_back({width, 37, 21});
    shapes.push_back({21, width, 37});
    shapes.push_back({37, 21, width});
  }
  ExpectEach(multiply, shapes, random);
}

// Widths that are multiples of four floats, except one of them at a time.
inline void ExpectVectorWidths(const Multiply& multiply, lab::Random& random) {
  ExpectEach(multiply, {{68, 36, 132}, {68, 36, 131}, {68, 35, 132}, {67, 36, 132}, {4, 4, 4}},
             random);
}

inline void ExpectVectorsAndNumbers(const Multiply& multiply, lab::Random& random) {
  ExpectEach(multiply, {{1, 1000, 1}, {300, 1, 200}, {1, 70, 500}, {500, 70, 1}, {1, 1, 1}},
             random);
}

inline void ExpectNothingForEmptyMatrices(const Multiply& multiply, lab::Random& random) {
  ExpectEach(multiply, {{0, 5, 7}, {5, 7, 0}, {0, 0, 0}, {0, 5, 0}, {0, 0, 7}, {5, 0, 0}}, random);
}

inline void ExpectZerosWithoutProducts(const Multiply& multiply, lab::Random& random) {
  ExpectEach(multiply, {{1, 0, 1}, {20, 0, 33}, {70, 0, 130}}, random);
}

inline void ExpectExactWholeNumbers(const Multiply& multiply, lab::Random& random) {
  ExpectExactProduct(multiply, WholeProblem({70, 200, 45}, random));
  ExpectExactProduct(multiply, WholeProblem({131, 66, 97}, random));
}

// Row r of A picks row r % k of B: every row of C is one of B, bit by bit.
inline void ExpectRowsPicked(const Multiply& multiply, lab::Random& random) {
  const Shape shape{75, 34, 67};
  Problem problem{shape, Floats(shape.OfA()), random.Floats(shape.OfB(), -1000, 1000)};
  for (int row = 0; row < shape.m; ++row) problem.a[row * shape.k + row % shape.k] = 1;
  ExpectExactProduct(multiply, problem);
}

inline void ExpectAllEqualElements(const Multiply& multiply) {
  const Shape shape{40, 77, 35};
  ExpectExactProduct(multiply, {shape, Floats(shape.OfA(), 2), Floats(shape.OfB(), 3)});
}

// From 2^-30 to 2^30, either sign: sums in which most products are lost in the rounding.
inline Floats NumbersOfManySizes(std::size_t n, lab::Random& random) {
  Floats values(n);
  for (float& value : values) {
    value = std::ldexp(random.UniformFloat(-1, 1), random.UniformInt(-30, 30));
  }
  return values;
}

inline void ExpectNumbersOfManySizes(const Multiply& multiply, lab::Random& random) {
  const Shape shape{50, 90, 70};
  ExpectProduct(multiply, {shape, NumbersOfManySizes(shape.OfA(), random),
                           NumbersOfManySizes(shape.OfB(), random)});
}

// Products that cancel in pairs: what is left is all rounding.
inline void ExpectCancelledSums(const Multiply& multiply, lab::Random& random) {
  Problem problem = AnyProblem({33, 64, 34}, random);
  for (std::size_t i = 1; i < problem.a.size(); i += 2) problem.a[i] = -problem.a[i - 1];
  const int n = problem.shape.n;
  for (std::size_t i = 0; i < problem.b.size(); ++i) {
    if (i / n % 2 == 1) problem.b[i] = problem.b[i - n];
  }
  ExpectProduct(multiply, problem);
}

// Infinities and NaN at the edges: what a tile reads outside of the matrices must be 0 on both
// sides, as 0 * infinity is NaN.
inline void ExpectSpecialValuesStayInTheirRowsAndColumns(const Multiply& multiply,
                                                         lab::Random& random) {
  const float infinity = std::numeric_limits<float>::infinity();
  const Shape shape{37, 41, 43};
  const auto [m, k, n] = shape;
  const Problem ordinary{shape, random.Floats(shape.OfA(), 1, 2), random.Floats(shape.OfB(), 1, 2)};
  Problem in_a = ordinary;
  in_a.a[5 * k + k - 1] = infinity;
  in_a.a[(m - 1) * k + 3] = -infinity;
  in_a.a[20 * k] = std::numeric_limits<float>::quiet_NaN();
  ExpectProduct(multiply, in_a);
  Problem in_b = ordinary;
  in_b.b[(k - 1) * n + 7] = infinity;
  in_b.b[3 * n + n - 1] = -infinity;
  in_b.b[(k - 1) * n + n - 2] = std::numeric_limits<float>::quiet_NaN();
  ExpectProduct(multiply, in_b);
  Problem in_both = in_a;
  in_both.b = in_b.b;
  ExpectProduct(multiply, in_both);
}

inline void ExpectIndependentCalls(const Multiply& multiply, lab::Random& random) {
  for (std::size_t call = 0; call < lab::Scaled(25); ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    const auto width = [&] { return random.UniformInt(0, 90); };
    const int m = width(), k = width(), n = width();
    ExpectProduct(multiply, AnyProblem({m, k, n}, random));
    if (testing::Test::HasFailure()) return;
  }
}

// Several blocks of up to 32 threads in a row, and tiles over the edges.
inline void ExpectServed(const Multiply& multiply, lab::Random& random) {
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectProduct(multiply, AnyProblem({35, 18, 37}, random));
  });
}

// With `rows` = 500'000, the largest number of rows and of columns in the contract. A tile of 32
// multiplies a thousand times for each row, so the parts with tiles get less.
inline void ExpectLongMatrices(const Multiply& multiply, lab::Random& random, int rows) {
  const int longest = static_cast<int>(lab::Scaled(rows));
  ExpectEach(multiply, {{longest, 1, 1}, {1, 1, longest}, {2, longest, 3}}, random);
}

inline void ExpectLargeProduct(const Multiply& multiply, lab::Random& random) {
  const auto scaled = [](int n) { return static_cast<int>(lab::Scaled(n)) + 3; };
  ExpectProduct(multiply, AnyProblem({scaled(400), scaled(300), scaled(350)}, random));
}

}  // namespace cuda_matmul
