#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <vector>

namespace lab {

// What one thread has used in its life.
struct ThreadTimes {
  pid_t thread;
  std::int64_t run_ns;   // on a core
  std::int64_t wait_ns;  // in the run queue: it could have run, but had no core
  std::int64_t turns;    // times that it was given a core
};

// Reads a process's times from outside, through /proc/PID/task/*/schedstat. Its files stay open, so
// that one reading takes a few microseconds a thread. Not thread-safe. Never throws: of a process
// that is gone it reads nothing.
class ThreadTable {
 public:
  explicit ThreadTable(pid_t process);
  ~ThreadTable();
  ThreadTable(const ThreadTable&) = delete;
  ThreadTable& operator=(const ThreadTable&) = delete;

  // The living threads. The times of a thread that runs lag behind by one scheduler tick at most;
  // those of one that sleeps or is stopped are exact. Valid until the next call.
  const std::vector<ThreadTimes>& Read();

  // CPU time of all threads: exact for those that have ended; those of living ones may lag behind
  // as above. 0 when the process is gone.
  std::int64_t RunNanoseconds() const;

 private:
  pid_t process_;
  void* folder_;                // DIR*
  std::map<pid_t, int> files_;  // schedstat of each thread
  std::vector<ThreadTimes> times_;
};

// Whether this kernel counts run-queue waits (CONFIG_SCHED_INFO).
bool KernelCountsWaits();

}  // namespace lab
