#include "common/timing/stopping_rule.h"

#include <functional>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace lab {
namespace {

using Noise = std::function<double(std::mt19937&)>;  // factor on one timing

// Machines on which nothing, something and much else runs.
double Quiet(std::mt19937& generator) {
  return 1 + 0.01 * std::uniform_real_distribution<double>(0, 1)(generator);
}

double Spiky(std::mt19937& generator) {
  std::uniform_real_distribution<double> uniform(0, 1);
  const bool spike = uniform(generator) < 0.2;
  return spike ? 2 + 20 * uniform(generator) : 1 + 0.03 * uniform(generator);
}

double Busy(std::mt19937& generator) {
  return std::lognormal_distribution<double>(0.3, 0.35)(generator);
}

struct Measured {
  PairedRatios summary;
  std::size_t pairs;
};

Measured Measure(const StoppingRule& rule, double true_ratio, const Noise& noise, unsigned seed,
                 double seconds_per_pair = 0.02) {
  std::mt19937 generator(seed);
  std::vector<double> ratios;
  while (WantsAnotherPair(rule, ratios, static_cast<double>(ratios.size()) * seconds_per_pair)) {
    const double student = true_ratio * noise(generator);
    ratios.push_back(student / noise(generator));
  }
  return {Summarize(rule, ratios), ratios.size()};
}

StoppingRule Rule() {
  StoppingRule rule;
  rule.full = 1.5;
  rule.zero = 4;
  return rule;
}

// How many of 500 measurements on that machine reach a decision.
int Count(Decision decision, double true_ratio, const Noise& noise) {
  int count = 0;
  for (unsigned seed = 0; seed < 500; ++seed) {
    if (Measure(Rule(), true_ratio, noise, seed).summary.decision == decision) ++count;
  }
  return count;
}

TEST(StoppingRuleTest, QuietMachineDecidesWithTheFewestPairs) {
  const Measured good = Measure(Rule(), 1.0, Quiet, 1);
  EXPECT_EQ(good.summary.decision, Decision::kFull);
  EXPECT_EQ(good.pairs, Rule().MinPairs());
  const Measured slow = Measure(Rule(), 9.0, Quiet, 1);
  EXPECT_EQ(slow.summary.decision, Decision::kZero);
  EXPECT_EQ(slow.pairs, Rule().MinPairs());
}

TEST(StoppingRuleTest, FastCodeIsNeverTooSlowOnASpikyOrBusyMachine) {
  for (const Noise& noise : {Noise(Spiky), Noise(Busy)}) {
    EXPECT_EQ(Count(Decision::kZero, 1.0, noise), 0);
    EXPECT_EQ(Count(Decision::kBetween, 1.0, noise), 0);
    EXPECT_GE(Count(Decision::kFull, 1.0, noise), 495);
  }
}

TEST(StoppingRuleTest, SerialCodeNeverEarnsAllPointsOnASpikyOrBusyMachine) {
  for (const Noise& noise : {Noise(Spiky), Noise(Busy)}) {
    EXPECT_EQ(Count(Decision::kFull, 8.0, noise), 0);
    EXPECT_GE(Count(Decision::kZero, 8.0, noise), 495);
  }
}

// Every spike hits the student: the reference runs on a quiet machine, as if by bad luck.
TEST(StoppingRuleTest, SpikesThatHitOnlyTheStudentDoNotFlipTheVerdict) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    std::mt19937 generator(seed);
    std::vector<double> ratios;
    while (WantsAnotherPair(Rule(), ratios, static_cast<double>(ratios.size()) * 0.02)) {
      ratios.push_back(1.2 * Spiky(generator));
    }
    const PairedRatios summary = Summarize(Rule(), ratios);
    EXPECT_NE(summary.decision, Decision::kZero) << "seed " << seed;
    EXPECT_LE(summary.interval.low, 1.3) << "seed " << seed;
  }
}

// Of the points, for a ratio: linear between the thresholds, as the grader counts.
double Share(double ratio) {
  return std::clamp((Rule().zero - ratio) / (Rule().zero - Rule().full), 0.0, 1.0);
}

// Points for the better end of the interval, less those for the true ratio; in parts of all.
double Surplus(const Measured& measured, double true_ratio) {
  return Share(measured.summary.interval.low) - Share(true_ratio);
}

constexpr double kTrueRatios[] = {1.0, 1.2, 1.4, 1.5, 1.6, 2.0, 2.75, 3.5, 3.9, 4.0, 4.4, 6.0};
constexpr int kMeasurements = 250;

