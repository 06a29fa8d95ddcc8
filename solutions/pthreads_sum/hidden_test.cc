// The hidden test of the lab "Sum with threads", parts 1 and 2.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/lab/call/callers.h"
#include "common/lab/call/sizes.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/timed_pairs.h"
#include "labs/pthreads_sum/sum.h"
#include "solutions/pthreads_sum/hidden_inputs.h"

namespace pthreads_sum {
namespace {

constexpr std::size_t kLargeSize = 1 << 19;

const lab::Function<decltype(SumPartial)> sum_partial{"SumPartial"};
const lab::Function<decltype(SumQueue)> sum_queue{"SumQueue"};

// Sizes at which shares, cache lines and pages begin and end.
std::set<std::size_t> Sizes(std::size_t threads) {
  std::set<std::size_t> sizes;
  for (const std::size_t width : {threads, kFloatsPerCacheLine, kFloatsPerPage}) {
    for (const std::size_t n : lab::EdgeSizes(width)) {
      if (n <= kFloatsPerPage + 1) sizes.insert(n);
    }
  }
  return sizes;
}

// A part; one without chunks takes no notice of their size.
struct Part {
  std::function<double(std::span<const float>, int threads, std::size_t chunk)> sum;
  bool has_chunks;
};

// Both parts promise the same.
struct SumTest : testing::TestWithParam<Part> {
  double Sum(std::span<const float> values, int threads, std::size_t chunk) {
    return GetParam().sum(values, threads, chunk);
  }
  std::string CaseOf(std::size_t n, int threads, std::size_t chunk) {
    return GetParam().has_chunks ? Case(n, threads, chunk) : Case(n, threads);
  }
  lab::Random random;
};

TEST_P(SumTest, GivesZeroForNoValues) {
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    for (const std::size_t chunk : {1, 64}) {
      EXPECT_EQ(Sum({}, threads, chunk), 0) << CaseOf(0, threads, chunk);
    }
  }
}

TEST_P(SumTest, AddsEveryValueOnceAtSharePageAndCacheLineEdges) {
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    for (const std::size_t n : Sizes(threads)) {
      const std::size_t chunk = random.UniformInt<std::size_t>(n / 64 + 1, n + 1);
      const std::vector<float> values = WholeNumbers(random, n);
      ASSERT_EQ(Sum(values, threads, chunk), ExactSum(values)) << CaseOf(n, threads, chunk);
    }
  }
}

TEST_P(SumTest, KeepsSmallValuesThatCancellingLargeOnesSurround) {
  for (const std::size_t n : {2, 16, 1000, 2048}) {
    const std::vector<float> values = CancellingNumbers(random, n);
    for (const int threads : {1, 2, 5}) {
      EXPECT_EQ(Sum(values, threads, 10), ExactSum(values)) << CaseOf(n, threads, 10);
    }
  }
}

// Values of very different size: no order of additions is exact, all are within the bound.
TEST_P(SumTest, StaysWithinTheRoundingBoundOfItsAdditions) {
  std::vector<float> values(lab::Scaled(1 << 16));
  for (float& value : values) {
    value = std::ldexp(random.UniformFloat(-1, 1), random.UniformInt(-60, 60));
  }
  const ExpectedSum want = Expect(values);
  for (const int threads : {1, 3, kMaxThreads}) {
    EXPECT_NEAR(Sum(values, threads, 1000), want.value, want.tolerance)
        << CaseOf(values.size(), threads, 1000);
  }
}

TEST_P(SumTest, FollowsIeee754ForNotANumberInfinityAndNegativeZero) {
  for (const std::size_t place : {0, 1, 9, 17, 98, 99}) {
    std::vector<float> values(100, 1.0f);
    values[place] = kNotANumber;
    EXPECT_TRUE(std::isnan(Sum(values, 3, 9))) << "NaN at " << place;
    values[place] = -kInfinity;
    EXPECT_EQ(Sum(values, 3, 9), -kInfinity) << "-infinity at " << place;
    values[(place + 50) % 100] = kInfinity;
    EXPECT_TRUE(std::isnan(Sum(values, 3, 9))) << "-infinity at " << place << " and infinity";
  }
  EXPECT_EQ(Sum(std::vector<float>(10, -0.0f), 4, 9), 0) << "ten times -0";
}

TEST_P(SumTest, NeitherOverflowsNorLosesTheSmallestNumbers) {
  for (const float value :
       {std::numeric_limits<float>::max(), std::numeric_limits<float>::denorm_min()}) {
    EXPECT_EQ(Sum(std::vector<float>(1000, value), 4, 33), 1000.0 * value);
  }
}

