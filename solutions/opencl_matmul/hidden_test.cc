// The hidden test of the lab "Matrix multiplication with OpenCL".
//
// Elements may differ from the exact sums by what rounding in any order allows (matmul.h).

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "common/lab/call/callers.h"
#include "common/lab/call/sizes.h"
#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "common/lab/testing/with_failing_calls.h"
#include "labs/opencl_matmul/matmul.h"

namespace opencl_matmul {
namespace {

using Floats = std::vector<float>;

const lab::Function<decltype(VecAdd)> vec_add{"VecAdd"};
const lab::Function<decltype(MatMul)> mat_mul{"MatMul"};
const lab::Function<decltype(MatMulTiled)> mat_mul_tiled{"MatMulTiled"};
const lab::Function<decltype(MatMulVectors)> mat_mul_vectors{"MatMulVectors"};

void ExpectSum(const std::function<void(const Floats&, const Floats&, Floats&)>& add, std::size_t n,
               lab::Random& random) {
  const Floats a = random.Floats(n, -1000, 1000), b = random.Floats(n, -1000, 1000);
  Floats want(n);
  for (std::size_t i = 0; i < n; ++i) want[i] = a[i] + b[i];
  Floats c = lab::Poisoned<float>(n);
  SCOPED_TRACE("with n = " + std::to_string(n));
  add(a, b, c);
  lab::ExpectAllEqual(c, want);
}

struct VecAddTest : testing::Test {
  lab::Random random;
};

TEST_F(VecAddTest, AddsAThousandElements) { ExpectSum(vec_add, 1000, random); }

TEST_F(VecAddTest, AddsEveryElementAtTheEdgesOfGroups) {
  for (const std::size_t n : {1,   2,   31,  32,  33,  63,   64,   65,   127,  128,  129, 255,
                              256, 257, 511, 512, 513, 1023, 1024, 1025, 4095, 4096, 4097}) {
    ExpectSum(vec_add, n, random);
    if (HasFailure()) return;
  }
}

TEST_F(VecAddTest, DoesNothingForEmptyVectors) { ExpectSum(vec_add, 0, random); }

TEST_F(VecAddTest, AddsAVectorToItself) {
  const Floats a = random.Floats(500, -1000, 1000);
  Floats want(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) want[i] = a[i] + a[i];
  Floats c = lab::Poisoned<float>(a.size());
  vec_add(a, a, c);
  lab::ExpectAllEqual(c, want);
}

TEST_F(VecAddTest, KeepsNothingFromOneCallToTheNext) {
  for (int call = 0; call < 20; ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    ExpectSum(vec_add, random.UniformInt<std::size_t>(0, 2000), random);
    if (HasFailure()) return;
  }
}

TEST_F(VecAddTest, ServesSeveralCallers) {
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectSum(vec_add, 1000, random);
  });
}

TEST_F(VecAddTest, AddsALargeInput) { ExpectSum(vec_add, lab::Scaled(1 << 20) + 3, random); }

TEST_F(VecAddTest, ThrowsAndReleasesItsBuffersWhenACallFails) {
  ExpectSum(lab::WithFailingCalls(vec_add), 100, random);
}

struct Shape {
  int m, k, n;
};

std::ostream& operator<<(std::ostream& out, const Shape& shape) {
  return out << "m = " << shape.m << ", k = " << shape.k << ", n = " << shape.n;
}

struct Problem {
  Shape shape;
  Floats a, b;
};

using Multiply = std::function<void(std::span<const float> a, std::span<const float> b,
                                    std::span<float> c, int m, int k, int n)>;

// Looks at every element, as near to the exact product as the contract says.
void ExpectProduct(const Multiply& multiply, const Problem& problem) {
  const auto [m, k, n] = problem.shape;
  std::vector<double> want(std::size_t(m) * n), tolerances(want.size());
  const double gamma = k * 0x1p-24 / (1 - k * 0x1p-24) + 2 * k * 0x1p-53;
  for (int row = 0; row < m; ++row) {
    for (int i = 0; i < k; ++i) {
      const double a = problem.a[std::size_t(row) * k + i];
      for (int column = 0; column < n; ++column) {
        const double product = a * problem.b[std::size_t(i) * n + column];
        want[std::size_t(row) * n + column] += product;
        tolerances[std::size_t(row) * n + column] += gamma * std::abs(product);
      }
    }
  }
  Floats c = lab::Poisoned<float>(want.size());
  SCOPED_TRACE(testing::Message() << "with " << problem.shape);
  multiply(problem.a, problem.b, c, m, k, n);
  lab::ExpectAllNear(c, want, std::span<const double>(tolerances));
}

Problem AnyProblem(const Shape& shape, lab::Random& random) {
  return {shape, random.Floats(std::size_t(shape.m) * shape.k, -1, 1),
          random.Floats(std::size_t(shape.k) * shape.n, -1, 1)};
}

struct Part {
  Multiply multiply;
  int step;  // n is a multiple of it
};

