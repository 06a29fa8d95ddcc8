// The hidden test of DotProduct.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <string>

#include "common/lab/call/sizes.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/openmp_callers.h"
#include "common/lab/testing/timed_pairs.h"
#include "labs/openmp_reduction/reduction.h"
#include "solutions/openmp_reduction/hidden_inputs.h"

namespace openmp_reduction {
namespace {

const lab::Function<decltype(DotProduct)> dot_product{"DotProduct"};

// Whole numbers. All products and sums of them here are below 2^53, so exact in any order.
Floats WholeNumbers(lab::Random& random, std::size_t n, int largest) {
  Floats values(n);
  for (float& value : values) value = static_cast<float>(random.UniformInt(-largest, largest));
  return values;
}

struct ExpectedSum {
  double value;
  double tolerance;
};

// The dot product, and by how much n - 1 additions in double, in any order, may miss it:
// (n - 1) u sum |a b| to first order with u = 2^-53 (Higham, Accuracy and Stability of Numerical
// Algorithms, 2nd edition, section 3.1); the products are exact. One n u sum |a b| more covers the
// second order, and this function's own rounding in long double.
ExpectedSum ExpectDot(std::span<const float> a, std::span<const float> b) {
  long double sum = 0;
  long double absolute = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double product = static_cast<double>(a[i]) * static_cast<double>(b[i]);
    sum += product;
    absolute += std::abs(product);
  }
  const double n = static_cast<double>(a.size());
  return {static_cast<double>(sum), 2 * n * 0x1p-53 * static_cast<double>(absolute)};
}

// Sums in order; exact where the inputs are whole numbers.
double ExactDot(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  }
  return sum;
}

TEST(DotProductTest, AddsEveryProductOnceAtSharePageAndCacheLineEdges) {
  lab::Random random;
  for (const std::size_t n : Sizes(sizeof(float))) {
    const Floats a = WholeNumbers(random, n, 1 << 20);
    const Floats b = WholeNumbers(random, n, 1 << 20);
    ASSERT_EQ(dot_product(a, b), ExactDot(a, b)) << Case(n);
  }
}

TEST(DotProductTest, AddsEveryProductOnceWithEveryTeam) {
  lab::Random random;
  const Floats a = WholeNumbers(random, 1003, 1 << 20);
  ForEachTeam([&](const std::string& team) {
    for (const std::size_t n : {1, 2, 3, 4, 5, 6, 7, 8, 9, 1003}) {
      const std::span values(a.data(), n);
      ASSERT_EQ(dot_product(values, values), ExactDot(values, values)) << Case(n) << ", " << team;
    }
  });
}

TEST(DotProductTest, MultipliesAVectorWithItself) {
  lab::Random random;
  const Floats a = WholeNumbers(random, 1000, 1 << 20);
  EXPECT_EQ(dot_product(a, a), ExactDot(a, a));
}

TEST(DotProductTest, KeepsEveryBitOfAProduct) {
  // (2^23 + 1)^2 and (2^24 - 1)^2 need 47 and 48 bits, twice what a float has.
  EXPECT_EQ(dot_product(Floats{0x1p23f + 1}, Floats{0x1p23f + 1}), 0x1p46 + 0x1p24 + 1);
  EXPECT_EQ(dot_product(Floats{0x1p24f - 1}, Floats{0x1p24f - 1}), 0x1p48 - 0x1p25 + 1);
}

TEST(DotProductTest, KeepsSmallProductsThatCancellingLargeOnesSurround) {
  lab::Random random;
  for (int round = 0; round < 10; ++round) {
    Floats a = WholeNumbers(random, 1024, 100);
    const Floats ones(1024, 1.0f);
    for (std::size_t i = 0; i < 128; ++i) a[8 * i + round % 8] = i % 2 == 0 ? 0x1p40f : -0x1p40f;
    random.Shuffle(a);
    EXPECT_EQ(dot_product(a, ones), ExactDot(a, ones));
  }
}

