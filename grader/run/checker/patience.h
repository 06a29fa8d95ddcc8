#pragma once

#include <optional>

#include "grader/run/checker/process.h"
#include "grader/run/jail/jail.h"
#include "grader/run/jail/lost_time.h"

namespace grader::checker {

// The deadline of a call: a limit of wall time that excludes run-queue wait, up to a multiple of
// the limit. Reads the jail's accounts only after a while, so that short calls, timed ones above
// all, pay nothing for it. Not thread-safe; the jail must outlive it.
class Patience {
 public:
  // Starts now.
  Patience(const Jail& jail, double limit_seconds);

  Deadline deadline() const { return deadline_; }

  // To be called at the deadline. Postpones it and returns true if the program waited for a core.
  bool PutOff();

  // After PutOff() returned false: true if the program still waited for cores, but the deadline
  // had been postponed as far as it may be. Its failure then says nothing about the program.
  bool MachineWasTooBusy() const { return machine_was_too_busy_; }

  // Seconds since the start, minus run-queue wait.
  double Used() const;

 private:
  struct Sight {
    Deadline when;
    CoreTimes times;
  };
  Sight Look() const;
  double LostUntil(const Sight& now) const;

  const Jail& jail_;
  double limit_seconds_;
  Deadline start_;
  Deadline deadline_;
  std::optional<Sight> before_;
  bool machine_was_too_busy_ = false;
};

}  // namespace grader::checker
