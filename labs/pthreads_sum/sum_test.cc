// The public test: a few simple cases for each part. The grader tests more; sum.h says what.

#include "labs/pthreads_sum/sum.h"

#include <gtest/gtest.h>

#include <vector>

#include "common/lab/call/sizes.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "common/lab/testing/show_parallelism.h"

namespace {

const lab::Function<decltype(SumPartial)> sum_partial{"SumPartial"};
const lab::Function<decltype(SumQueue)> sum_queue{"SumQueue"};
const lab::Function<decltype(SumMany)> sum_many{"SumMany"};

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

using Sums = std::vector<double>;

// The sums of the arrays of `values` that end at `ends`.
Sums ManySums(const std::vector<float>& values, const std::vector<std::size_t>& ends, int threads) {
  Sums sums = lab::Poisoned<double>(ends.size());
  sum_many(values, ends, threads, sums);
  return sums;
}

TEST(SumManyTest, AddsThreeArraysWithTwoThreads) {
  EXPECT_EQ(ManySums(OneTo(9), {2, 5, 9}, 2), (Sums{3, 12, 30}));
}

TEST(SumManyTest, GivesZeroForEmptyArrays) {
  EXPECT_EQ(ManySums(OneTo(4), {0, 3, 3, 4, 4}, 3), (Sums{0, 6, 0, 4, 0}));
}

TEST(SumManyTest, EndsWithoutAnyArray) { EXPECT_EQ(ManySums({}, {}, 4), Sums{}); }

TEST(SumManyTest, WorksWithMoreThreadsThanArrays) {
  EXPECT_EQ(ManySums(OneTo(10), {10}, 8), Sums{55});
}

TEST(SumManyTest, LeavesOutWhatLiesBehindTheLastArray) {
  EXPECT_EQ(ManySums(OneTo(10), {4, 6}, 2), (Sums{10, 11}));
}

TEST(SumManyTest, ServesAThousandArraysWithEveryNumberOfThreads) {
  std::vector<std::size_t> ends;
  Sums want;
  for (std::size_t s = 1; s <= 1000; ++s) {
    ends.push_back(10 * s);
    want.push_back(static_cast<double>(s));
  }
  std::vector<float> values(10'000);
  for (std::size_t i = 0; i < values.size(); i += 10) values[i] = static_cast<float>(i / 10 + 1);
  for (int threads = 1; threads <= 8; ++threads) {
    EXPECT_EQ(ManySums(values, ends, threads), want) << threads << " threads";
  }
}

// What the grader looks at beside right answers: see "The parts" in README.md.

TEST(SumPartialTest, ShowsHowParallelItIs) {
  const std::vector<float> ones(lab::Scaled(1 << 24), 1);
  lab::ShowParallelism(
      [&](int team) { EXPECT_EQ(sum_partial(ones, team), static_cast<double>(ones.size())); });
}

TEST(SumQueueTest, ShowsHowParallelItIs) {
  const std::vector<float> ones(lab::Scaled(1 << 24), 1);
  lab::ShowParallelism([&](int team) {
    EXPECT_EQ(sum_queue(ones, team, 1 << 16), static_cast<double>(ones.size()));
  });
}

TEST(SumManyTest, ShowsHowParallelItIs) {
  constexpr std::size_t kArray = 1 << 15;  // as long as the grader's on average
  const std::vector<float> ones(lab::Scaled(1 << 24), 1);
  std::vector<std::size_t> ends;
  for (std::size_t end = kArray; end <= ones.size(); end += kArray) ends.push_back(end);
  lab::ShowParallelism(
      [&](int team) { EXPECT_EQ(ManySums(ones, ends, team), Sums(ends.size(), kArray)); });
}

}  // namespace
