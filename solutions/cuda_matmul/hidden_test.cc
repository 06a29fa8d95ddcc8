// The hidden test of the lab "Matrix multiplication on a GPU": the parts for matrices of any size.
//
// Elements may differ from the exact sums by what rounding in any order allows (hidden_product.h).

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "common/lab/call/callers.h"
#include "common/lab/call/sizes.h"
#include "common/lab/testing/with_failing_calls.h"
#include "solutions/cuda_matmul/hidden_cases.h"

namespace cuda_matmul {
namespace {

struct Part {
  Multiply multiply;
  int longest;  // rows or columns of a matrix
};

// All parts have the same contract.
struct ProductTest : testing::TestWithParam<Part> {
  const Multiply& multiply = GetParam().multiply;
  const int longest = GetParam().longest;
  lab::Random random;
};

TEST_P(ProductTest, MultipliesTwoByThreeWithThreeByFour) { ExpectSmallProduct(multiply); }

TEST_P(ProductTest, MultipliesSquaresAtTheEdgesOfTiles) {
  std::vector<Shape> shapes;
  for (const int width : EdgeWidths()) shapes.push_back({width, width, width});
  ExpectEach(multiply, shapes, random);
}

// Each width in turn at the edges of tiles, the other two where no tile ends.
TEST_P(ProductTest, MultipliesRectanglesAtTheEdgesOfTiles) {
  std::vector<Shape> shapes;
  for (const int width : EdgeWidths()) {
    shapes.push_back({width, 37, 21});
    shapes.push_back({21, width, 37});
    shapes.push_back({37, 21, width});
  }
  ExpectEach(multiply, shapes, random);
}

// Widths that are multiples of four floats, except one of them at a time.
TEST_P(ProductTest, MultipliesWidthsThatFourDividesAndThatItDoesNot) {
  ExpectEach(multiply, {{68, 36, 132}, {68, 36, 131}, {68, 35, 132}, {67, 36, 132}, {4, 4, 4}},
             random);
}

TEST_P(ProductTest, MultipliesVectorsAndNumbers) {
  ExpectEach(multiply, {{1, 1000, 1}, {300, 1, 200}, {1, 70, 500}, {500, 70, 1}, {1, 1, 1}},
             random);
}

TEST_P(ProductTest, DoesNothingForEmptyMatrices) {
  ExpectEach(multiply, {{0, 5, 7}, {5, 7, 0}, {0, 0, 0}, {0, 5, 0}, {0, 0, 7}, {5, 0, 0}}, random);
}

TEST_P(ProductTest, GivesZerosWithoutProducts) {
  ExpectEach(multiply, {{1, 0, 1}, {20, 0, 33}, {70, 0, 130}}, random);
}

TEST_P(ProductTest, IsExactForWholeNumbers) {
  ExpectExactProduct(multiply, WholeProblem({70, 200, 45}, random));
  ExpectExactProduct(multiply, WholeProblem({131, 66, 97}, random));
}

// Row r of A picks row r % k of B: every row of C is one of B, bit by bit.
TEST_P(ProductTest, PicksRowsBitByBit) {
  const Shape shape{75, 34, 67};
  Problem problem{shape, Floats(shape.OfA()), random.Floats(shape.OfB(), -1000, 1000)};
  for (int row = 0; row < shape.m; ++row) problem.a[row * shape.k + row % shape.k] = 1;
  ExpectExactProduct(multiply, problem);
}

TEST_P(ProductTest, AddsEqualProducts) {
  const Shape shape{40, 77, 35};
  ExpectExactProduct(multiply, {shape, Floats(shape.OfA(), 2), Floats(shape.OfB(), 3)});
}

TEST_P(ProductTest, StaysWithinTheBoundForNumbersOfManySizes) {
  const Shape shape{50, 90, 70};
  ExpectProduct(multiply, {shape, NumbersOfManySizes(shape.OfA(), random),
                           NumbersOfManySizes(shape.OfB(), random)});
}

// Products that cancel in pairs: what is left is all rounding.
TEST_P(ProductTest, StaysWithinTheBoundWhereProductsCancel) {
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
TEST_P(ProductTest, KeepsInfinitiesAndNanInTheirRowsAndColumns) {
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

TEST_P(ProductTest, KeepsNothingFromOneCallToTheNext) {
  for (std::size_t call = 0; call < lab::Scaled(25); ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    const auto width = [&] { return random.UniformInt(0, 90); };
    const int m = width(), k = width(), n = width();
    ExpectProduct(multiply, AnyProblem({m, k, n}, random));
    if (HasFailure()) return;
  }
}

// Several blocks of up to 32 threads in a row, and tiles over the edges.
TEST_P(ProductTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectProduct(multiply, AnyProblem({35, 18, 37}, random));
  });
}

// With `longest` = 500'000, the largest number of rows and of columns in the contract. A tile of 32
// multiplies a thousand times for each row, so the parts with tiles get less.
TEST_P(ProductTest, MultipliesLongMatrices) {
  const int rows = static_cast<int>(lab::Scaled(longest));
  ExpectEach(multiply, {{rows, 1, 1}, {1, 1, rows}, {2, rows, 3}}, random);
}

TEST_P(ProductTest, MultipliesALargeProblem) {
  const auto scaled = [](int n) { return static_cast<int>(lab::Scaled(n)) + 3; };
  ExpectProduct(multiply, AnyProblem({scaled(400), scaled(300), scaled(350)}, random));
}

TEST_P(ProductTest, ThrowsWhenARuntimeCallFails) {
  ExpectSmallProduct(lab::WithFailingCalls(multiply));
}

INSTANTIATE_TEST_SUITE_P(MatMulTest, ProductTest, testing::Values(Part{With(mat_mul), 500'000}));
INSTANTIATE_TEST_SUITE_P(MatMulTiledTest, ProductTest,
                         testing::Values(Part{With(mat_mul_tiled), 100'000}));
INSTANTIATE_TEST_SUITE_P(MatMulRegisterTiledTest, ProductTest,
                         testing::Values(Part{With(mat_mul_register_tiled), 30'000}));

}  // namespace
}  // namespace cuda_matmul