TEST_P(SumTest, KeepsNothingFromOneCallToTheNext) {
  const std::size_t chunk = random.UniformInt(1, 100);
  for (int call = 0; call < 40; ++call) {
    const std::vector<float> values = WholeNumbers(random, random.UniformInt(0, 500));
    const int threads = random.UniformInt(1, kMaxThreads);
    ASSERT_EQ(Sum(values, threads, chunk), ExactSum(values))
        << "call " << call << " " << CaseOf(values.size(), threads, chunk);
  }
}

TEST_P(SumTest, ServesSeveralCallersAtOnce) {
  lab::ForSeveralCallers([&](const std::string& what) {
    const std::vector<float> values = WholeNumbers(random, 3000);
    ASSERT_EQ(Sum(values, 3, 50), ExactSum(values)) << what;
  });
}

TEST_P(SumTest, AddsALargeInputWithEveryNumberOfThreads) {
  const std::vector<float> values = WholeNumbers(random, lab::Scaled(kLargeSize) + 3);
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    const std::size_t chunk = random.UniformInt<std::size_t>(500, 5000);
    EXPECT_EQ(Sum(values, threads, chunk), ExactSum(values))
        << CaseOf(values.size(), threads, chunk);
  }
}

double PartialSum(std::span<const float> values, int threads, std::size_t /*chunk*/) {
  return sum_partial(values, threads);
}

INSTANTIATE_TEST_SUITE_P(SumPartialTest, SumTest, testing::Values(Part{PartialSum, false}));
INSTANTIATE_TEST_SUITE_P(SumQueueTest, SumTest, testing::Values(Part{sum_queue, true}));

std::set<std::size_t> Chunks(std::size_t n) {
  const std::size_t half = n / 2 + 1;
  return {1, 7, kFloatsPerCacheLine, half, n + 1, 10 * n + 3};
}

TEST(SumQueueTest, AddsEveryValueOnceWhateverTheChunk) {
  lab::Random random;
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    for (const std::size_t n : lab::EdgeSizes(threads)) {
      for (const std::size_t chunk : Chunks(n)) {
        const std::vector<float> values = WholeNumbers(random, n);
        ASSERT_EQ(sum_queue(values, threads, chunk), ExactSum(values)) << Case(n, threads, chunk);
      }
    }
  }
}

TEST(SumQueueTest, TakesTheWholeInputOnceWhenTheChunkIsAsLargeAsCanBe) {
  lab::Random random;
  const std::vector<float> values = WholeNumbers(random, 1000);
  const std::size_t largest = std::numeric_limits<std::size_t>::max();
  for (const std::size_t chunk : {largest, largest - 999, largest / 2 + 1, largest / 4 + 1}) {
    for (const int threads : {1, 2, 3, 5, kMaxThreads}) {
      EXPECT_EQ(sum_queue(values, threads, chunk), ExactSum(values)) << Case(1000, threads, chunk);
    }
  }
}

TEST(SumQueueTest, TakesSingleValuesFromALongQueue) {
  lab::Random random;
  const std::vector<float> values = WholeNumbers(random, 4 * kFloatsPerPage + 1);
  for (const int threads : {2, kMaxThreads}) {
    EXPECT_EQ(sum_queue(values, threads, 1), ExactSum(values)) << Case(values.size(), threads, 1);
  }
}

// Eight million values, whole again: more than 1 ms for two threads that keep four sums each, three
// times that for those that keep one. Four times as many where the figure is how code scales, since
// threads are at work together only once all of them have been started.
std::vector<float> TimedValues(lab::Random& random) {
  return random.SmallNumbers(lab::Scaled(lab::CurrentTeamSize() == 0 ? 1 << 23 : 1 << 25));
}

TEST(SumPartialTiming, AddsEightMillionValues) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    std::vector<float> values = TimedValues(random);
    return [want = ExactSum(values), values = std::move(values)] {
      EXPECT_EQ(sum_partial(values, TimedThreads()), want);
    };
  });
}

// Chunks of a page show what a chunk costs. Where the figure is how code scales they are larger:
// with small ones, which threads must fetch one after the other, no code does.
std::size_t TimedChunk() {
  return lab::CurrentTeamSize() == 0 ? kFloatsPerPage : 64 * kFloatsPerPage;
}

TEST(SumQueueTiming, AddsEightMillionValuesInChunks) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    std::vector<float> values = TimedValues(random);
    return [want = ExactSum(values), values = std::move(values)] {
      EXPECT_EQ(sum_queue(values, TimedThreads(), TimedChunk()), want);
    };
  });
}

}  // namespace
}  // namespace pthreads_sum
