#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "common/timing/load.h"

namespace lab {

// Medians over the calls of a team, as TeamLoads computes them.
struct TeamFigures {
  double runnable = 0;   // RunnableThreads
  double inflation = 1;  // WorkInflation, against one thread
  double copies = 1;     // InflationByGrowth, against teams of other sizes
  double balance = 1;    // Load::Balance
  double alone_seconds = 0;
  double team_seconds = 0;
};

// The loads of one job in rounds of calls: by the team, in the first rounds by one thread, and by a
// team of another size, drawn at random so that code cannot prepare for it. The grader and the
// public test measure with it alike. Not thread-safe.
class TeamLoads {
 public:
  // `assumed_cores`, if any, stand for waits where the kernel does not count them:
  // RunnableThreadsByRunTime. team >= 2.
  explicit TeamLoads(int team, std::optional<int> assumed_cores = std::nullopt)
      : team_(team), assumed_cores_(assumed_cores) {}

  // The sizes of the teams that call in the round, from 0; the first is the team. `draw` is a
  // random number.
  static std::vector<int> SizesOf(int round, int team, std::uint64_t draw);

  void Add(int threads, const Load& load) { loads_[threads].push_back(load); }

  // Forgets the team's own calls, and keeps those that they are compared with.
  void ClearTeam() { loads_.erase(team_); }

  // The expected speedup in each of the team's calls. There must be one, and one of a single
  // thread.
  std::vector<double> Speedups() const;

  // The same.
  TeamFigures Figures() const;

 private:
  double Runnable(const Load& load) const;
  double MedianRun(int threads) const;
  double Copies() const;

  int team_;
  std::optional<int> assumed_cores_;
  std::map<int, std::vector<Load>> loads_;  // by the number of threads
};

}  // namespace lab
