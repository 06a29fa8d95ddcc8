#pragma once

#include "common/timing/load.h"

namespace lab {

// CPU seconds that one job takes.
struct JobCost {
  double student_alone;    // with a team of one
  double reference_alone;  // of the reference, with a team of one
};

// Work inflation: how many times the CPU time of one thread a team needs for the job, at least 1.
// A team that spins while it waits, or does work twice, inflates. One thread's time is the
// student's own, so that a plain loop is compared with itself, but at most `cap` times the
// reference's: code that is made slow for one thread is not believed beyond that.
double WorkInflation(double team_run_seconds, const JobCost& cost, double cap);

// How many threads of a team of `team` ran or waited for a core on average, from 1 to `team`;
// `crowd` is that of the job with a team of one.
double RunnableThreads(const Load& load, int team, double crowd);

// The same where the kernel does not count waits: of a team that keeps all `free_cores`, at least
// two, busy all threads are taken to be runnable.
double RunnableThreadsByRunTime(const Load& load, int team, int free_cores);

}  // namespace lab
