// The checker's way to run a timing test: pairs of the student's and the reference's call.
#include "common/lab/timed_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/timing/statistics.h"
#include "common/timing/stopping_rule.h"
#include "common/timing/stopwatch.h"
#include "grader/run/checker/properties.h"
#include "grader/run/checker/session.h"

namespace grader::checker {
namespace {

using MakeCase = std::function<std::function<void()>(lab::Random&)>;

// Where copying to the device is nearly all of a call, what remains is noise.
constexpr double kSmallestShare = 0.05;
constexpr double kShortestCallSeconds = 1e-3;

struct Pair {
  double student_seconds;
  double reference_seconds;
};

struct Series {
  std::vector<double> ratios;
  std::vector<double> student_seconds;
  std::vector<double> reference_seconds;

  void Add(const Pair& pair) {
    ratios.push_back(pair.student_seconds / pair.reference_seconds);
    student_seconds.push_back(pair.student_seconds);
    reference_seconds.push_back(pair.reference_seconds);
  }
};

// Runs the case once; nullopt when the test has failed.
std::optional<CallTimes> RunOnce(Target target, const MakeCase& make_case, lab::Random random) {
  const std::function<void()> body = make_case(random);
  TheSession().StartTimed(target);
  body();
  const std::vector<CallTimes> times = TheSession().StopTimed();
  if (testing::Test::HasFailure()) {
    if (target == Target::kReference) {
      RecordVerdict(Verdict::kJudgeError, "the reference gives a wrong answer", "");
    }
    return std::nullopt;
  }
  if (times.size() != 1) {
    RecordVerdict(Verdict::kJudgeError,
                  "a timing test makes " + std::to_string(times.size()) + " calls, limit 1", "");
    ADD_FAILURE() << "a timing test must call one function once";
    return std::nullopt;
  }
  return times[0];
}

// Copying to the device belongs to no one's function, so what the reference needed for it is taken
// off both times. The student's own figure is not believed: all that its worker does is timed.
Pair WithoutStaging(const CallTimes& student, const CallTimes& reference) {
  const auto less_staging = [&](double seconds) {
    return std::max(seconds - reference.stage_seconds, kSmallestShare * seconds);
  };
  return {less_staging(student.total_seconds), less_staging(reference.total_seconds)};
}

std::optional<Pair> RunPair(const MakeCase& make_case, lab::Random& random) {
  const lab::Random input(random.Next());
  const bool student_first = random.UniformInt(0, 1) == 0;
  std::optional<CallTimes> student;
  if (student_first && !(student = RunOnce(Target::kStudent, make_case, input))) return {};
  const std::optional<CallTimes> reference = RunOnce(Target::kReference, make_case, input);
  if (!reference) return {};
  if (!student_first && !(student = RunOnce(Target::kStudent, make_case, input))) return {};
  return WithoutStaging(*student, *reference);
}

void RecordSeries(const lab::StoppingRule& rule, const Series& series) {
  const lab::PairedRatios summary = lab::Summarize(rule, series.ratios);
  const double reference_seconds = lab::Median(series.reference_seconds);
  Record("ratio", summary.median);
  Record("ratio_low", summary.interval.low);
  Record("ratio_high", summary.interval.high);
  Record("pairs", static_cast<double>(series.ratios.size()));
  Record("decision", lab::Name(summary.decision));
  Record("student_ms", lab::Median(series.student_seconds) * 1e3);
  Record("reference_ms", reference_seconds * 1e3);
  if (reference_seconds < kShortestCallSeconds) Record("short_calls", "true");
}

const lab::StoppingRule* RuleOfRunningSuite() {
  const std::string suite =
      testing::UnitTest::GetInstance()->current_test_info()->test_suite_name();
  for (const TimingSuite& timing : TheSession().options().timing) {
    if (timing.suite == suite) return &timing.rule;
  }
  return nullptr;
}

void Measure(const lab::StoppingRule& rule, const MakeCase& make_case) {
  lab::Random random;
  if (!RunPair(make_case, random)) return;  // both workers start, caches warm up: not counted
  Series series;
  const lab::Stopwatch stopwatch;
  while (lab::WantsAnotherPair(rule, series.ratios, stopwatch.Seconds())) {
    const std::optional<Pair> pair = RunPair(make_case, random);
    if (!pair) return;
    series.Add(*pair);
  }
  RecordSeries(rule, series);
}

}  // namespace
}  // namespace grader::checker

namespace lab {

void RunTimedPairs(const std::function<std::function<void()>(Random&)>& make_case) {
  using grader::checker::Mode;
  const StoppingRule* const rule = grader::checker::RuleOfRunningSuite();
  if (grader::checker::TheSession().options().mode == Mode::kTiming && rule != nullptr) {
    return grader::checker::Measure(*rule, make_case);
  }
  Random random;
  make_case(random)();
}

}  // namespace lab
