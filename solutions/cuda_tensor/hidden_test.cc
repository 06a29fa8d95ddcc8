// The hidden test of the lab "Tensor cores and attention": halves and products.

#include <gtest/gtest.h>

#include "solutions/cuda_tensor/hidden_parts.h"

namespace cuda_tensor {
namespace {

struct AddScaledTest : testing::Test {
  lab::Random random;

  Halves AnyBits(std::size_t n) { return random.AnyBits<HalfBits>(n); }
};

TEST_F(AddScaledTest, AddsEveryNumberOfElements) {
  for (std::size_t n = 0; n <= 40; ++n) {
    ExpectScaledSum(add_scaled, ToHalf(0.7), AnyHalves(n, -2, 2, random),
                    AnyHalves(n, -2, 2, random));
  }
  for (const std::size_t width : {256, 1024, 2048}) {
    for (const std::size_t n : lab::EdgeSizes(width)) {
      ExpectScaledSum(add_scaled, ToHalf(-3), AnyHalves(n, -2, 2, random),
                      AnyHalves(n, -2, 2, random));
    }
  }
}

// Subnormals, infinities and NaN, too, and sums that cancel or are lost in the rounding.
TEST_F(AddScaledTest, RoundsEverySumOnce) {
  for (int i = 0; i < 12; ++i) {
    ExpectScaledSum(add_scaled, AnyBits(1)[0], AnyBits(3000), AnyBits(3000));
  }
}

// a x lies close to the middle between two halves, and y, far smaller, decides.
TEST_F(AddScaledTest, RoundsTiesByWhatIsLost) {
  Halves x, y;
  for (int digits = 1025; digits < 2048; digits += 2) {
    x.push_back(ToHalf(digits));
    y.push_back(ToHalf(digits % 4 == 1 ? 0x1p-20 : -0x1p-20));
  }
  ExpectScaledSum(add_scaled, ToHalf(1.5), x, y);
  ExpectScaledSum(add_scaled, ToHalf(1.0009765625), x, Halves(x.size()));
}

TEST_F(AddScaledTest, OverflowsToInfinityAndNoEarlier) {
  const Halves x{ToHalf(32760), ToHalf(-32760), ToHalf(32752), ToHalf(65504), ToHalf(40000)};
  const Halves y{ToHalf(0), ToHalf(-16), ToHalf(15), ToHalf(-65504), ToHalf(-30000)};
  ExpectScaledSum(add_scaled, ToHalf(2), x, y);
}

TEST_F(AddScaledTest, AddsAnArrayToItself) {
  Halves y = AnyHalves(999, -9, 9, random);
  ExpectScaledSum(add_scaled, ToHalf(0.5), Halves(y), y);
}

TEST_F(AddScaledTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectScaledSum(add_scaled, ToHalf(3), AnyHalves(3001, -9, 9, random),
                    AnyHalves(3001, -9, 9, random));
  });
}

TEST_F(AddScaledTest, AddsALargeArray) {
  const std::size_t n = lab::Scaled(2'000'000) + 5;
  Halves x(n), y(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = ToHalf(static_cast<double>(i % 1009));
    y[i] = ToHalf(static_cast<double>(i % 97));
  }
  ExpectScaledSum(add_scaled, ToHalf(2), x, y);
}

TEST_F(AddScaledTest, ThrowsWhenARuntimeCallFails) {
  const Halves x = AnyHalves(30, -9, 9, random);
  lab::ExpectFailuresReported([&] {
    Halves y(30);
    add_scaled(ToHalf(3), x, y);
  });
  ExpectScaledSum(add_scaled, ToHalf(3), x, AnyHalves(30, -9, 9, random));
}

// Both parts have the same contract.
struct ProductsTest : testing::TestWithParam<Multiply> {
  const Multiply& multiply = GetParam();
  lab::Random random;
};

TEST_P(ProductsTest, MultipliesEveryNumberOfTiles) {
  for (const Shape& shape : {Shape{64, 64, 64},
                             {64, 128, 64},
                             {128, 64, 192},
                             {64, 64, 320},
                             {192, 128, 128},
                             {128, 192, 256}}) {
    ExpectExactProduct(multiply, WholeProblem(shape, random));
  }
}

TEST_P(ProductsTest, StaysWithinTheBound) {
  ExpectProduct(multiply, AnyProblem({64, 64, 128}, -1, random));
}

// Sums of 512 positive products: in half precision they would lose 7 of their digits.
TEST_P(ProductsTest, AddsInSinglePrecision) {
  ExpectProduct(multiply, AnyProblem({64, 64, 512}, 0, random));
}

// Small halves are subnormal, large ones' products are far beyond 65504.
TEST_P(ProductsTest, MultipliesTheSmallestAndTheLargestHalves) {
  Problem problem = AnyProblem({64, 64, 64}, -1, random);
  for (std::size_t i = 0; i < problem.a.size(); ++i) {
    const double a = ToDouble(problem.a[i]), b = ToDouble(problem.b[i]);
    problem.a[i] = ToHalf(i % 2 == 0 ? a * 65504 : a * 0x1p-15);
    problem.b[i] = ToHalf(i / 64 % 2 == 0 ? b * 65504 : b * 0x1p-18);
  }
  ExpectProduct(multiply, problem);
}

// Row r of A picks row r of B, so that C is B: each row and column has its place.
TEST_P(ProductsTest, PicksRows) {
  Problem problem = AnyProblem({128, 64, 128}, -1, random);
  for (int i = 0; i < 128 * 128; ++i) problem.a[i] = ToHalf(i / 128 == i % 128 ? 1 : 0);
  ExpectExactProduct(multiply, problem);
}

TEST_P(ProductsTest, DoesNothingForEmptyMatrices) {
  ExpectExactProduct(multiply, WholeProblem({0, 64, 64}, random));
  ExpectExactProduct(multiply, WholeProblem({64, 0, 64}, random));
}

TEST_P(ProductsTest, GivesZerosWithoutProducts) {
  ExpectExactProduct(multiply, WholeProblem({64, 64, 0}, random));
}

TEST_P(ProductsTest, KeepsNothingFromOneCallToTheNext) {
  for (int call = 0; call < 3; ++call) {
    const auto side = [&] { return 64 * random.UniformInt(1, 2); };
    const int m = side(), n = side(), k = side();
    ExpectExactProduct(multiply, WholeProblem({m, n, k}, random));
  }
}

TEST_P(ProductsTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectExactProduct(multiply, WholeProblem({64, 128, 64}, random));
  });
}

TEST_P(ProductsTest, ThrowsWhenARuntimeCallFails) {
  ExpectExactProduct(lab::WithFailingCalls(multiply), WholeProblem({64, 64, 64}, random));
}

INSTANTIATE_TEST_SUITE_P(TensorProductTest, ProductsTest, testing::Values(With(tensor_product)));
INSTANTIATE_TEST_SUITE_P(PipelinedProductTest, ProductsTest,
                         testing::Values(With(pipelined_product)));

}  // namespace
}  // namespace cuda_tensor
