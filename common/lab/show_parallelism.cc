#include "common/lab/show_parallelism.h"

#include <unistd.h>

#include <cstdio>

#include "common/lab/team_size.h"
#include "common/timing/expected_speedup.h"
#include "common/timing/load_watch.h"

namespace lab {
namespace {

constexpr int kTeam = 4;

Load LoadOf(int threads, const std::function<void(int)>& call) {
  const TeamSize team(threads);
  call(threads);  // threads start, caches warm up
  LoadWatch watch(getpid());
  call(threads);
  return watch.Stop();
}

}  // namespace

void ShowParallelism(const std::function<void(int team)>& call) {
  const Load team = LoadOf(kTeam, call);
  const Load alone = LoadOf(1, call);
  if (!KernelCountsWaits()) return;
  const double runnable = RunnableThreads(team, kTeam);
  const double inflation =
      WorkInflation(team.run_seconds, {alone.run_seconds, alone.run_seconds}, 1);
  std::printf(
      "  %d threads asked, %.1f ran or waited for a core on average, busiest/mean %.2f, CPU time\n"
      "  %.2f times that of one thread: expected speedup %.1f\n",
      kTeam, runnable, team.Balance(kTeam), inflation,
      ExpectedSpeedup(team, kTeam, runnable, inflation));
}

}  // namespace lab
