#include "grader/sandbox/checker/pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace grader::checker {
namespace {

// Where copying to the device is nearly all of a call, what remains is noise.
constexpr double kSmallestShare = 0.05;

// Copying to the device is not part of the function, so the reference's time for it is subtracted
// from all times. The student's own figure is not trusted: all that its worker does is timed.
double WithoutOverhead(const CallTimes& times, const CallTimes& reference) {
  const double seconds = times.total_seconds;
  return std::max(seconds - reference.overhead_seconds, kSmallestShare * seconds);
}

}  // namespace

TimedCase::TimedCase(const MakeCase& make_case, lab::Random& random) {
  lab::Random input = random.Fork();
  body_ = make_case(input);
  TheSession().StartCase();
}

std::optional<CallTimes> TimedCase::Run(Target target, bool accounted) const {
  TheSession().StartTimed(target, accounted);
  body_();
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

std::optional<Pair> RunPair(const MakeCase& make_case, lab::Random& random, bool is_controlled) {
  const TimedCase timed_case(make_case, random);
  std::optional<CallTimes> student, reference, control;
  std::vector<std::optional<CallTimes>*> calls{&student, &reference};
  if (is_controlled) calls.push_back(&control);
  random.Shuffle(calls);
  for (std::optional<CallTimes>* const call : calls) {
    const Target target = call == &student ? Target::kStudent : Target::kReference;
    if (!(*call = timed_case.Run(target))) return {};
  }
  Pair pair{WithoutOverhead(*student, *reference), WithoutOverhead(*reference, *reference), {}};
  if (control) pair.control_seconds = WithoutOverhead(*control, *reference);
  return pair;
}

}  // namespace grader::checker
