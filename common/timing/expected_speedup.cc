#include "common/timing/expected_speedup.h"

#include <algorithm>

namespace lab {

double WorkInflation(double team_run_seconds, const JobCost& cost, double cap) {
  const double alone = std::min(cost.student_alone, cap * cost.reference_alone);
  return alone > 0 ? std::max(1.0, team_run_seconds / alone) : 1;
}

double RunnableThreads(const Load& load, int team, double crowd) {
  return std::clamp(load.Parallelism(crowd), 1.0, static_cast<double>(team));
}

double RunnableThreadsByRunTime(const Load& load, int team, int free_cores) {
  const double most = team;
  const double cores = std::min(free_cores, team);
  const double busy = load.run_seconds / load.wall_seconds;
  return std::clamp(1 + (busy - 1) * (most - 1) / (cores - 1), 1.0, most);
}

}  // namespace lab
