#include "common/timing/team_loads.h"

#include <algorithm>
#include <array>

#include "common/timing/expected_speedup.h"
#include "common/timing/statistics.h"

namespace lab {
namespace {

constexpr int kRoundsAlone = 3;
constexpr int kRoundsOfOtherSizes = 5;

template <typename Of>
double MedianOver(const std::vector<Load>& loads, const Of& of) {
  std::vector<double> values;
  for (const Load& load : loads) values.push_back(of(load));
  return Median(values);
}

}  // namespace

std::vector<int> TeamLoads::SizesOf(int round, int team, std::uint64_t draw) {
  std::vector<int> sizes{team};
  if (round < kRoundsAlone) sizes.push_back(1);
  if (round >= kRoundsOfOtherSizes || team < 4) return sizes;
  // Far from the team's size: the difference must be larger than the noise.
  const std::array others{team / 2, 2 * team - 1, 2 * team};
  sizes.push_back(others[draw % others.size()]);
  return sizes;
}

double TeamLoads::Runnable(const Load& load) const {
  if (assumed_cores_) return RunnableThreadsByRunTime(load, team_, *assumed_cores_);
  return RunnableThreads(load, team_);
}

double TeamLoads::MedianRun(int threads) const {
  const auto found = loads_.find(threads);
  if (found == loads_.end()) return 0;
  return MedianOver(found->second, [](const Load& load) { return load.run_seconds; });
}

double TeamLoads::Copies() const {
  const double own = MedianRun(team_);
  std::vector<double> values;
  for (const auto& [threads, loads] : loads_) {
    if (threads == 1 || threads == team_) continue;
    for (const Load& load : loads) {
      values.push_back(threads < team_ ? WorkGrowth(load.run_seconds, threads, own, team_)
                                       : WorkGrowth(own, team_, load.run_seconds, threads));
    }
  }
  return values.empty() ? 1 : InflationByGrowth(Median(values), team_);
}

std::vector<double> TeamLoads::Speedups() const {
  const double alone = MedianRun(1);
  const double copies = Copies();
  std::vector<double> speedups;
  for (const Load& load : loads_.at(team_)) {
    const double inflation = std::max(WorkInflation(load.run_seconds, alone), copies);
    speedups.push_back(ExpectedSpeedup(load, team_, Runnable(load), inflation));
  }
  return speedups;
}

TeamFigures TeamLoads::Figures() const {
  const std::vector<Load>& team = loads_.at(team_);
  const double alone = MedianRun(1);
  const auto seconds = [](const Load& load) { return load.wall_seconds; };
  return {
      .runnable = MedianOver(team, [&](const Load& load) { return Runnable(load); }),
      .inflation = MedianOver(
          team, [&](const Load& load) { return WorkInflation(load.run_seconds, alone); }),
      .copies = Copies(),
      .balance = MedianOver(team, [&](const Load& load) { return load.Balance(team_); }),
      .alone_seconds = MedianOver(loads_.at(1), seconds),
      .team_seconds = MedianOver(team, seconds),
  };
}

}  // namespace lab
