#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "common/lab/testing/inputs.h"
#include "grader/sandbox/checker/remote.h"
#include "grader/sandbox/checker/session.h"

namespace grader::checker {

// What a timing test gives to lab::RunTimedPairs.
using MakeCase = std::function<std::function<void()>(lab::Random&)>;

// A call of the student's and one of the reference's code on the same input, both minus the
// reference's time for copying to the device.
struct Pair {
  double student_seconds;
  double reference_seconds;
  std::optional<double>
      control_seconds;  // of a second call of the reference's code, minus the same

  double ratio() const { return student_seconds / reference_seconds; }
};

// The times of several pairs.
struct Series {
  std::vector<double> student_seconds;
  std::vector<double> reference_seconds;
  std::vector<double> ratios;
  std::vector<double> control_ratios;  // of controlled pairs

  void Add(const Pair& pair) {
    student_seconds.push_back(pair.student_seconds);
    reference_seconds.push_back(pair.reference_seconds);
    ratios.push_back(pair.ratio());
    if (pair.control_seconds) {
      control_ratios.push_back(*pair.control_seconds / pair.reference_seconds);
    }
  }
};

// Shorter calls are hard to time.
inline constexpr double kShortestCallSeconds = 1e-3;

// Input drawn from `random`, with what is expected of it. It is made once for all calls that are
// compared: making it takes longer than they do.
class TimedCase {
 public:
  TimedCase(const MakeCase& make_case, lab::Random& random);

  // The times of one call; with `accounted` they have a load. nullopt when the running test has
  // failed.
  std::optional<CallTimes> Run(Target target, bool accounted = false) const;

 private:
  std::function<void()> body_;
};

// Times the student's and the reference's call, and a second one of the reference if
// `is_controlled`, in random order on the same input, drawn from `random`. nullopt when the running
// test has failed.
std::optional<Pair> RunPair(const MakeCase& make_case, lab::Random& random, bool is_controlled);

}  // namespace grader::checker
