#include "grader/run/checker/pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace grader::checker {
namespace {

// Where copying to the device is nearly all of a call, what remains is noise.
constexpr double kSmallestShare = 0.05;

// Runs the case once; nullopt when the test has failed.
std::optional<CallTimes> RunOnce(Target target, const MakeCase& make_case, lab::Random random,
                                 bool accounted = false) {
  const std::function<void()> body = make_case(random);
  TheSession().StartTimed(target, accounted);
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

// Copying to the device is not part of the function, so the reference's time for it is subtracted
// from both times. The student's own figure is not trusted: all that its worker does is timed.
Pair WithoutOverhead(const CallTimes& student, const CallTimes& reference) {
  const auto without = [&](double seconds) {
    return std::max(seconds - reference.overhead_seconds, kSmallestShare * seconds);
  };
  return {without(student.total_seconds), without(reference.total_seconds)};
}

}  // namespace

std::optional<lab::Load> RunAccounted(Target target, const MakeCase& make_case,
                                      lab::Random& random) {
  const std::optional<CallTimes> times =
      RunOnce(target, make_case, lab::Random(random.Next()), true);
  return times ? times->load : std::nullopt;
}

std::optional<Pair> RunPair(const MakeCase& make_case, lab::Random& random) {
  const lab::Random input(random.Next());
  const bool student_first = random.UniformInt(0, 1) == 0;
  std::optional<CallTimes> student;
  if (student_first && !(student = RunOnce(Target::kStudent, make_case, input))) return {};
  const std::optional<CallTimes> reference = RunOnce(Target::kReference, make_case, input);
  if (!reference) return {};
  if (!student_first && !(student = RunOnce(Target::kStudent, make_case, input))) return {};
  return WithoutOverhead(*student, *reference);
}

}  // namespace grader::checker