struct ProductTest : testing::TestWithParam<Part> {
  // With n rounded up to what the part allows.
  void Expect(Shape shape) {
    const int step = GetParam().step;
    shape.n = (shape.n + step - 1) / step * step;
    ExpectProduct(GetParam().multiply, AnyProblem(shape, random));
  }

  lab::Random random;
};

// Small enough for paper, and no two widths alike.
const Problem kSmall = {{2, 3, 4},
                        {1, 2, 3, 4, 5, 6},
                        {1, 0, 0, 1,  //
                         0, 1, 0, 1,  //
                         0, 0, 1, 1}};

TEST_P(ProductTest, MultipliesTwoByThreeWithThreeByFour) {
  ExpectProduct(GetParam().multiply, kSmall);
}

TEST_P(ProductTest, MultipliesAtTheEdgesOfTiles) {
  for (const int width : {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65}) {
    Expect({width, 21, 20});
    Expect({21, width, 20});
    Expect({20, 21, width});
    if (HasFailure()) return;
  }
}

TEST_P(ProductTest, MultipliesVectorsAndNumbers) {
  for (const Shape& shape : {Shape{1, 500, 1}, Shape{200, 1, 100}, Shape{1, 40, 300},
                             Shape{300, 40, 1}, Shape{1, 1, 1}}) {
    Expect(shape);
    if (HasFailure()) return;
  }
}

// What a tile holds beyond the edges must be 0 on both sides, as 0 * infinity is NaN.
TEST_P(ProductTest, KeepsInfinitiesInTheirRowsAndColumns) {
  const float infinity = std::numeric_limits<float>::infinity();
  const Shape shape{37, 41, 44};
  Problem problem{shape, random.Floats(37 * 41, 1, 2), random.Floats(41 * 44, 1, 2)};
  problem.a[5 * 41 + 40] = infinity;
  problem.b[40 * 44 + 7] = -infinity;
  ExpectProduct(GetParam().multiply, problem);
}

TEST_P(ProductTest, KeepsNothingFromOneCallToTheNext) {
  for (int call = 0; call < 8; ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    const auto width = [&] { return random.UniformInt(1, 60); };
    Expect({width(), width(), width()});
    if (HasFailure()) return;
  }
}

TEST_P(ProductTest, MultipliesLongMatrices) {
  const int rows = static_cast<int>(lab::Scaled(20'000));
  Expect({rows, 1, 4});
  Expect({1, 1, rows});
}

TEST_P(ProductTest, MultipliesALargeProblem) {
  const auto scaled = [](int n) { return static_cast<int>(lab::Scaled(n)) + 3; };
  Expect({scaled(200), scaled(150), scaled(180)});
}

TEST_P(ProductTest, ThrowsAndReleasesItsBuffersWhenACallFails) {
  ExpectProduct(lab::WithFailingCalls(GetParam().multiply), kSmall);
}

template <typename F>
Part PartOf(const F& function, int step = 1) {
  return {[&function](auto... arguments) { function(arguments...); }, step};
}

INSTANTIATE_TEST_SUITE_P(MatMulTest, ProductTest, testing::Values(PartOf(mat_mul)));
INSTANTIATE_TEST_SUITE_P(MatMulTiledTest, ProductTest, testing::Values(PartOf(mat_mul_tiled)));
INSTANTIATE_TEST_SUITE_P(MatMulVectorsTest, ProductTest,
                         testing::Values(PartOf(mat_mul_vectors, 4)));

// What the simulator counts, on the sizes that lab.toml's thresholds are for.
void Count(const Multiply& multiply, const Shape& shape) {
  lab::Random random;
  ExpectProduct(multiply, AnyProblem(shape, random));
}

TEST(VecAddCounted, AddsWholeSectors) {
  lab::Random random;
  ExpectSum(vec_add, 16'389, random);
}

TEST(VecAddParallelCounted, AddsAQuarterOfAMillionElements) {
  lab::Random random;
  ExpectSum(vec_add, (1 << 18) + 5, random);
}

TEST(MatMulCounted, MultipliesWholeGroups) { Count(PartOf(mat_mul).multiply, {64, 48, 96}); }

// Few steps along k: a group's memory traffic is mostly its own elements of C.
TEST(MatMulParallelCounted, SharesTheElementsOut) {
  Count(PartOf(mat_mul).multiply, {128, 8, 256});
}

TEST(MatMulTiledCounted, MultipliesPartsOfTiles) {
  Count(PartOf(mat_mul_tiled).multiply, {135, 75, 119});
}

TEST(MatMulVectorsCounted, MultipliesManyColumns) {
  Count(PartOf(mat_mul_vectors).multiply, {128, 64, 256});
}

TEST(MatMulVectorsParallelCounted, SharesTheElementsOut) {
  Count(PartOf(mat_mul_vectors).multiply, {512, 8, 1024});
}

}  // namespace
}  // namespace opencl_matmul
