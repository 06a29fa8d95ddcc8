// The public test: a few simple cases for each part. The grader tests more; reduction.h says what.
// One case of each part has the size on which the grader counts; README.md has their names.

#include "labs/cuda_reduction/reduction.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "common/lab/testing/with_failing_calls.h"

namespace {

using Floats = std::vector<float>;

const lab::Function<decltype(SumTile)> sum_tile{"SumTile"};
const lab::Function<decltype(Sum)> sum{"Sum"};
const lab::Function<decltype(SumCoarsened)> sum_coarsened{"SumCoarsened"};
const lab::Function<decltype(FirstMaximum)> first_maximum{"FirstMaximum"};

// n whole numbers. No sum of them here is rounded, whatever the order.
Floats WholeNumbers(std::size_t n) {
  lab::Random random;
  Floats values(n);
  for (float& value : values) value = static_cast<float>(random.UniformInt(-9, 9));
  return values;
}

// Calls add(values, sum), where sum is one number that was never written.
template <typename Add>
void ExpectSum(const Floats& values, const Add& add) {
  float want = 0;
  for (const float value : values) want += value;
  Floats result = lab::Poisoned<float>(1);
  add(values, result);
  EXPECT_TRUE(lab::ExpectAllEqual(result, Floats{want})) << "with n = " << values.size();
}

TEST(SumTileTest, AddsFourValues) { ExpectSum({3, 1, 4, 1}, sum_tile); }

TEST(SumTileTest, AddsAWholeTile) { ExpectSum(WholeNumbers(kTile), sum_tile); }

TEST(SumTileTest, AddsAThousandValues) { ExpectSum(WholeNumbers(1000), sum_tile); }

TEST(SumTileTest, GivesZeroForNoValues) { ExpectSum({}, sum_tile); }

TEST(SumTileTest, ThrowsWhenARuntimeCallFails) {
  ExpectSum({3, 1, 4, 1}, lab::WithFailingCalls(sum_tile));
}

TEST(SumTest, AddsATile) { ExpectSum(WholeNumbers(kTile), sum); }

TEST(SumTest, AddsOneValueMoreThanATile) { ExpectSum(WholeNumbers(kTile + 1), sum); }

TEST(SumTest, AddsAHundredThousandValues) { ExpectSum(WholeNumbers(100'003), sum); }

TEST(SumTest, AddsAQuarterOfAMillionValues) { ExpectSum(WholeNumbers((1 << 18) + 5), sum); }

TEST(SumTest, GivesZeroForNoValues) { ExpectSum({}, sum); }

TEST(SumTest, ThrowsWhenARuntimeCallFails) { ExpectSum({3, 1, 4, 1}, lab::WithFailingCalls(sum)); }

TEST(SumCoarsenedTest, AddsFiveValues) { ExpectSum({3, 1, 4, 1, 5}, sum_coarsened); }

TEST(SumCoarsenedTest, AddsAThousandValues) { ExpectSum(WholeNumbers(1000), sum_coarsened); }

TEST(SumCoarsenedTest, AddsAMillionValues) {
  ExpectSum(WholeNumbers((1 << 20) + 5), sum_coarsened);
}

TEST(SumCoarsenedTest, GivesZeroForNoValues) { ExpectSum({}, sum_coarsened); }

TEST(SumCoarsenedTest, ThrowsWhenARuntimeCallFails) {
  ExpectSum({3, 1, 4, 1}, lab::WithFailingCalls(sum_coarsened));
}

void ExpectMaximum(const Floats& values, std::int64_t first, float want_value,
                   std::int64_t want_index) {
  std::vector<MaxLocation> maximum = lab::Poisoned<MaxLocation>(1);
  first_maximum(values, first, maximum);
  EXPECT_EQ(maximum[0].value, want_value) << "with n = " << values.size();
  EXPECT_EQ(maximum[0].index, want_index) << "with n = " << values.size();
}

TEST(FirstMaximumTest, FindsTheLargestOfFourValues) { ExpectMaximum({3, 1, 4, 1}, 0, 4, 2); }

TEST(FirstMaximumTest, CountsFromTheIndexOfTheFirstValue) {
  ExpectMaximum({3, 1, 4, 1}, 5'000'000'000, 4, 5'000'000'002);
}

TEST(FirstMaximumTest, GivesTheFirstOfEqualMaxima) {
  Floats values = WholeNumbers(10'000);
  values[1234] = values[1235] = values[9000] = 50;
  ExpectMaximum(values, 0, 50, 1234);
}

TEST(FirstMaximumTest, FindsTheLargestOfAMillionValues) {
  Floats values = WholeNumbers((1 << 20) + 5);
  values[777'777] = 50;
  ExpectMaximum(values, 0, 50, 777'777);
}

TEST(FirstMaximumTest, FindsTheLargestOfNegativeValues) { ExpectMaximum({-3, -1, -4}, 0, -1, 1); }

TEST(FirstMaximumTest, DoesNotLookAtWhatIsNotANumber) {
  ExpectMaximum({std::nanf(""), 1, std::nanf(""), 2, 2}, 0, 2, 3);
}

TEST(FirstMaximumTest, HasNoMaximumWithoutValues) {
  ExpectMaximum({}, 7, -std::numeric_limits<float>::infinity(), 7);
}

TEST(FirstMaximumTest, ThrowsWhenARuntimeCallFails) {
  std::vector<MaxLocation> maximum(1);
  lab::WithFailingCalls(first_maximum)(Floats{3, 1, 4, 1}, 0, maximum);
  EXPECT_EQ(maximum[0].index, 2);
}

}  // namespace
