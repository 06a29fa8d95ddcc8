#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "common/timing/thread_times.h"

namespace lab {

// What the threads of a process did within a stretch of wall time, such as one call.
struct Load {
  double wall_seconds = 0;
  double run_seconds = 0;      // on cores: of all threads, including ended ones
  double span_seconds = 0;     // what it would take on as many cores as the team has threads
  double busiest_seconds = 0;  // on a core: of the thread that ran longest

  // How many threads shared the CPU time on average: at least 0. It depends neither on the number
  // of cores nor on the machine's other load.
  double Parallelism() const { return run_seconds / span_seconds; }

  // The busiest thread's run time over the mean of `team` threads: 1 if they share the work
  // equally, `team` if one does it all.
  double Balance(int team) const {
    return run_seconds > 0 ? busiest_seconds * team / run_seconds : 1;
  }
};

// Adds up what the threads of a team do. A thread is runnable while it runs, and while it waits for
// a core on which it then runs. At each moment the runnable threads are counted, at most as many as
// the team has. A turn on a core is done that much faster where each of them has a core: it adds
// its run time over the mean number of runnable threads, from the begin of its wait to its end, to
// the span. So a crowd of threads that wait counts as much as it runs. Time in which no thread runs
// or waits for a core adds to the span as it is, but for a twentieth of the wall time.
//
// A wait before a turn of less than 100 us counts only in proportion to the turn: a thread that
// waits for a core, finds a lock taken and sleeps again would find it taken on a core of its own,
// too. If there were several turns between two looks, one is taken to have all the run time, and
// all equal waits.
//
// The times of a thread that runs lag behind. When it ends, the process's CPU time shows at once
// what was missed: it was on a core then, so it is the run time of those threads that are gone
// since the last look, back to the moment when each was last seen to run, and of as few of them as
// explain it. What they do not explain, threads did that no look has seen. Not thread-safe.
class LoadLedger {
 public:
  // Not more than `team` threads count at any moment; team >= 1.
  explicit LoadLedger(int team) : team_(team) {}

  // `process_ns` is the CPU time of the whole process, read before that of the threads.
  void Start(std::int64_t process_ns, std::span<const ThreadTimes> threads);
  // The same; `at_ns` is the wall time since Start, and grows. O(t log t) for t threads.
  void Look(std::int64_t process_ns, std::span<const ThreadTimes> threads, std::int64_t at_ns);
  // After a last look, when all threads sleep. `wall_seconds` is above 0. O(n log n) for n turns.
  Load Finish(double wall_seconds) const;

 private:
  // What a thread did from the moment it was given a core until it was given one again; or several
  // such turns with no look in between.
  struct Turn {
    double wait_ns = 0;  // before
    double run_ns = 0;
    double count = 0;
    double end_ns = 0;  // wall time; where no run time is known yet, that of the look before

    double UsefulWait() const;
    double Begin() const { return end_ns - run_ns - UsefulWait(); }
  };
  struct Entry {
    ThreadTimes first;
    ThreadTimes last;
    double seen_ns;  // wall time
    Turn turn;       // the last one; it may go on

    double RunNanoseconds() const { return static_cast<double>(last.run_ns - first.run_ns); }
  };

  void Add(Entry& entry, const ThreadTimes& now, double at_ns);
  void Retire(const Entry& entry);
  // Of the threads that are gone those that were seen last; retires the others.
  std::vector<Entry*> LastEnded(double at_ns);
  void AddMissed(std::vector<Entry*> ended, double missed_ns, double at_ns);
  // Those that are over, and each thread's last one.
  std::vector<Turn> AllTurns() const;

  int team_;
  std::map<pid_t, Entry> entries_;  // of the living threads, and of those that ended last
  std::vector<Turn> turns_;         // that are over
  std::int64_t process_ns_ = 0;     // at the start
  double known_ns_ = 0;             // of the CPU time since
  double looked_ns_ = 0;            // wall time of the last look
  double busiest_ns_ = 0;           // of the retired threads
};

}  // namespace lab
