#pragma once

#include "common/timing/load.h"

namespace lab {

// Work inflation: how many times the CPU time of one thread, 0 if that is unknown, a team needs for
// the job, at least 1. A team that spins while it waits, or does work twice, inflates.
double WorkInflation(double team_run_seconds, double alone_run_seconds);

// How the CPU time of a job grows from a team of `fewer` threads to one of `more`: 0 if it does not
// grow, 1 if every thread adds as much as the first, as when each does the whole job or spins while
// one does it. A run with one thread that is slow on purpose does not hide that. 1 <= fewer < more.
double WorkGrowth(double run_seconds_fewer, int fewer, double run_seconds_more, int more);

// The inflation that the growth stands for. Growth of less than two fifths is ignored: caches and
// memory that more threads share, and noise, slow honest code, too.
double InflationByGrowth(double growth, int team);

// How many threads of a team of `team` shared the work on average, from 1 to `team`.
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
