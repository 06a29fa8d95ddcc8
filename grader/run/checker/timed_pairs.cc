// The checker's way to run a timing test: pairs of the student's and the reference's call.
#include "common/lab/timed_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "common/timing/statistics.h"
#include "common/timing/stopping_rule.h"
#include "grader/run/checker/device_rates.h"
#include "grader/run/checker/pairs.h"
#include "grader/run/checker/parallelism.h"
#include "grader/run/checker/properties.h"
#include "grader/run/checker/session.h"
#include "grader/run/gpu/driver.h"

namespace grader::checker {
namespace {

// A pair on a GPU is seconds of making its input and milliseconds of using it.
constexpr double kGpuBudgetFactor = 15;

// What an empty request takes is known to a few microseconds, and taken off.
constexpr double kShortestGpuCallSeconds = 5e-5;

void RecordSeries(const lab::StoppingRule& rule, const std::vector<double>& ratios,
                  const Series& series, double shortest_seconds) {
  const lab::PairedRatios summary = lab::Summarize(rule, ratios);
  const double reference_seconds = lab::Median(series.reference_seconds);
  Record("ratio", summary.median);
  Record("ratio_low", summary.interval.low);
  Record("ratio_high", summary.interval.high);
  Record("pairs", static_cast<double>(ratios.size()));
  Record("decision", lab::Name(summary.decision));
  Record("student_ms", lab::Median(series.student_seconds) * 1e3);
  Record("reference_ms", reference_seconds * 1e3);
  if (reference_seconds < shortest_seconds) Record("short_calls", "true");
}

// False when the running test has failed by it.
bool RecordedDevice(const lab::Work& work) {
  try {
    RecordDevice(work);
    return true;
  } catch (const GpuError& error) {
    RecordVerdict(Verdict::kJudgeError, error.what(), "");
    ADD_FAILURE() << error.what();
    return false;
  }
}

// nullptr where the running test's suite is not among them.
template <typename Suite>
const Suite* RunningSuite(const std::vector<Suite>& suites) {
  const std::string name = testing::UnitTest::GetInstance()->current_test_info()->test_suite_name();
  const auto found = std::ranges::find(suites, name, &Suite::suite);
  return found == suites.end() ? nullptr : &*found;
}

void Measure(lab::StoppingRule rule, const MakeCase& make_case, bool gpu) {
  if (gpu) rule.budget_seconds *= kGpuBudgetFactor;
  lab::Random random;
  if (!RunPair(make_case, random)) return;  // both workers start, caches warm up: not counted
  std::vector<double> ratios;
  Series series;
  const BudgetClock clock(TheSession().student_spending());
  while (lab::WantsAnotherPair(rule, ratios, clock.Seconds())) {
    const std::optional<Pair> pair = RunPair(make_case, random);
    if (!pair) return;
    ratios.push_back(pair->ratio());
    series.Add(*pair);
  }
  RecordSeries(rule, ratios, series, gpu ? kShortestGpuCallSeconds : kShortestCallSeconds);
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
  if (options.mode != Mode::kTiming || (timing == nullptr && parallelism == nullptr)) {
    Random random;
    return make_case(random)();
  }
  if (options.gpu && !grader::checker::RecordedDevice(work)) return;
  if (timing != nullptr) grader::checker::Measure(timing->rule, make_case, options.gpu);
  if (parallelism != nullptr && !testing::Test::HasFailure()) {
    grader::checker::MeasureParallelism(*parallelism, options.team, make_case);
  }
}

}  // namespace lab
