// The checker's way to run a timing test: pairs of the student's and the reference's call.
#include "common/lab/testing/timed_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/timing/statistics.h"
#include "common/timing/stopping_rule.h"
#include "grader/sandbox/checker/control.h"
#include "grader/sandbox/checker/device_rates.h"
#include "grader/sandbox/checker/pairs.h"
#include "grader/sandbox/checker/parallelism.h"
#include "grader/sandbox/checker/result.h"
#include "grader/sandbox/checker/session.h"
#include "grader/sandbox/gpu/driver.h"

namespace grader::checker {
namespace {

// For a pair on a GPU, making the input takes seconds and the calls milliseconds.
constexpr double kGpuBudgetFactor = 15;

// The time of an empty request is known to a few microseconds and subtracted.
constexpr double kShortestGpuCallSeconds = 5e-5;

void RecordSeries(const lab::StoppingRule& rule, const Series& series, double first,
                  std::optional<DeviceResult> device) {
  const lab::PairedRatios summary = lab::Summarize(rule, series.ratios);
  const double shortest_seconds = device ? kShortestGpuCallSeconds : kShortestCallSeconds;
  const double reference_seconds = lab::Median(series.reference_seconds);
  TheResult().Running().timed = TimedResult{
      .ratio = summary.median,
      .first = std::isfinite(first) ? first : 0,
      .low = summary.interval.low,
      .high = summary.interval.high,
      .pairs = series.ratios.size(),
      .decision = std::string(lab::Name(summary.decision)),
      .student_ms = lab::Median(series.student_seconds) * 1e3,
      .reference_ms = reference_seconds * 1e3,
      .shortest_ms = shortest_seconds * 1e3,
      .short_calls = reference_seconds < shortest_seconds,
      .device = std::move(device),
      .control = ControlOf(rule, series.control_ratios),
  };
}

// nullopt when this has failed and the running test with it.
std::optional<DeviceResult> Device(const lab::Work& work) {
  try {
    return MeasuredDevice(work);
  } catch (const GpuError& error) {
    RecordVerdict(Verdict::kJudgeError, error.what(), "");
    ADD_FAILURE() << error.what();
    return std::nullopt;
  }
}

// nullptr where the running test's suite is not among them.
template <typename Suite>
const Suite* RunningSuite(const std::vector<Suite>& suites) {
  const std::string name = testing::UnitTest::GetInstance()->current_test_info()->test_suite_name();
  const auto found = std::ranges::find(suites, name, &Suite::suite);
  return found == suites.end() ? nullptr : &*found;
}

// nullopt when the running test has failed.
std::optional<Series> RunSeries(const lab::StoppingRule& rule, const MakeCase& make_case,
                                lab::Random& random, bool is_controlled) {
  Series series;
  const BudgetClock clock(TheSession().student_time());
  do {
    const std::optional<Pair> pair = RunPair(make_case, random, is_controlled);
    if (!pair) return std::nullopt;
    series.Add(*pair);
  } while (WantsAnotherRound(rule, series.ratios, series.control_ratios, clock.Seconds()));
  return series;
}

void Measure(lab::StoppingRule rule, const MakeCase& make_case,
             std::optional<DeviceResult> device) {
  if (device) rule.budget_seconds *= kGpuBudgetFactor;
  lab::Random random;
  // Both workers start, caches warm up: not counted.
  const std::optional<Pair> first = RunPair(make_case, random, false);
  if (!first) return;
  const bool is_hopeless = rule.IsHopeless(first->ratio());
  std::optional<Series> series = RunSeries(rule, make_case, random, is_hopeless);
  if (series && !is_hopeless && !rule.MayEarnAll(lab::Summarize(rule, series->ratios).interval)) {
    series = RunSeries(rule, make_case, random, true);
  }
  if (series) RecordSeries(rule, *series, first->ratio(), std::move(device));
}

}  // namespace
}  // namespace grader::checker

namespace lab {

void RunTimedPairs(const Work& work,
                   const std::function<std::function<void()>(Random&)>& make_case) {
  using grader::checker::Mode;
  const grader::checker::Options& options = grader::checker::TheSession().options();
  const auto* const timing = grader::checker::RunningSuite(options.timing);
  const auto* const parallelism = grader::checker::RunningSuite(options.parallelism);
  if (options.mode == Mode::kShares && parallelism != nullptr) {
    return grader::checker::BoundParallelism(*parallelism, options.team, make_case);
  }
  if (options.mode != Mode::kTiming || (timing == nullptr && parallelism == nullptr)) {
    Random random;
    return make_case(random)();
  }
  std::optional<grader::checker::DeviceResult> device;
  if (options.gpu && !(device = grader::checker::Device(work))) return;
  if (timing != nullptr) grader::checker::Measure(timing->rule, make_case, std::move(device));
  if (parallelism != nullptr && !testing::Test::HasFailure()) {
    const auto& timed = grader::checker::TheResult().Running().timed;
    const bool is_slow = timed && timed->decision == Name(Decision::kZero);
    grader::checker::MeasureParallelism(*parallelism, options.team, make_case, is_slow);
  }
}

}  // namespace lab
