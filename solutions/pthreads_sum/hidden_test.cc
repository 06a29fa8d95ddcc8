// The hidden test of the lab "Sum with threads".
//
// Most inputs are whole numbers whose absolute values sum to less than 2^53: then every addition is
// exact in double, in any order, and a lost, doubled or rounded value shows as a difference.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "common/lab/function.h"
#include "common/lab/inputs.h"
#include "common/lab/sizes.h"
#include "common/lab/timed_pairs.h"
#include "labs/pthreads_sum/sum.h"

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();
constexpr std::size_t kFloatsPerCacheLine = 64 / sizeof(float);
constexpr std::size_t kFloatsPerPage = 4096 / sizeof(float);
constexpr int kMaxThreads = 8;
constexpr std::size_t kLargeSize = 1 << 19;

const lab::Function<decltype(SumPartial)> sum_partial{"SumPartial"};
const lab::Function<decltype(SumQueue)> sum_queue{"SumQueue"};

std::vector<float> WholeNumbers(lab::Random& random, std::size_t n) {
  std::vector<float> values(n);
  for (float& value : values) value = static_cast<float>(random.UniformInt(-(1 << 20), 1 << 20));
  return values;
}

// Pairs of 2^40 and -2^40 in random places among small whole numbers: exact in double, while in
// float the small ones vanish beside the large ones. n is up to 2^11, so that all stays below 2^53.
std::vector<float> CancellingNumbers(lab::Random& random, std::size_t n) {
  std::vector<float> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    values[i] = static_cast<float>(random.UniformInt(-100, 100));
    if (i % 8 < 2) values[i] = i % 2 == 0 ? 0x1p40f : -0x1p40f;
  }
  random.Shuffle(values);
  return values;
}

struct ExpectedSum {
  double value;
  double tolerance;
};

// The sum, and by how much n - 1 additions in double, in any order, may miss it:
// (n - 1) u sum |x| to first order with u = 2^-53 (Higham, Accuracy and Stability of Numerical
// Algorithms, 2nd edition, section 4.2). One n u sum |x| more covers the second order, and this
// function's own rounding in long double.
ExpectedSum Expect(std::span<const float> values) {
  long double sum = 0;
  long double absolute = 0;
  for (const float value : values) {
    sum += value;
    absolute += std::abs(value);
  }
  const double n = static_cast<double>(values.size());
  return {static_cast<double>(sum), 2 * n * 0x1p-53 * static_cast<double>(absolute)};
}

double ExactSum(std::span<const float> values) {
  double sum = 0;
  for (const float value : values) sum += value;
  return sum;
}

std::string Case(std::size_t n, int threads) {
  return "with n = " + std::to_string(n) + ", num_threads = " + std::to_string(threads);
}

std::string Case(std::size_t n, int threads, std::size_t chunk) {
  return Case(n, threads) + ", chunk = " + std::to_string(chunk);
}

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

TEST(SumQueueTest, AddsALargeInputWithEveryNumberOfThreads) {
  lab::Random random;
  const std::vector<float> values = WholeNumbers(random, lab::Scaled(kLargeSize) + 3);
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    const std::size_t chunk = random.UniformInt<std::size_t>(500, 5000);
    EXPECT_EQ(sum_queue(values, threads, chunk), ExactSum(values))
        << Case(values.size(), threads, chunk);
  }
}

// As many threads as the machine has, within reason; two at least, or there is nothing to see.
int TimedThreads() {
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 2, kMaxThreads);
}

// Four million values, whole again: about 3 ms for two threads.
std::shared_ptr<const std::vector<float>> TimedValues(lab::Random& random) {
  auto values = std::make_shared<std::vector<float>>(1 << 22);
  for (float& value : *values) value = static_cast<float>(random.Next() >> 50);
  return values;
}

TEST(SumPartialTiming, AddsFourMillionValues) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    const auto values = TimedValues(random);
    return [values, want = ExactSum(*values)] {
      EXPECT_EQ(sum_partial(*values, TimedThreads()), want);
    };
  });
}

TEST(SumQueueTiming, AddsFourMillionValuesInChunksOfAPage) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    const auto values = TimedValues(random);
    return [values, want = ExactSum(*values)] {
      EXPECT_EQ(sum_queue(*values, TimedThreads(), kFloatsPerPage), want);
    };
  });
}

}  // namespace
