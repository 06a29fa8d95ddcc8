// The hidden test of FirstMinimum.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include "common/lab/call/sizes.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/openmp_callers.h"
#include "common/lab/testing/timed_pairs.h"
#include "labs/openmp_reduction/reduction.h"
#include "solutions/openmp_reduction/hidden_inputs.h"

namespace openmp_reduction {
namespace {

const lab::Function<decltype(FirstMinimum)> first_minimum{"FirstMinimum"};

MinLocation ExpectedMinimum(std::span<const float> values) {
  MinLocation best{kInfinity, values.size()};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) continue;
    if (best.index == values.size() || values[i] < best.value) best = {values[i], i};
  }
  return best;
}

// Fatal, so that a loop over many inputs stops at the first that fails.
void ExpectFirstMinimum(std::span<const float> values, const std::string& what) {
  const MinLocation want = ExpectedMinimum(values);
  const MinLocation got = first_minimum(values);
  ASSERT_EQ(got.value, want.value) << what << ", " << Case(values.size());
  ASSERT_EQ(got.index, want.index) << what << ", " << Case(values.size());
}

TEST(FirstMinimumTest, FindsTheMinimumWhereverItStands) {
  lab::Random random;
  for (const std::size_t n : Sizes(sizeof(float))) {
    Floats values = random.Floats(n, 1, 2);
    ASSERT_NO_FATAL_FAILURE(ExpectFirstMinimum(values, "random values"));
    const std::size_t step = n / 20 + 1;
    for (std::size_t place = 0; place < n; place += step) {
      const float before = std::exchange(values[place], 0.5f);
      ASSERT_NO_FATAL_FAILURE(ExpectFirstMinimum(values, "minimum at " + std::to_string(place)));
      values[place] = before;
    }
  }
}

TEST(FirstMinimumTest, GivesTheFirstOfEqualMinimaInDifferentShares) {
  lab::Random random;
  for (int round = 0; round < 100; ++round) {
    const std::size_t n = random.UniformInt<std::size_t>(2, 400);
    Floats values = random.Floats(n, 1, 2);
    const int copies = random.UniformInt(2, 5);
    for (int i = 0; i < copies; ++i) values[random.UniformInt<std::size_t>(0, n - 1)] = -3;
    ASSERT_NO_FATAL_FAILURE(ExpectFirstMinimum(values, "several equal minima"));
  }
}

TEST(FirstMinimumTest, FindsTheMinimumInAnyShareOfEveryTeam) {
  ForEachTeam([](const std::string& team) {
    for (std::size_t place = 0; place < 16; ++place) {
      Floats values(16, 2.0f);
      values[place] = values[15] = 1;
      ASSERT_NO_FATAL_FAILURE(ExpectFirstMinimum(values, team));
    }
  });
}

TEST(FirstMinimumTest, GivesTheFirstIndexWhenAllValuesAreEqual) {
  for (const std::size_t n : Sizes(sizeof(float))) {
    for (const float value : {0.0f, -1.0f, 1e30f, kInfinity, -kInfinity}) {
      ASSERT_NO_FATAL_FAILURE(ExpectFirstMinimum(Floats(n, value), "all equal"));
    }
  }
}

TEST(FirstMinimumTest, FindsPositiveAndNegativeMinima) {
  lab::Random random;
  ExpectFirstMinimum(random.Floats(100, 1e-30f, 1e30f), "positive values");
  ExpectFirstMinimum(random.Floats(100, -1e30f, -1e-30f), "negative values");
  ExpectFirstMinimum(Floats(10, std::numeric_limits<float>::max()), "the largest float");
  ExpectFirstMinimum(Floats(10, std::numeric_limits<float>::lowest()), "the lowest float");
}

TEST(FirstMinimumTest, FindsTheEndsOfAscendingAndDescendingValues) {
  for (const std::size_t n : {std::size_t{2}, std::size_t{1000}, lab::Scaled(100'000)}) {
    Floats ascending(n);
    for (std::size_t i = 0; i < n; ++i) ascending[i] = static_cast<float>(i);
    ExpectFirstMinimum(ascending, "ascending values");
    ExpectFirstMinimum(Floats(ascending.rbegin(), ascending.rend()), "descending values");
  }
}

TEST(FirstMinimumTest, NeverGivesNotANumber) {
  lab::Random random;
  for (const std::size_t place : {0, 1, 24, 25, 49, 50, 51, 75, 98, 99}) {
    Floats values = random.Floats(100, 1, 2);
    values[place] = kNotANumber;
    values[(place + 1) % 100] = -kNotANumber;
    ExpectFirstMinimum(values, "NaN at " + std::to_string(place));
    Floats only(100, kNotANumber);
    only[place] = 5;
    ExpectFirstMinimum(only, "the only number at " + std::to_string(place));
    only[place] = kInfinity;
    ExpectFirstMinimum(only, "infinity alone at " + std::to_string(place));
  }
}

TEST(FirstMinimumTest, GivesInfinityAndTheSizeWhenThereIsNoMinimum) {
  for (const std::size_t n : {0, 1, 2, 7, 100, 1000}) {
    ExpectFirstMinimum(Floats(n, kNotANumber), "nothing but NaN");
  }
}

TEST(FirstMinimumTest, TakesTheFirstZeroWhateverItsSign) {
  ExpectFirstMinimum(Floats{1, 0.0f, -0.0f, 0.0f}, "0 before -0");
  ExpectFirstMinimum(Floats{1, 1, -0.0f, 0.0f}, "-0 before 0");
}

TEST(FirstMinimumTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  for (int call = 0; call < 100; ++call) {
    // Each call's values are larger than those of the call before.
    const float low = static_cast<float>(call);
    const Floats values = random.Floats(random.UniformInt(1, 300), low, low + 1);
    ASSERT_NO_FATAL_FAILURE(ExpectFirstMinimum(values, "call " + std::to_string(call)));
  }
}

LAB_TEST_OPENMP_CALLERS(FirstMinimumTest, [](lab::Random& random, const std::string& what) {
  ExpectFirstMinimum(random.Floats(3000, -1, 1), what);
})

TEST(FirstMinimumTest, FindsTheFirstMinimumOfManyValues) {
  lab::Random random;
  Floats values = random.Floats(lab::Scaled(kLargeSize) + 3, 0, 1);
  ExpectFirstMinimum(values, "random values");
  // Few different values, so equal minima stand everywhere.
  for (float& value : values) value = static_cast<float>(random.UniformInt(3, 6));
  ExpectFirstMinimum(values, "four different values");
}

TEST(FirstMinimumTiming, SearchesEightMillionValues) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    Floats values = random.SmallNumbers(Timed(1 << 23, 2));
    values[random.UniformInt<std::size_t>(0, values.size() - 1)] = -1;
    return [want = ExpectedMinimum(values), values = std::move(values)] {
      const MinLocation got = first_minimum(values);
      EXPECT_EQ(got.value, want.value);
      EXPECT_EQ(got.index, want.index);
    };
  });
}

}  // namespace
}  // namespace openmp_reduction
