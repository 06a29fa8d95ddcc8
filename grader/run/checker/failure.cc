#include "grader/run/checker/failure.h"

namespace grader::checker {

std::string_view Name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kRuntimeError:
      return "runtime_error";
    case Verdict::kTimeLimit:
      return "time_limit";
    case Verdict::kMemoryLimit:
      return "memory_limit";
    case Verdict::kOutputLimit:
      return "output_limit";
    case Verdict::kOutOfBounds:
      return "out_of_bounds";
    case Verdict::kDataRace:
      return "data_race";
    case Verdict::kDeadlock:
      return "deadlock";
    case Verdict::kUninitialisedRead:
      return "uninitialised_read";
    case Verdict::kBarrierDivergence:
      return "barrier_divergence";
    case Verdict::kPolicy:
      return "policy";
    case Verdict::kTampering:
      return "tampering";
    case Verdict::kKilled:
      return "killed";
    case Verdict::kNotWritten:
      return "not_written";
    case Verdict::kJudgeError:
      return "judge_error";
  }
  return "judge_error";
}

}  // namespace grader::checker
