// Written from the contract and the handout alone.

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <thread>
#include <vector>

#include "common/lab/testing/function.h"
#include "labs/pthreads_sum/sum.h"

namespace {

const lab::Function<decltype(SumPartial)> sum_partial{"SumPartial"};
const lab::Function<decltype(SumQueue)> sum_queue{"SumQueue"};
const lab::Function<decltype(SumMany)> sum_many{"SumMany"};

// Whole numbers, whose sums are exact in any order.
std::vector<float> Numbers(std::size_t n) {
  std::vector<float> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(i * 7 % 23) - 5;
  return values;
}

double Exact(const std::vector<float>& values, std::size_t begin, std::size_t end) {
  double sum = 0;
  for (std::size_t i = begin; i < end; ++i) sum += values[i];
  return sum;
}

double Exact(const std::vector<float>& values) { return Exact(values, 0, values.size()); }

// Small ones, and those around multiples of powers of two.
std::vector<std::size_t> Sizes() {
  std::vector<std::size_t> sizes;
  for (std::size_t n = 0; n <= 40; ++n) sizes.push_back(n);
  for (const std::size_t n : {64, 256, 512, 1024, 4096}) {
    for (const std::size_t near : {n - 1, n, n + 1}) sizes.push_back(near);
  }
  return sizes;
}

TEST(SumPartialTest, AllSizesAndTeams) {
  for (const std::size_t n : Sizes()) {
    for (int threads = 1; threads <= 9; ++threads) {
      EXPECT_EQ(sum_partial(Numbers(n), threads), Exact(Numbers(n))) << n << ", " << threads;
    }
  }
}

TEST(SumPartialTest, ManyValuesAgainAndAgain) {
  const std::vector<float> values = Numbers(200'001);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(sum_partial(values, 8), Exact(values));
}

TEST(SumPartialTest, DoublePrecision) {
  EXPECT_EQ(sum_partial(std::vector<float>{16777216, 1, 1, 1}, 2), 16777219);
}

TEST(SumPartialTest, NanAndInfinity) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(std::isnan(sum_partial(std::vector<float>{1, std::nanf(""), 2}, 2)));
  EXPECT_EQ(sum_partial(std::vector<float>{1, infinity, 2}, 2), infinity);
}

TEST(SumPartialTest, TwoCallers) {
  const std::vector<float> values = Numbers(50'000);
  for (int i = 0; i < 5; ++i) {
    double of_other = 0;
    std::thread other([&] { of_other = sum_partial(values, 4); });
    EXPECT_EQ(sum_partial(values, 3), Exact(values));
    other.join();
    EXPECT_EQ(of_other, Exact(values));
  }
}

TEST(SumQueueTest, AllSizesInFewChunks) {
  for (const std::size_t n : Sizes()) {
    for (const std::size_t chunk : {1, 2, 7, 256}) {
      EXPECT_EQ(sum_queue(Numbers(n), 3, chunk), Exact(Numbers(n))) << n << ", " << chunk;
    }
  }
}

TEST(SumQueueTest, AllSmallSizesTeamsAndChunks) {
  for (std::size_t n = 0; n <= 20; ++n) {
    for (std::size_t chunk = 1; chunk <= n + 2; ++chunk) {
      for (int threads = 1; threads <= 5; ++threads) {
        EXPECT_EQ(sum_queue(Numbers(n), threads, chunk), Exact(Numbers(n))) << n << ", " << chunk;
      }
    }
  }
}

TEST(SumQueueTest, ChunksUpToTheLargestNumber) {
  const std::vector<float> values = Numbers(1000);
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
  for (const std::size_t chunk : {kMost, kMost - 1, kMost / 2, kMost / 2 + 1}) {
    EXPECT_EQ(sum_queue(values, 4, chunk), Exact(values));
  }
}

TEST(SumQueueTest, ManyChunksAgainAndAgain) {
  const std::vector<float> values = Numbers(100'003);
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(sum_queue(values, 8, 1), Exact(values));
    EXPECT_EQ(sum_queue(values, 8, 64), Exact(values));
  }
}

TEST(SumQueueTest, DoublePrecision) {
  EXPECT_EQ(sum_queue(std::vector<float>{16777216, 1, 1, 1}, 2, 1), 16777219);
}

void ExpectSums(const std::vector<float>& values, const std::vector<std::size_t>& ends,
                int threads) {
  std::vector<double> sums(ends.size(), -77);
  sum_many(values, ends, threads, sums);
  std::size_t begin = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    EXPECT_EQ(sums[i], Exact(values, begin, ends[i])) << i << ", " << threads;
    begin = ends[i];
  }
}

TEST(SumManyTest, EmptyArraysAndValuesBehindTheLast) {
  for (int threads = 1; threads <= 12; ++threads) {
    ExpectSums(Numbers(60), {0, 3, 3, 4, 20, 20, 21, 40}, threads);
  }
}

TEST(SumManyTest, AllSizesInArraysOfThree) {
  for (const std::size_t n : Sizes()) {
    std::vector<std::size_t> ends;
    for (std::size_t end = 0; end < n; end += 3) ends.push_back(end);
    for (const int threads : {1, 4}) ExpectSums(Numbers(n), ends, threads);
  }
}

TEST(SumManyTest, Nothing) {
  ExpectSums({}, {}, 3);
  ExpectSums({}, {0, 0}, 3);
}

TEST(SumManyTest, ManyJobsAgainAndAgain) {
  const std::vector<float> values = Numbers(30'000);
  std::vector<std::size_t> ends;
  for (std::size_t end = 3; end <= values.size(); end += 3) ends.push_back(end);
  for (int i = 0; i < 5; ++i) {
    for (const int threads : {1, 2, 8}) ExpectSums(values, ends, threads);
  }
}

TEST(SumManyTest, DoublePrecision) { ExpectSums({16777216, 1, 1, 1}, {4}, 2); }

}  // namespace
