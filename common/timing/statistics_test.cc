#include "common/timing/statistics.h"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace lab {
namespace {

TEST(MedianTest, IsTheMiddleOfAnOddNumberOfValues) {
  EXPECT_EQ(Median(std::vector<double>{9, 1, 5}), 5);
}

TEST(MedianTest, IsTheMeanOfTheTwoMiddleValues) {
  EXPECT_EQ(Median(std::vector<double>{10, 1, 4, 2}), 3);
}

TEST(MedianIntervalTest, IsUnboundedWithTooFewSamples) {
  const Interval interval = MedianInterval(std::vector<double>{1, 1, 1, 1, 1}, 0.95);
  EXPECT_EQ(interval.low, 0);
  EXPECT_EQ(interval.high, std::numeric_limits<double>::infinity());
}

TEST(MedianIntervalTest, IsBoundedFromExactlyTheStatedNumberOfSamples) {
  for (const double confidence : {0.8, 0.95, 0.99, 0.999}) {
    const std::size_t enough = SamplesForMedianInterval(confidence);
    EXPECT_TRUE(std::isfinite(MedianInterval(std::vector<double>(enough, 1), confidence).high));
    EXPECT_FALSE(
        std::isfinite(MedianInterval(std::vector<double>(enough - 1, 1), confidence).high));
  }
  EXPECT_EQ(SamplesForMedianInterval(0.95), 6u);
}

// Ranks of the table in the book: n = 10 gives the 2nd and 9th, n = 20 the 6th and 15th, n = 50 the
// 18th and 33rd, each for 95 %.
TEST(MedianIntervalTest, UsesTheOrderStatisticsOfTheSignTest) {
  const auto interval_of = [](int n) {
    std::vector<double> samples;
    for (int i = n; i >= 1; --i) samples.push_back(i);
    return MedianInterval(samples, 0.95);
  };
  EXPECT_EQ(interval_of(10).low, 2);
  EXPECT_EQ(interval_of(10).high, 9);
  EXPECT_EQ(interval_of(20).low, 6);
  EXPECT_EQ(interval_of(20).high, 15);
  EXPECT_EQ(interval_of(50).low, 18);
  EXPECT_EQ(interval_of(50).high, 33);
}

TEST(MedianIntervalTest, HoldsTheTrueMedianAsOftenAsItPromises) {
  std::mt19937 generator(1);
  std::exponential_distribution<double> noise(1.0);  // one-sided, long tail; median ln 2
  int held = 0;
  constexpr int kTrials = 2000;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<double> samples(25);
    for (double& sample : samples) sample = noise(generator);
    const Interval interval = MedianInterval(samples, 0.95);
    if (interval.low <= std::log(2.0) && std::log(2.0) <= interval.high) ++held;
  }
  EXPECT_GE(held, kTrials * 94 / 100);
}

TEST(MedianIntervalTest, StaysBoundedForAThousandSamples) {
  std::vector<double> samples;
  for (int i = 1; i <= 1000; ++i) samples.push_back(i);
  const Interval interval = MedianInterval(samples, 0.95);
  EXPECT_NEAR(interval.low, 469, 2);
  EXPECT_NEAR(interval.high, 532, 2);
}

}  // namespace
}  // namespace lab
