// The hidden test of the lab "Sum with threads", part 3: many sums, one pool.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/lab/call/callers.h"
#include "common/lab/call/sizes.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "common/lab/testing/timed_pairs.h"
#include "labs/pthreads_sum/sum.h"
#include "solutions/pthreads_sum/hidden_inputs.h"

namespace pthreads_sum {
namespace {

const lab::Function<decltype(SumMany)> sum_many{"SumMany"};

// Arrays one after the other, as SumMany gets them.
struct Arrays {
  std::vector<float> values;
  std::vector<std::size_t> ends;

  std::span<const float> Array(std::size_t s) const {
    const std::size_t begin = s == 0 ? 0 : ends[s - 1];
    return std::span(values).subspan(begin, ends[s] - begin);
  }
};

std::vector<std::size_t> EndsOf(const std::vector<std::size_t>& sizes) {
  std::vector<std::size_t> ends(sizes.size());
  std::partial_sum(sizes.begin(), sizes.end(), ends.begin());
  return ends;
}

// Whole numbers, and behind the last array some values that belong to none.
Arrays WholeArrays(lab::Random& random, const std::vector<std::size_t>& sizes) {
  std::vector<std::size_t> ends = EndsOf(sizes);
  std::vector<float> values = WholeNumbers(random, ends.empty() ? 0 : ends.back());
  values.resize(values.size() + random.UniformInt(0, 3), kNotANumber);
  return {std::move(values), std::move(ends)};
}

std::vector<std::size_t> RandomSizes(lab::Random& random, std::size_t m, std::size_t largest) {
  std::vector<std::size_t> sizes(m);
  for (std::size_t& size : sizes) size = random.UniformInt<std::size_t>(0, largest);
  return sizes;
}

std::string ManyCase(const Arrays& arrays, int threads) {
  return "with " + std::to_string(arrays.ends.size()) +
         " arrays, num_threads = " + std::to_string(threads);
}

std::vector<double> SumsOf(const Arrays& arrays, int threads) {
  std::vector<double> sums = lab::Poisoned<double>(arrays.ends.size());
  sum_many(arrays.values, arrays.ends, threads, sums);
  return sums;
}

void ExpectExactSums(const Arrays& arrays, int threads) {
  const std::vector<double> sums = SumsOf(arrays, threads);
  for (std::size_t s = 0; s < sums.size(); ++s) {
    ASSERT_EQ(sums[s], ExactSum(arrays.Array(s))) << ManyCase(arrays, threads) << ", sums[" << s
                                                  << "] of " << arrays.Array(s).size() << " values";
  }
}

TEST(SumManyTest, ReturnsWhenThereIsNoArray) {
  for (int call = 0; call < 10; ++call) {
    for (int threads = 1; threads <= kMaxThreads; ++threads) {
      ExpectExactSums({std::vector<float>(call), {}}, threads);
    }
  }
}

TEST(SumManyTest, GivesZeroForEmptyArraysWhereverTheyStand) {
  lab::Random random;
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    ASSERT_NO_FATAL_FAILURE(ExpectExactSums(WholeArrays(random, {0, 0, 0}), threads));
    ASSERT_NO_FATAL_FAILURE(ExpectExactSums(WholeArrays(random, {0, 5, 0, 0, 7, 0}), threads));
  }
}

TEST(SumManyTest, AddsEveryArrayOnceWithFewerAndMoreArraysThanThreads) {
  lab::Random random;
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    for (const std::size_t m : lab::EdgeSizes(threads)) {
      const Arrays arrays = WholeArrays(random, RandomSizes(random, m, 100));
      ASSERT_NO_FATAL_FAILURE(ExpectExactSums(arrays, threads));
    }
  }
}

TEST(SumManyTest, AddsArraysThatEndAtPageAndCacheLineEdges) {
  lab::Random random;
  std::vector<std::size_t> sizes;
  for (const std::size_t width : {kFloatsPerCacheLine, kFloatsPerPage}) {
    for (const std::size_t size : lab::EdgeSizes(width)) sizes.push_back(size);
  }
  for (const int threads : {1, 2, 5, kMaxThreads}) {
    random.Shuffle(sizes);
    ASSERT_NO_FATAL_FAILURE(ExpectExactSums(WholeArrays(random, sizes), threads));
  }
}

TEST(SumManyTest, KeepsSmallValuesThatCancellingLargeOnesSurround) {
  lab::Random random;
  const std::vector<std::size_t> sizes = {2, 16, 1000, 2048};
  Arrays arrays{{}, EndsOf(sizes)};
  for (const std::size_t n : sizes) {
    const std::vector<float> more = CancellingNumbers(random, n);
    arrays.values.insert(arrays.values.end(), more.begin(), more.end());
  }
  for (const int threads : {1, 2, 5}) {
    ASSERT_NO_FATAL_FAILURE(ExpectExactSums(arrays, threads));
  }
}

