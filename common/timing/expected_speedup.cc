#include "common/timing/expected_speedup.h"

#include <algorithm>

namespace lab {
namespace {

constexpr double kWholeJob = 1.25;  // in units of the busiest thread's run time
// From where growth counts, and from where it counts in full.
constexpr double kHonestGrowth = 0.4, kWholeGrowth = 0.8;

}  // namespace

double WorkInflation(double team_run_seconds, double alone_run_seconds) {
  return alone_run_seconds > 0 ? std::max(1.0, team_run_seconds / alone_run_seconds) : 1;
}

double WorkGrowth(double run_seconds_fewer, int fewer, double run_seconds_more, int more) {
  if (!(run_seconds_fewer > 0)) return 0;
  const double copies = static_cast<double>(more) / fewer;
  return std::clamp((run_seconds_more / run_seconds_fewer - 1) / (copies - 1), 0.0, 1.0);
}

double InflationByGrowth(double growth, int team) {
  const double counted = (growth - kHonestGrowth) / (kWholeGrowth - kHonestGrowth);
  return 1 + (team - 1) * std::clamp(counted, 0.0, 1.0);
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
