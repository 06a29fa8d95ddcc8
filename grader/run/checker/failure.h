#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace grader::checker {

// Why a call, or a worker, is not what it should be. Wrong answers are not among them: the test
// itself finds those.
enum class Verdict {
  kRuntimeError,
  kTimeLimit,
  kMemoryLimit,
  kOutputLimit,
  kOutOfBounds,
  kUninitialisedRead,
  kDataRace,
  kDeadlock,
  kBarrierDivergence,
  kPolicy,
  kTampering,
  kKilled,  // by SIGKILL, its own or anybody's: see grader/run/run_checker.py
  kNotWritten,
  kJudgeError,  // the grader's own fault; never said because of what a submission did
};

// As it stands in the result, e.g. "runtime_error".
std::string_view Name(Verdict verdict);

// The call cannot be judged further. what() is the detail, one line.
class Failure : public std::runtime_error {
 public:
  Failure(Verdict verdict, const std::string& detail)
      : std::runtime_error(detail), verdict_(verdict) {}
  Verdict verdict() const { return verdict_; }

 private:
  Verdict verdict_;
};

}  // namespace grader::checker