// The looks are at growing numbers of pairs, each with its own 95 %: together they err more often,
// but by little.
TEST(StoppingRuleTest, TakesATwentiethOfThePointsInOneOfFiftyMeasurementsAtMost) {
  for (const Noise& noise : {Noise(Quiet), Noise(Spiky), Noise(Busy)}) {
    for (const double ratio : kTrueRatios) {
      int taken = 0;
      for (unsigned seed = 0; seed < kMeasurements; ++seed) {
        if (Surplus(Measure(Rule(), ratio, noise, seed), ratio) < -0.05) ++taken;
      }
      EXPECT_LE(taken, kMeasurements / 50) << "true ratio " << ratio;
    }
  }
}

TEST(StoppingRuleTest, GivesATwentiethOfThePointsOnlyWhereItSaysThatItIsUndecided) {
  for (const Noise& noise : {Noise(Quiet), Noise(Spiky), Noise(Busy)}) {
    for (const double ratio : kTrueRatios) {
      int given = 0;
      for (unsigned seed = 0; seed < kMeasurements; ++seed) {
        const Measured measured = Measure(Rule(), ratio, noise, seed);
        if (measured.summary.decision == Decision::kUndecided) continue;
        if (Surplus(measured, ratio) > 0.05) ++given;
      }
      EXPECT_EQ(given, 0) << "true ratio " << ratio;
    }
  }
}

TEST(StoppingRuleTest, PartialPointsAreKnownToTwoPercentWhenItStopsBetween) {
  const Measured measured = Measure(Rule(), 2.5, Quiet, 1);
  ASSERT_EQ(measured.summary.decision, Decision::kBetween);
  const Interval& ratio = measured.summary.interval;
  EXPECT_LT(Share(ratio.low) - Share(ratio.high), 0.02);
  EXPECT_NEAR(Share(measured.summary.median), 0.6, 0.02);
}

TEST(StoppingRuleTest, IsUndecidedWhenTheBudgetEndsFirst) {
  const Measured measured = Measure(Rule(), 2.5, Busy, 1, 0.5);
  EXPECT_EQ(measured.summary.decision, Decision::kUndecided);
  EXPECT_EQ(measured.pairs, 10u);
}

TEST(StoppingRuleTest, SlowPairsAreStillEnoughForAnInterval) {
  const Measured measured = Measure(Rule(), 9.0, Quiet, 1, 60);
  EXPECT_EQ(measured.pairs, Rule().MinPairs());
  EXPECT_EQ(measured.summary.decision, Decision::kZero);
}

TEST(StoppingRuleTest, NeverMeasuresMoreThanTheMostPairs) {
  StoppingRule rule = Rule();
  rule.max_pairs = 30;
  EXPECT_EQ(Measure(rule, 2.5, Busy, 1, 0).pairs, 30u);
}

TEST(StoppingRuleTest, HigherConfidenceAsksForMorePairs) {
  StoppingRule rule = Rule();
  rule.confidence = 0.99;
  EXPECT_EQ(Measure(rule, 1.0, Quiet, 1).pairs, 8u);
}

TEST(StoppingRuleTest, MoreMayBeBetter) {
  StoppingRule rule;
  rule.full = 2.2;
  rule.zero = 1.2;
  EXPECT_EQ(rule.Decide({2.3, 9}), Decision::kFull);
  EXPECT_EQ(rule.Decide({0.9, 1.1}), Decision::kZero);
  EXPECT_EQ(rule.Decide({1.1, 2.3}), Decision::kUndecided);
  EXPECT_EQ(rule.Decide({1.7, 1.71}), Decision::kBetween);
  EXPECT_TRUE(rule.MayEarnAll({1.1, 2.3}));
  EXPECT_FALSE(rule.MayEarnAll({1.1, 2.1}));
}

TEST(StoppingRuleTest, IsHopelessTwiceBeyondWhatEarnsNothing) {
  StoppingRule rule{.full = 1.5, .zero = 4};
  EXPECT_TRUE(rule.IsHopeless(8));
  EXPECT_FALSE(rule.IsHopeless(7.9));
  rule = {.full = 2, .zero = 1.6};
  EXPECT_TRUE(rule.IsHopeless(0.8));
  EXPECT_FALSE(rule.IsHopeless(0.9));
}

TEST(StoppingRuleTest, EveryDecisionHasItsOwnName) {
  EXPECT_EQ(Name(Decision::kFull), "full");
  EXPECT_EQ(Name(Decision::kZero), "zero");
  EXPECT_EQ(Name(Decision::kBetween), "between");
  EXPECT_EQ(Name(Decision::kUndecided), "undecided");
}

}  // namespace
}  // namespace lab
