#include "common/timing/load.h"

#include <vector>

#include "gtest/gtest.h"

namespace lab {
namespace {

constexpr int kLoadTeam = 4;
constexpr std::int64_t kMs = 1'000'000;

ThreadTimes At(pid_t thread, std::int64_t run_ms, std::int64_t wait_ms, std::int64_t turns = 1) {
  return {thread, run_ms * kMs, wait_ms * kMs, turns};
}

// A look at all threads, so many milliseconds after the first.
struct LookAt {
  std::int64_t ms;
  std::vector<ThreadTimes> threads;
  std::int64_t run_ms = 0;  // the process's CPU time since the first, where the threads tell less
};

// All looks at a process, the first and the last included.
Load Account(const std::vector<LookAt>& looks, double wall_ms) {
  constexpr std::int64_t kBefore = 70 * kMs;
  LoadLedger ledger(kLoadTeam);
  ledger.Start(kBefore, looks.front().threads);
  for (std::size_t i = 1; i < looks.size(); ++i) {
    ledger.Look(kBefore + looks[i].run_ms * kMs, looks[i].threads, looks[i].ms * kMs);
  }
  return ledger.Finish(wall_ms * 1e-3);
}

// So many threads, each of which has run and waited as long.
std::vector<ThreadTimes> Equal(int threads, std::int64_t run_ms, std::int64_t wait_ms) {
  std::vector<ThreadTimes> all;
  for (int t = 1; t <= threads; ++t) all.push_back(At(t, run_ms, wait_ms));
  return all;
}

TEST(LoadTest, SerialCodeIsOneThreadHoweverManyThereAre) {
  const Load load =
      Account({{0, {At(1, 50, 3), At(2, 9, 9)}}, {100, {At(1, 150, 3), At(2, 9, 9)}}}, 100);
  EXPECT_DOUBLE_EQ(load.Parallelism(), 1);
  EXPECT_DOUBLE_EQ(load.Balance(4), 4);
}

TEST(LoadTest, ThreadsOneAfterTheOtherAreOneThread) {
  std::vector<LookAt> looks{{0, Equal(4, 0, 0)}};
  for (std::size_t t = 0; t < 4; ++t) {
    LookAt next = looks.back();
    next.ms += 25;
    next.threads[t] = At(next.threads[t].thread, 25, 0);
    looks.push_back(next);
  }
  const Load load = Account(looks, 100);
  EXPECT_DOUBLE_EQ(load.Parallelism(), 1);
  EXPECT_DOUBLE_EQ(load.Balance(4), 1);
}

TEST(LoadTest, FourEqualThreadsAreFourOnOneCoreAsOnFour) {
  const LookAt before{0, Equal(4, 7, 1)};
  EXPECT_DOUBLE_EQ(Account({before, {100, Equal(4, 32, 76)}}, 100).Parallelism(), 4);
  EXPECT_DOUBLE_EQ(Account({before, {25, Equal(4, 32, 1)}}, 25).Parallelism(), 4);
}

TEST(LoadTest, ThreadsThatGetACoreForTheirWholeWorkInTurnAreParallel) {
  // On one core, each for 25 ms; all of them could have begun at once.
  std::vector<LookAt> looks{{0, Equal(4, 0, 0)}};
  for (std::size_t t = 0; t < 4; ++t) {
    LookAt next = looks.back();
    next.threads[t] = {next.threads[t].thread, 25 * kMs, next.ms * kMs, 2};
    next.ms += 25;
    looks.push_back(next);
  }
  // Threads that were runnable, on average, from the begin of each one's wait to its end.
  const double spans = 1 / 4.0 + 1 / 3.5 + 1 / 3.0 + 1 / 2.5;
  EXPECT_NEAR(Account(looks, 100).Parallelism(), 4 / spans, 1e-9);
}

TEST(LoadTest, BusyMachineDoesNotMakeSerialCodeParallel) {
  const Load load = Account({{0, {At(1, 0, 0)}}, {300, {At(1, 100, 200)}}}, 300);
  EXPECT_DOUBLE_EQ(load.Parallelism(), 1);
}

TEST(LoadTest, ACrowdThatWaitsCountsAsMuchAsItRuns) {
  // One thread works for 90 ms; then 40 wait for a core, and each runs for 0.25 ms.
  std::vector<LookAt> looks{{0, {At(1, 0, 0)}}, {90, {At(1, 90, 0)}}};
  for (int member = 0; member < 40; ++member) {
    looks.back().threads.push_back({100 + member, 0, 0, 0});
  }
  LookAt after{100, looks.back().threads};
  for (int member = 0; member < 40; ++member) {
    after.threads[1 + member] = {100 + member, kMs / 4, 10 * kMs - kMs / 4, 1};
  }
  looks.push_back(after);
  EXPECT_NEAR(Account(looks, 100).Parallelism(), 100 / (90 + 10 / 4.0), 1e-9);
}

TEST(LoadTest, UnequalSharesShowInTheBalanceAndInTheParallelism) {
  const std::vector<ThreadTimes> small{At(1, 10, 0), At(2, 10, 0), At(3, 10, 0), At(4, 10, 0)};
  std::vector<ThreadTimes> after = small;
  after[0] = At(1, 70, 0);
  const Load load = Account({{0, Equal(4, 0, 0)}, {10, small}, {70, after}}, 70);
  EXPECT_NEAR(load.Parallelism(), 100 / (3 * 10 / 4.0 + 70 / ((10 * 4 + 60) / 70.0)), 1e-9);
  EXPECT_DOUBLE_EQ(load.Balance(4), 2.8);
}

TEST(LoadTest, SpinningTeamIsFourThreads) {
  const Load load = Account({{0, Equal(4, 0, 0)}, {100, Equal(4, 100, 0)}}, 100);
  EXPECT_DOUBLE_EQ(load.Parallelism(), 4);
  EXPECT_DOUBLE_EQ(load.run_seconds, 0.4);
}

TEST(LoadTest, AtEachMomentNoMoreThreadsCountThanTheTeamHas) {
  const Load load = Account({{0, Equal(9, 0, 0)}, {100, Equal(9, 100, 0)}}, 100);
  EXPECT_DOUBLE_EQ(load.Parallelism(), 4);
}

TEST(LoadTest, SleepingTogetherIsTimeOfOneThread) {
  const Load load = Account({{0, Equal(4, 0, 0)}, {25, Equal(4, 25, 0)}}, 75);
  EXPECT_NEAR(load.span_seconds, 0.025 + 0.075 * 0.95 - 0.025, 1e-9);
}

TEST(LoadTest, ThreadsBornWithinCountFromTheirBirth) {
  const Load load =
      Account({{0, {At(1, 40, 0)}}, {25, {At(1, 40, 0), At(9, 20, 5)}}, {26, {At(1, 41, 0)}}}, 26);
  EXPECT_DOUBLE_EQ(load.run_seconds, 0.021);
  EXPECT_DOUBLE_EQ(load.Parallelism(), 1);
}

TEST(LoadTest, TimeMissedOfThreadsThatEndedTogetherIsParallel) {
  // Of 100 ms on cores the looks saw 50, of two threads; thread 1 only started the others.
  const std::vector<ThreadTimes> seen{At(1, 1, 0), At(7, 25, 0), At(8, 25, 0)};
  const Load load = Account({{0, {At(1, 1, 0)}}, {25, seen, 50}, {50, {At(1, 1, 0)}, 100}}, 50);
  EXPECT_DOUBLE_EQ(load.run_seconds, 0.1);
  EXPECT_DOUBLE_EQ(load.busiest_seconds, 0.05);
  EXPECT_DOUBLE_EQ(load.Parallelism(), 2);
}

TEST(LoadTest, TimeMissedOfThreadsOneAfterTheOtherIsOneThreadBesideAParallelCrowd) {
  // Four threads, each seen once at its birth; then four run at once, and are seen.
  std::vector<LookAt> looks{{0, {}}};
  for (std::int64_t t = 0; t < 4; ++t) {
    looks.push_back({10 * t + 1, {At(static_cast<pid_t>(100 + t), 0, 0)}, 10 * t});
    looks.push_back({10 * t + 10, {}, 10 * t + 10});
  }
  looks.push_back({50, Equal(4, 10, 0), 80});
  const Load load = Account(looks, 50);
  EXPECT_DOUBLE_EQ(load.run_seconds, 0.08);
  EXPECT_NEAR(load.Parallelism(), 80 / 50.0, 1e-9);
}

TEST(LoadTest, TimeMissedIsThatOfAsFewThreadsAsExplainIt) {
  // Thread 1 runs for 10 ms; the others are born with it and sleep until it ends.
  const std::vector<LookAt> looks{{0, {}}, {1, Equal(4, 0, 0)}, {10, {}, 10}};
  const Load load = Account(looks, 10);
  EXPECT_DOUBLE_EQ(load.run_seconds, 0.01);
  EXPECT_DOUBLE_EQ(load.Parallelism(), 1);
  EXPECT_DOUBLE_EQ(load.Balance(4), 4);
}

TEST(LoadTest, ThreadThatOneLookMissesGoesOn) {
  const Load load = Account(
      {{0, {At(1, 0, 0)}}, {10, {At(1, 10, 0)}, 10}, {20, {}, 20}, {30, {At(1, 30, 0)}, 30}}, 30);
  EXPECT_DOUBLE_EQ(load.run_seconds, 0.03);
  EXPECT_DOUBLE_EQ(load.busiest_seconds, 0.03);
  EXPECT_DOUBLE_EQ(load.Parallelism(), 1);
}

TEST(LoadTest, ThreadsThatNoLookHasSeenAreAsManyAsTheirTimeNeeds) {
  EXPECT_DOUBLE_EQ(Account({{0, {}}, {10, {}, 10}, {20, {}, 20}}, 20).Parallelism(), 1);
  EXPECT_DOUBLE_EQ(Account({{0, {}}, {10, {}, 30}}, 10).Parallelism(), 3);
}

TEST(LoadTest, ThreadWithTheNumberOfOneThatEndedCountsBesideIt) {
  const Load load = Account(
      {{0, {At(1, 0, 0)}}, {40, {At(1, 0, 0), At(5, 30, 10)}}, {70, {At(1, 0, 0), At(5, 20, 10)}}},
      70);
  EXPECT_DOUBLE_EQ(load.run_seconds, 0.05);
  EXPECT_DOUBLE_EQ(load.Parallelism(), 1);
}

// One thread runs for 10 ms; another waits meanwhile, and then has its turns.
double BesideTurns(std::int64_t run_ns, std::int64_t turns) {
  LoadLedger ledger(kLoadTeam);
  const std::int64_t end = 10 * kMs + run_ns;
  ledger.Start(0, std::vector<ThreadTimes>{{1, 0, 0, 0}, {2, 0, 0, 0}});
  ledger.Look(0, std::vector<ThreadTimes>{{1, 10 * kMs, 0, 1}, {2, 0, 0, 0}}, 10 * kMs);
  ledger.Look(0, std::vector<ThreadTimes>{{1, 10 * kMs, 0, 1}, {2, run_ns, 10 * kMs, turns}}, end);
  const double wall_seconds = static_cast<double>(end) * 1e-9;
  return ledger.Finish(wall_seconds).span_seconds / wall_seconds;
}

TEST(LoadTest, WaitBeforeAShortTurnCountsInProportion) {
  EXPECT_NEAR(BesideTurns(10 * kMs, 1), (10 / 2.0 + 10 / 1.5) / 20, 1e-9);
  EXPECT_NEAR(BesideTurns(kMs / 100, 1), (10 / 1.1 + 0) / 10.01, 1e-3);
  EXPECT_NEAR(BesideTurns(kMs / 1000, 1), 1 / 1.01, 1e-3);
}

TEST(LoadTest, OfTurnsBetweenTwoLooksOneIsLong) {
  EXPECT_NEAR(BesideTurns(kMs / 10, 100), (10 / 1.01 + 0.1 / 1.5) / 10.1, 1e-9);
}

TEST(LoadTest, NothingIsNoThreadAndBalanced) {
  const Load load = Account({{0, {}}, {10, {}}}, 10);
  EXPECT_EQ(load.Parallelism(), 0);
  EXPECT_EQ(load.Balance(4), 1);
}

}  // namespace
}  // namespace lab
