// The hidden test of the lab "Sum with threads", parts 1 and 2.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "common/lab/callers.h"
#include "common/lab/function.h"
#include "common/lab/inputs.h"
#include "common/lab/renewed_input.h"
#include "common/lab/sizes.h"
#include "common/lab/timed_pairs.h"
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

std::set<std::size_t> Chunks(std::size_t n) {
  const std::size_t half = n / 2 + 1;
  return {1, 7, kFloatsPerCacheLine, half, n + 1, 10 * n + 3};
}

// A function to test, with what it needs besides values and threads already chosen.
using Sum = std::function<double(std::span<const float>, int)>;

Sum QueueWithChunk(std::size_t chunk) {
  return [chunk](std::span<const float> values, int threads) {
    return sum_queue(values, threads, chunk);
  };
}

void ExpectSpecialValues(const Sum& sum) {
  for (const std::size_t place : {0, 1, 9, 17, 98, 99}) {
    std::vector<float> values(100, 1.0f);
    values[place] = kNotANumber;
    EXPECT_TRUE(std::isnan(sum(values, 3))) << "NaN at " << place;
    values[place] = -kInfinity;
    EXPECT_EQ(sum(values, 3), -kInfinity) << "-infinity at " << place;
    values[(place + 50) % 100] = kInfinity;
    EXPECT_TRUE(std::isnan(sum(values, 3))) << "-infinity at " << place << " and infinity";
  }
  EXPECT_EQ(sum(std::vector<float>(10, -0.0f), 4), 0) << "ten times -0";
}

void ExpectExtremeValues(const Sum& sum) {
  const std::vector<float> largest(1000, std::numeric_limits<float>::max());
  EXPECT_EQ(sum(largest, 4), 1000.0 * std::numeric_limits<float>::max());
  const std::vector<float> smallest(1000, std::numeric_limits<float>::denorm_min());
  EXPECT_EQ(sum(smallest, 4), 1000.0 * std::numeric_limits<float>::denorm_min());
}

void ExpectCancellation(const Sum& sum, lab::Random& random) {
  for (const std::size_t n : {2, 16, 1000, 2048}) {
    const std::vector<float> values = CancellingNumbers(random, n);
    for (const int threads : {1, 2, 5}) {
      EXPECT_EQ(sum(values, threads), ExactSum(values)) << Case(n, threads);
    }
  }
}

// Values of very different size: no order of additions is exact, all are within the bound.
void ExpectRoundingBound(const Sum& sum, lab::Random& random) {
  std::vector<float> values(lab::Scaled(1 << 16));
  for (float& value : values) {
    value = std::ldexp(random.UniformFloat(-1, 1), random.UniformInt(-60, 60));
  }
  const ExpectedSum want = Expect(values);
  for (const int threads : {1, 3, kMaxThreads}) {
    EXPECT_NEAR(sum(values, threads), want.value, want.tolerance) << Case(values.size(), threads);
  }
}

void ExpectIndependentCalls(const Sum& sum, lab::Random& random) {
  for (int call = 0; call < 40; ++call) {
    const std::vector<float> values = WholeNumbers(random, random.UniformInt(0, 500));
    const int threads = random.UniformInt(1, kMaxThreads);
    ASSERT_EQ(sum(values, threads), ExactSum(values))
        << "call " << call << " " << Case(values.size(), threads);
  }
}

TEST(SumPartialTest, GivesZeroForNoValues) {
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    EXPECT_EQ(sum_partial(std::vector<float>(), threads), 0) << Case(0, threads);
  }
}

TEST(SumPartialTest, AddsEveryValueOnceAtSharePageAndCacheLineEdges) {
  lab::Random random;
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    for (const std::size_t n : Sizes(threads)) {
      const std::vector<float> values = WholeNumbers(random, n);
      ASSERT_EQ(sum_partial(values, threads), ExactSum(values)) << Case(n, threads);
    }
  }
}

TEST(SumPartialTest, KeepsSmallValuesThatCancellingLargeOnesSurround) {
  lab::Random random;
  ExpectCancellation(sum_partial, random);
}

TEST(SumPartialTest, StaysWithinTheRoundingBoundOfItsAdditions) {
  lab::Random random;
  ExpectRoundingBound(sum_partial, random);
}

TEST(SumPartialTest, FollowsIeee754ForNotANumberInfinityAndNegativeZero) {
  ExpectSpecialValues(sum_partial);
}

TEST(SumPartialTest, NeitherOverflowsNorLosesTheSmallestNumbers) {
  ExpectExtremeValues(sum_partial);
}

