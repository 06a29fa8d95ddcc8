#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace grader::checker {

// The outcome of a call or a worker: the verdicts of grader/model/verdict.py, and two that the
// result expresses by other fields.
enum class Verdict {
#define GRADER_VERDICT(verdict, name) verdict,
#include "grader/sandbox/checker/verdicts.inc"
#undef GRADER_VERDICT
  kKilled,  // by SIGKILL, from itself or from outside: see grader/sandbox/run_checker.py
  kNotWritten,
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