TEST(DotProductTest, StaysWithinTheRoundingBoundOfItsAdditions) {
  lab::Random random;
  for (const std::size_t n : {std::size_t{100}, lab::Scaled(1 << 17)}) {
    Floats a(n);
    Floats b(n);
    for (std::size_t i = 0; i < n; ++i) {
      a[i] = std::ldexp(random.UniformFloat(-1, 1), random.UniformInt(-60, 60));
      b[i] = std::ldexp(random.UniformFloat(-1, 1), random.UniformInt(-60, 60));
    }
    const ExpectedSum want = ExpectDot(a, b);
    EXPECT_NEAR(dot_product(a, b), want.value, want.tolerance) << Case(n);
  }
}

TEST(DotProductTest, NeitherOverflowsNorUnderflowsWhereFloatWould) {
  const Floats largest(100, std::numeric_limits<float>::max());
  const double square = static_cast<double>(largest[0]) * largest[0];
  EXPECT_NEAR(dot_product(largest, largest), 100 * square, 200 * 0x1p-53 * 100 * square);
  const Floats smallest(64, std::numeric_limits<float>::min());
  EXPECT_EQ(dot_product(smallest, smallest), 64 * std::pow(2.0, -252));
}

TEST(DotProductTest, FollowsIeee754ForNotANumberAndInfinity) {
  const Floats ones(100, 1.0f);
  for (const std::size_t place : {0, 1, 33, 49, 50, 98, 99}) {
    Floats a(100, 1.0f);
    a[place] = kNotANumber;
    EXPECT_TRUE(std::isnan(dot_product(a, ones))) << "NaN at " << place;
    EXPECT_TRUE(std::isnan(dot_product(ones, a))) << "NaN at " << place;
    a[place] = -kInfinity;
    EXPECT_EQ(dot_product(a, ones), -kInfinity) << "-infinity at " << place;
    a[(place + 50) % 100] = kInfinity;
    EXPECT_TRUE(std::isnan(dot_product(a, ones))) << "both infinities, one at " << place;
    a.assign(100, 0.0f);
    a[place] = kInfinity;
    EXPECT_TRUE(std::isnan(dot_product(a, Floats(100, 0.0f)))) << "infinity times 0 at " << place;
  }
}

TEST(DotProductTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  for (int call = 0; call < 100; ++call) {
    const std::size_t n = random.UniformInt<std::size_t>(0, 300);
    const Floats a = WholeNumbers(random, n, 1000);
    const Floats b = WholeNumbers(random, n, 1000);
    ASSERT_EQ(dot_product(a, b), ExactDot(a, b)) << "call " << call << " " << Case(n);
  }
}

LAB_TEST_OPENMP_CALLERS(DotProductTest, [](lab::Random& random, const std::string& what) {
  const Floats a = WholeNumbers(random, 3000, 1000);
  const Floats b = WholeNumbers(random, 3000, 1000);
  ASSERT_EQ(dot_product(a, b), ExactDot(a, b)) << what;
})

TEST(DotProductTest, AddsALargeNumberOfProducts) {
  lab::Random random;
  // As doubles these are 16 MB, more than a stack has.
  const Floats a = WholeNumbers(random, lab::Scaled(1 << 21) + 3, 1 << 15);
  const Floats b = WholeNumbers(random, a.size(), 1 << 15);
  EXPECT_EQ(dot_product(a, b), ExactDot(a, b)) << Case(a.size());
}

TEST(DotProductTiming, MultipliesEightMillionPairs) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    const std::size_t n = Timed(1 << 23, 2);
    Floats a = random.SmallNumbers(n);
    Floats b = random.SmallNumbers(n);
    return [want = ExactDot(a, b), a = std::move(a), b = std::move(b)] {
      EXPECT_EQ(dot_product(a, b), want);
    };
  });
}

}  // namespace
}  // namespace openmp_reduction
