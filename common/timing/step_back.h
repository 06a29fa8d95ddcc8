#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "common/timing/thread_times.h"

namespace lab {

// Lowers the priority (raises the niceness) of the thread that ran most since the last look, until
// the next one. A fair scheduler gives a core to the thread that has had the least CPU time; where
// threads hand work around a ring, that is the one whose turn it is, and each seems to have waited
// for a core. With a lower priority for the busiest thread the others run early enough to show that
// they have nothing to do. On free cores it has no effect.
//
// Needs the right to make threads less nice again (CAP_SYS_NICE); does nothing without it. Not
// thread-safe.
class StepBack {
 public:
  // The threads of `process` have the niceness that it has now.
  explicit StepBack(pid_t process);
  ~StepBack();  // restores the niceness
  StepBack(const StepBack&) = delete;
  StepBack& operator=(const StepBack&) = delete;

  bool IsAllowed() const { return usual_.has_value(); }

  // O(t log t) and two system calls for t threads.
  void Look(std::span<const ThreadTimes> threads);

 private:
  void Restore();

  std::optional<int> usual_;  // niceness; nullopt without the right to restore it
  std::map<pid_t, std::int64_t> run_ns_;
  std::optional<pid_t> stepped_back_;
};

}  // namespace lab
