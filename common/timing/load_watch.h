#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

#include "common/timing/load.h"
#include "common/timing/stopwatch.h"
#include "common/timing/thread_times.h"

namespace lab {

// Watches the threads of a process from its construction until Stop: a sampling thread looks every
// tenth of a millisecond, on each core in turn, which takes a tenth to a third of one core, and
// applies StepBack to them. At most `team` threads count at any moment. The process may be the
// caller's own; the sampling thread is left out then. For exact figures the process's threads
// should sleep, or be stopped, at both ends. Not thread-safe.
class LoadWatch {
 public:
  LoadWatch(pid_t process, int team);

  // The load since construction, in a stretch of `wall_seconds`, by default the time until now;
  // call it once.
  Load Stop(std::optional<double> wall_seconds = std::nullopt);

 private:
  void Watch(const std::stop_token& stop);
  std::vector<ThreadTimes> OtherThreads();
  std::int64_t OthersNanoseconds() const;

  const pid_t process_;
  ThreadTable table_;
  LoadLedger ledger_;
  const bool is_own_;  // the process is this one
  Stopwatch stopwatch_;
  std::jthread watcher_;  // the last member: it uses the others
};

}  // namespace lab
