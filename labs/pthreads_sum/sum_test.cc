// The public test: a few friendly cases for each part. The grader asks more; sum.h says what.

#include "labs/pthreads_sum/sum.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "common/lab/function.h"
#include "common/lab/inputs.h"

namespace {

const lab::Function<decltype(SumPartial)> sum_partial{"SumPartial"};
const lab::Function<decltype(SumQueue)> sum_queue{"SumQueue"};

// 1, 2, …, n: their sum is n (n + 1) / 2, and every addition on the way is exact in double.
std::vector<float> OneTo(int n) {
  std::vector<float> values;
  for (int i = 1; i <= n; ++i) values.push_back(static_cast<float>(i));
  return values;
}

// Small whole numbers, whose sum is exact in any order.
std::vector<float> WholeNumbers(lab::Random& random, std::size_t n) {
  std::vector<float> values(n);
  for (float& value : values) value = static_cast<float>(random.UniformInt(-1000, 1000));
  return values;
}

double ExactSum(const std::vector<float>& values) {
  double sum = 0;
  for (const float value : values) sum += value;
  return sum;
}

TEST(SumPartialTest, AddsTwelveValuesWithThreeThreads) { EXPECT_EQ(sum_partial(OneTo(12), 3), 78); }

TEST(SumPartialTest, AddsTheRemainderWhenTheSharesAreUnequal) {
  EXPECT_EQ(sum_partial(OneTo(14), 4), 105);
}

TEST(SumPartialTest, WorksWithMoreThreadsThanValues) { EXPECT_EQ(sum_partial(OneTo(2), 8), 3); }

TEST(SumPartialTest, GivesZeroForNoValues) { EXPECT_EQ(sum_partial(std::vector<float>(), 4), 0); }

TEST(SumPartialTest, AddsInDoublePrecision) {
  // In float, 16777216 + 1 is 16777216 again.
  EXPECT_EQ(sum_partial(std::vector<float>{16777216, 1, 1, 1}, 1), 16777219);
}

TEST(SumPartialTest, AddsManyValuesWithEveryNumberOfThreads) {
  lab::Random random;
  const std::vector<float> values = WholeNumbers(random, 100'003);
  for (int threads = 1; threads <= 8; ++threads) {
    EXPECT_EQ(sum_partial(values, threads), ExactSum(values)) << threads << " threads";
  }
}

TEST(SumQueueTest, AddsTwelveValuesInChunksOfFour) { EXPECT_EQ(sum_queue(OneTo(12), 3, 4), 78); }

TEST(SumQueueTest, TakesALastChunkThatIsNotFull) { EXPECT_EQ(sum_queue(OneTo(13), 2, 5), 91); }

TEST(SumQueueTest, TakesOneValueAtATime) { EXPECT_EQ(sum_queue(OneTo(10), 4, 1), 55); }

TEST(SumQueueTest, WorksWithAChunkLargerThanTheInput) {
  EXPECT_EQ(sum_queue(OneTo(10), 4, 1000), 55);
}

TEST(SumQueueTest, GivesZeroForNoValues) { EXPECT_EQ(sum_queue(std::vector<float>(), 4, 16), 0); }

TEST(SumQueueTest, AddsManyValuesWithEveryNumberOfThreads) {
  lab::Random random;
  const std::vector<float> values = WholeNumbers(random, 100'003);
  for (int threads = 1; threads <= 8; ++threads) {
    EXPECT_EQ(sum_queue(values, threads, 1024), ExactSum(values)) << threads << " threads";
  }
}

}  // namespace
