#pragma once

#include <optional>

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

// How many threads of a team of `team` ran or waited for a core on average, from 1 to `team`. Where
// `free_cores` are said the kernel does not count waits: of a team that keeps all of these cores
// busy all of its threads are taken to be runnable. Then there must be at least two.
double RunnableThreads(const Load& load, int team, std::optional<int> free_cores = std::nullopt);

}  // namespace lab