TEST(SumPartialTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  ExpectIndependentCalls(sum_partial, random);
}

TEST(SumPartialTest, ServesSeveralCallersAtOnce) {
  lab::Random random;
  lab::ForSeveralCallers([&](const std::string& what) {
    const std::vector<float> values = WholeNumbers(random, 3000);
    ASSERT_EQ(sum_partial(values, 3), ExactSum(values)) << what;
  });
}

TEST(SumPartialTest, AddsALargeInputWithEveryNumberOfThreads) {
  lab::Random random;
  const std::vector<float> values = WholeNumbers(random, lab::Scaled(kLargeSize) + 3);
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    EXPECT_EQ(sum_partial(values, threads), ExactSum(values)) << Case(values.size(), threads);
  }
}

TEST(SumQueueTest, GivesZeroForNoValues) {
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    EXPECT_EQ(sum_queue(std::vector<float>(), threads, 1), 0) << Case(0, threads, 1);
    EXPECT_EQ(sum_queue(std::vector<float>(), threads, 64), 0) << Case(0, threads, 64);
  }
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

TEST(SumQueueTest, AddsEveryValueOnceAtPageAndCacheLineEdges) {
  lab::Random random;
  for (const int threads : {1, 2, 5, kMaxThreads}) {
    for (const std::size_t n : Sizes(threads)) {
      const std::size_t chunk = random.UniformInt<std::size_t>(n / 64 + 1, n + 1);
      const std::vector<float> values = WholeNumbers(random, n);
      ASSERT_EQ(sum_queue(values, threads, chunk), ExactSum(values)) << Case(n, threads, chunk);
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

TEST(SumQueueTest, KeepsSmallValuesThatCancellingLargeOnesSurround) {
  lab::Random random;
  ExpectCancellation(QueueWithChunk(10), random);
}

TEST(SumQueueTest, StaysWithinTheRoundingBoundOfItsAdditions) {
  lab::Random random;
  ExpectRoundingBound(QueueWithChunk(1000), random);
}

TEST(SumQueueTest, FollowsIeee754ForNotANumberInfinityAndNegativeZero) {
  ExpectSpecialValues(QueueWithChunk(9));
}

TEST(SumQueueTest, NeitherOverflowsNorLosesTheSmallestNumbers) {
  ExpectExtremeValues(QueueWithChunk(33));
}

TEST(SumQueueTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  ExpectIndependentCalls(QueueWithChunk(random.UniformInt(1, 100)), random);
}

TEST(SumQueueTest, ServesSeveralCallersAtOnce) {
  lab::Random random;
  lab::ForSeveralCallers([&](const std::string& what) {
    const std::vector<float> values = WholeNumbers(random, 3000);
    ASSERT_EQ(sum_queue(values, 3, 50), ExactSum(values)) << what;
  });
}

TEST(SumQueueTest, AddsALargeInputWithEveryNumberOfThreads) {
  lab::Random random;
  const std::vector<float> values = WholeNumbers(random, lab::Scaled(kLargeSize) + 3);
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    const std::size_t chunk = random.UniformInt<std::size_t>(500, 5000);
    EXPECT_EQ(sum_queue(values, threads, chunk), ExactSum(values))
        << Case(values.size(), threads, chunk);
  }
}

// Eight million values, whole again: more than 1 ms for two threads that keep four sums each, three
// times that for those that keep one. Four times as many where the figure is how code scales, since
// threads are at work together only once all of them have been started.
std::span<const float> TimedValues(lab::Random& random) {
  static lab::RenewedInput<float> input;
  return input.Draw(random, lab::Scaled(lab::CurrentTeamSize() == 0 ? 1 << 23 : 1 << 25), FillFast);
}

TEST(SumPartialTiming, AddsEightMillionValues) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    const std::span<const float> values = TimedValues(random);
    return
        [values, want = ExactSum(values)] { EXPECT_EQ(sum_partial(values, TimedThreads()), want); };
  });
}

// Chunks of a page show what a chunk costs. Where the figure is how code scales they are larger:
// with small ones, which threads must fetch one after the other, no code does.
std::size_t TimedChunk() {
  return lab::CurrentTeamSize() == 0 ? kFloatsPerPage : 64 * kFloatsPerPage;
}

TEST(SumQueueTiming, AddsEightMillionValuesInChunks) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    const std::span<const float> values = TimedValues(random);
    return [values, want = ExactSum(values)] {
      EXPECT_EQ(sum_queue(values, TimedThreads(), TimedChunk()), want);
    };
  });
}

}  // namespace
}  // namespace pthreads_sum
