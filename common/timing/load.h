#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <span>

#include "common/timing/thread_times.h"

namespace lab {

// What the threads of a process did within a stretch of wall time, such as one call.
struct Load {
  double wall_seconds = 0;
  double run_seconds = 0;      // on cores: of all threads, including ended ones
  double wait_seconds = 0;     // in run queues, as LoadLedger counts it: of all threads
  double busiest_seconds = 0;  // on a core: of the thread that ran longest

  // How many threads ran, or could have run, on average: at least 0. It does not depend on the
  // number of cores, nor on the machine's other load.
  double Parallelism() const { return (run_seconds + wait_seconds) / wall_seconds; }

  // The busiest thread's run time over the mean of `team` threads: 1 if they share the work
  // equally, `team` if one does it all.
  double Balance(int team) const {
    return run_seconds > 0 ? busiest_seconds * team / run_seconds : 1;
  }
};

// Adds up the threads' times. Those of a thread that lives from Start to Finish are exact. Of one
// that ends earlier the times up to the last Look are known; the CPU time after it is known from
// the process's clock, and its wait is estimated at the ratio of wait to run time of the threads
// born within the stretch.
//
// A wait before a turn on a core of less than 100 us counts only in proportion to the turn: a
// thread that waits for a core, finds a lock taken and sleeps again would find it taken on a core
// of its own, too. If there were several turns between two looks, one is taken to have all the run
// time, and all equal waits. Not thread-safe.
class LoadLedger {
 public:
  // `process_ns` is the CPU time of the whole process.
  void Start(std::span<const ThreadTimes> threads, std::int64_t process_ns);
  // O(t log t) for t threads.
  void Look(std::span<const ThreadTimes> threads);
  // After a last look. `wall_seconds` is above 0.
  Load Finish(std::int64_t process_ns, double wall_seconds) const;

 private:
  // What a thread did from the moment it was given a core until it was given one again; or several
  // such turns with no look in between.
  struct Turn {
    double wait_ns = 0;  // before
    double run_ns = 0;
    double count = 0;

    double UsefulWait() const;
  };
  struct Entry {
    bool born_within;
    ThreadTimes first;
    ThreadTimes last;
    Turn turn;           // the last one; it may go on
    double wait_ns = 0;  // of the turns before

    void Add(const ThreadTimes& now);
  };
  struct Sum {
    double run_ns = 0;
    double wait_ns = 0;

    void Add(const Entry& entry);
  };

  std::map<pid_t, Entry> entries_;
  Sum replaced_;  // by threads that got the same id
  std::int64_t process_ns_ = 0;
};

}  // namespace lab
