#include "grader/sandbox/checker/control.h"

#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace grader::checker {
namespace {

constexpr int kMeasurements = 2000;
constexpr double kSecondsPerRound = 0.04;

lab::StoppingRule Rule() {
  lab::StoppingRule rule;
  rule.full = 2.0;
  rule.zero = 1.6;
  rule.budget_seconds = 1;
  return rule;
}

// A machine on which other programs run at times: what is measured is divided by 1.3 to 2.6 for 20
// rounds on average, which is longer than a measurement takes, then by 1 for as long.
class EpisodicMachine {
 public:
  explicit EpisodicMachine(unsigned seed) : generator_(seed) {
    is_disturbed_ = Uniform(0, 1) < 0.5;
    slowdown_ = Uniform(1.3, 2.6);
  }

  void NextRound() {
    if (Uniform(0, 1) > 1.0 / 20) return;
    is_disturbed_ = !is_disturbed_;
    slowdown_ = Uniform(1.3, 2.6);
  }

  double Measure(double truth) {
    const double noise = Uniform(0.95, 1.05);
    return truth * noise / (is_disturbed_ ? slowdown_ : 1);
  }

 private:
  double Uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(generator_);
  }

  std::mt19937 generator_;
  bool is_disturbed_;
  double slowdown_;
};

struct Outcome {
  lab::PairedRatios student;
  std::optional<Control> control;

  bool LosesPoints() const { return !Rule().MayEarnAll(student.interval); }
};

// The second series of a measurement, which the first one made necessary.
Outcome MeasureOnce(double student_truth, bool is_controlled, unsigned seed) {
  EpisodicMachine machine(seed);
  std::vector<double> student, control;
  do {
    machine.NextRound();
    student.push_back(machine.Measure(student_truth));
    if (is_controlled) control.push_back(machine.Measure(2.6));
  } while (WantsAnotherRound(Rule(), student, control,
                             kSecondsPerRound * static_cast<double>(student.size())));
  return {lab::Summarize(Rule(), student), ControlOf(Rule(), control)};
}

TEST(ControlTest, WithoutItEpisodesOfLoadTakePointsFromParallelCode) {
  int lost = 0;
  for (unsigned seed = 0; seed < kMeasurements; ++seed) {
    if (MeasureOnce(2.6, false, seed).LosesPoints()) ++lost;
  }
  EXPECT_GT(lost, kMeasurements / 10);
}

TEST(ControlTest, WhatCannotEarnAllPointsIsMeasuredFurtherOnlyBesideAControl) {
  const std::vector<double> values{1.7, 1.9, 1.7, 1.9, 1.7, 1.9};
  const std::vector<double> control(values.size(), 2.6);
  EXPECT_FALSE(WantsAnotherRound(Rule(), values, {}, 0.1));
  EXPECT_TRUE(WantsAnotherRound(Rule(), values, control, 0.1));
}

TEST(ControlTest, WithItNoCodeLosesPointsThatIsAsParallelAsTheReference) {
  int lost = 0;
  for (unsigned seed = 0; seed < kMeasurements; ++seed) {
    const Outcome outcome = MeasureOnce(2.6, true, seed);
    if (outcome.control->decision == "full" && outcome.LosesPoints()) ++lost;
  }
  EXPECT_EQ(lost, 0);
}

TEST(ControlTest, SerialCodeIsStillFoundOutWhereverTheMachineIsQuietForOneMeasurement) {
  int judged = 0;
  for (unsigned seed = 0; seed < kMeasurements; ++seed) {
    const Outcome outcome = MeasureOnce(1.0, true, seed);
    EXPECT_EQ(outcome.student.decision, lab::Decision::kZero);
    if (outcome.control->decision == "full") ++judged;
  }
  EXPECT_GT(judged, kMeasurements / 4);
}

TEST(ControlTest, ThereIsNoneForASeriesWithoutMeasurementsOfTheReference) {
  EXPECT_FALSE(ControlOf(Rule(), {}));
}

}  // namespace
}  // namespace grader::checker
