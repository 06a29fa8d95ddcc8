#include "common/timing/expected_speedup.h"

#include <algorithm>

namespace lab {
namespace {

constexpr double kWholeJob = 1.25;  // in units of the busiest thread's run time

}  // namespace

double WorkInflation(double team_run_seconds, const JobCost& cost, double cap) {
  const double alone = std::min(cost.student_alone, cap * cost.reference_alone);
  return alone > 0 ? std::max(1.0, team_run_seconds / alone) : 1;
}

double RunnableThreads(const Load& load, int team) {
  return std::clamp(load.Parallelism(), 1.0, static_cast<double>(team));
}

double RunnableThreadsByRunTime(const Load& load, int team, int free_cores) {
  const double most = team;
  const double cores = std::min(free_cores, team);
  const double busy = load.run_seconds / load.wall_seconds;
  return std::clamp(1 + (busy - 1) * (most - 1) / (cores - 1), 1.0, most);
}

double ExpectedSpeedup(const Load& load, int team, double runnable, double inflation) {
  const double by_load = runnable / inflation;
  if (team <= 2 || !(load.busiest_seconds > 0)) return by_load;
  const double jobs_over_busiest = load.run_seconds / inflation / load.busiest_seconds;
  const double most = 1 + (team - 1) * (jobs_over_busiest - kWholeJob) / (team / 2.0 - kWholeJob);
  return std::min(by_load, std::max(1.0, most));
}

}  // namespace lab
