#pragma once

#include <optional>

#include "grader/sandbox/checker/process.h"
#include "grader/sandbox/jail/jail.h"
#include "grader/sandbox/jail/lost_time.h"

namespace grader::checker {

// The time of a request and its deadline: a limit of wall time that excludes run-queue wait, up to
// a multiple of the limit. Reads the jail's times only after a while, so that short calls, above
// all timed ones, pay nothing for it. Not thread-safe; the jail must outlive it.
class RequestTimer {
 public:
  // Starts now.
  RequestTimer(const Jail& jail, double limit_seconds);

  Deadline deadline() const { return deadline_; }

  // Call at the deadline. Postpones it and returns true if the program waited for a core.
  bool Extend();

  // After Extend() returned false: true if the program still waited for cores, but the deadline
  // had been postponed as far as it may be. Its failure then says nothing about the program.
  bool MachineWasTooBusy() const { return machine_was_too_busy_; }

  // Seconds since the start, minus run-queue wait.
  double Used() const;

 private:
  struct Sample {
    Deadline when;
    CoreTimes times;
  };
  Sample TakeSample() const;
  double LostUntil(const Sample& now) const;

  const Jail& jail_;
  double limit_seconds_;
  Deadline start_;
  Deadline deadline_;
  std::optional<Sample> before_;
  bool machine_was_too_busy_ = false;
};

}  // namespace grader::checker
