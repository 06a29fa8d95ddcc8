#pragma once

#include "common/timing/load.h"

namespace lab {

// CPU seconds that one job takes.
struct JobCost {
  double student_alone;    // with a team of one
  double reference_alone;  // of the reference, with a team of one
};

// Work inflation: how many times the CPU time of one thread a team needs for the job, at least 1. A
// team that spins while it waits, or does work twice, inflates. One thread's time is the student's
// own, so that a plain loop is compared with itself, but at most `cap` times the reference's, so
// that code made slow for one thread gains little.
double WorkInflation(double team_run_seconds, const JobCost& cost, double cap);

// How many threads of a team of `team` ran or waited for a core on average, from 1 to `team`.
double RunnableThreads(const Load& load, int team);

// The same where the kernel does not count waits: if the team keeps all `free_cores` busy, all of
// its threads are taken to be runnable. free_cores >= 2.
double RunnableThreadsByRunTime(const Load& load, int team, int free_cores);

// The speedup to expect over one thread where each thread of a team of `team` has a core:
// `runnable` threads over the work inflation. It is 1 where the busiest thread does four fifths of
// the job or more (the rest may be noise): the others only looked busy. With two free cores one
// thread of a larger team that shares the work well may have a core to itself and do half of the
// job, so a share of up to a half is not penalised.
double ExpectedSpeedup(const Load& load, int team, double runnable, double inflation);

}  // namespace lab