TEST(SumManyTest, StaysWithinTheRoundingBoundOfItsAdditions) {
  lab::Random random;
  Arrays arrays{{}, EndsOf(RandomSizes(random, 20, lab::Scaled(5000)))};
  arrays.values.resize(arrays.ends.back());
  for (float& value : arrays.values) {
    value = std::ldexp(random.UniformFloat(-1, 1), random.UniformInt(-60, 60));
  }
  const std::vector<double> sums = SumsOf(arrays, 3);
  for (std::size_t s = 0; s < sums.size(); ++s) {
    const ExpectedSum want = Expect(arrays.Array(s));
    EXPECT_NEAR(sums[s], want.value, want.tolerance)
        << ManyCase(arrays, 3) << ", sums[" << s << "]";
  }
}

TEST(SumManyTest, KeepsNotANumberAndInfinityToTheArrayThatHoldsThem) {
  Arrays arrays{std::vector<float>(40, 1.0f), {10, 20, 30, 40}};
  arrays.values[10] = kNotANumber;
  arrays.values[29] = -kInfinity;
  for (const int threads : {1, 3}) {
    const std::vector<double> sums = SumsOf(arrays, threads);
    EXPECT_EQ(sums[0], 10) << ManyCase(arrays, threads);
    EXPECT_TRUE(std::isnan(sums[1])) << ManyCase(arrays, threads);
    EXPECT_EQ(sums[2], -kInfinity) << ManyCase(arrays, threads);
    EXPECT_EQ(sums[3], 10) << ManyCase(arrays, threads);
  }
}

// Most threads find nothing to do: they wait, are woken for nothing, and must go on waiting, or
// end.
TEST(SumManyTest, ServesFewArraysWithManyThreadsAgainAndAgain) {
  lab::Random random;
  for (int call = 0; call < 200; ++call) {
    const Arrays arrays = WholeArrays(random, RandomSizes(random, call % 5, 300));
    const int threads = random.UniformInt(2, kMaxThreads);
    ASSERT_NO_FATAL_FAILURE(ExpectExactSums(arrays, threads)) << "call " << call;
  }
}

TEST(SumManyTest, ServesThousandsOfTinyArraysWithEveryNumberOfThreads) {
  lab::Random random;
  const Arrays arrays = WholeArrays(random, RandomSizes(random, lab::Scaled(3000), 4));
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    ASSERT_NO_FATAL_FAILURE(ExpectExactSums(arrays, threads));
  }
}

// The queue runs empty and full again many times in one call: a thread that leaves when it finds it
// empty is gone before the last jobs come.
TEST(SumManyTest, ServesQueuesThatRunEmptyBeforeAllJobsAreInThem) {
  lab::Random random;
  const Arrays arrays = WholeArrays(random, RandomSizes(random, lab::Scaled(10'000), 4));
  for (int call = 0; call < 12; ++call) {
    ASSERT_NO_FATAL_FAILURE(ExpectExactSums(arrays, 2)) << "call " << call;
  }
}

TEST(SumManyTest, ServesSeveralCallersAtOnce) {
  lab::Random random;
  lab::ForSeveralCallers([&](const std::string& what) {
    const Arrays arrays = WholeArrays(random, RandomSizes(random, 40, 100));
    ASSERT_NO_FATAL_FAILURE(ExpectExactSums(arrays, 3)) << what;
  });
}

TEST(SumManyTest, AddsOneLargeArrayAmongSmallOnes) {
  lab::Random random;
  for (const std::size_t place : {0, 50, 99}) {
    std::vector<std::size_t> sizes = RandomSizes(random, 100, 50);
    sizes[place] = lab::Scaled(1 << 18) + 3;
    const Arrays arrays = WholeArrays(random, sizes);
    ASSERT_NO_FATAL_FAILURE(ExpectExactSums(arrays, 4)) << "large array at " << place;
  }
}

// Four million values in all: 3 ms for one thread that keeps one sum, 1 ms with four. An array
// takes it less than 1 µs, and a thread some 20 µs to start. Where it is measured how parallel the
// code is there are larger arrays: a call must take longer than a slice of the
// scheduler's.
TEST(SumManyTiming, AddsFourThousandSmallArrays) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    const bool alone = lab::CurrentTeamSize() == 0;
    auto arrays = std::make_shared<Arrays>();
    arrays->ends = EndsOf(RandomSizes(random, alone ? 4000 : 1000, alone ? 2000 : 64000));
    arrays->values = random.SmallNumbers(arrays->ends.back());
    return [arrays] { ExpectExactSums(*arrays, TimedThreads()); };
  });
}

}  // namespace
}  // namespace pthreads_sum
