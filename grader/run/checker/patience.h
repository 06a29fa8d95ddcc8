#pragma once

#include <optional>

#include "grader/run/checker/process.h"
#include "grader/run/jail/jail.h"
#include "grader/run/jail/lost_time.h"

namespace grader::checker {

// How long a call may take: a limit of wall time that does not count what others on the machine
// take from it, up to a multiple of the limit. Looks at the jail only after a while, so that it
// costs short calls nothing, timed ones above all. Not thread-safe; the jail must outlive it.
class Patience {
 public:
  // Begins now.
  Patience(const Jail& jail, double limit_seconds);

  Deadline deadline() const { return deadline_; }

  // To be called at the deadline: whether it was put off, as the program has not had its time yet.
  bool PutOff();

  // After PutOff() said no: whether that is so because others left the program hardly any time, so
  // that its failure says nothing about it.
  bool MachineWasTooBusy() const { return machine_was_too_busy_; }

  // Seconds since the beginning, without what others took of them.
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
