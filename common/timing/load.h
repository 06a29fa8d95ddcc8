#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "common/timing/thread_times.h"

namespace lab {

// What a thread did from the moment it was given a core until it had waited for one again. Turns
// that followed each other too fast to be told apart stand in one.
struct Turn {
  double wait_seconds = 0;  // in the run queue, before it got the core
  double run_seconds = 0;   // on the core
  double count = 0;         // turns that this one stands for
};

// What the threads of a process did within a stretch of wall time, such as one call.
struct Load {
  double wall_seconds = 0;
  double run_seconds = 0;      // on cores: of all threads, those included that have ended
  double busiest_seconds = 0;  // on a core: of the thread that ran longest
  std::vector<Turn> turns;     // of all threads

  // How long threads waited for a core that they made use of: a wait counts in proportion to the
  // run that followed it if that is shorter than 100 us. Who waits for a core, finds the lock taken
  // and sleeps again would find it taken on a core of its own, too.
  double UsefulWaitSeconds() const;

  // How many threads ran, or could have run, on average: at least 0. It is the same on one core
  // and on many, and on a machine where others are at work, too.
  double Parallelism() const { return (run_seconds + UsefulWaitSeconds()) / wall_seconds; }

  // The busiest thread's run time over the mean of a team of so many: 1 if they share the work
  // equally, `team` if one does it all.
  double Balance(int team) const {
    return run_seconds > 0 ? busiest_seconds * team / run_seconds : 1;
  }
};

// Adds up the threads' times. Those of a thread that lives from Start to Finish are exact. Of one
// that ends before, what the last Look saw is known; what it ran since is in the process's own
// clock, and is taken to have waited in proportion, as the other threads that were born within the
// stretch did. Turns between two looks are taken for one. Not thread-safe.
class LoadLedger {
 public:
  // `process_ns` is the CPU time of the whole process.
  void Start(std::span<const ThreadTimes> threads, std::int64_t process_ns);
  // O(t log t) for t threads.
  void Look(std::span<const ThreadTimes> threads);
  // After a last look. `wall_seconds` is above 0.
  Load Finish(std::int64_t process_ns, double wall_seconds) const;

 private:
  struct Entry {
    bool born_within;
    ThreadTimes first;
    ThreadTimes last;
    std::vector<Turn> turns;  // the last one may still go on

    void Add(const ThreadTimes& now);
    double RunSeconds() const;
  };

  std::map<pid_t, Entry> entries_;
  std::vector<Entry> replaced_;  // by threads that got the same number
  std::int64_t process_ns_ = 0;
};

}  // namespace lab
