#include "common/timing/load.h"

#include <vector>

#include "gtest/gtest.h"

namespace lab {
namespace {

using Threads = std::vector<ThreadTimes>;

constexpr std::int64_t kMs = 1'000'000;

ThreadTimes At(pid_t thread, std::int64_t run_ms, std::int64_t wait_ms, std::int64_t turns = 1) {
  return {thread, run_ms * kMs, wait_ms * kMs, turns};
}

// All looks at a process, the first and the last included, and its CPU time in between.
Load Account(const std::vector<Threads>& looks, std::int64_t run_ms, double wall_ms) {
  constexpr std::int64_t kBefore = 70 * kMs;
  LoadLedger ledger;
  ledger.Start(looks.front(), kBefore);
  for (std::size_t i = 1; i < looks.size(); ++i) ledger.Look(looks[i]);
  return ledger.Finish(kBefore + run_ms * kMs, wall_ms * 1e-3);
}

TEST(LoadTest, SerialCodeIsOneThreadHoweverManyThereAre) {
  const Load load = Account({{At(1, 50, 3), At(2, 9, 9)}, {At(1, 150, 3), At(2, 9, 9)}}, 100, 100);
  EXPECT_DOUBLE_EQ(load.Parallelism(), 1);
  EXPECT_DOUBLE_EQ(load.Balance(4), 4);
}

TEST(LoadTest, OneLockIsOneThread) {
  const Threads before{At(1, 0, 0), At(2, 0, 0), At(3, 0, 0), At(4, 0, 0)};
  const Threads after{At(1, 25, 0), At(2, 25, 0), At(3, 25, 0), At(4, 25, 0)};
  const Load load = Account({before, after}, 100, 100);
  EXPECT_DOUBLE_EQ(load.Parallelism(), 1);
  EXPECT_DOUBLE_EQ(load.Balance(4), 1);
}

TEST(LoadTest, FourEqualThreadsAreFourOnOneCoreAsOnFour) {
  const Threads before{At(1, 7, 1), At(2, 7, 1), At(3, 7, 1), At(4, 7, 1)};
  const Threads on_one{At(1, 32, 76), At(2, 32, 76), At(3, 32, 76), At(4, 32, 76)};
  const Threads on_four{At(1, 32, 1), At(2, 32, 1), At(3, 32, 1), At(4, 32, 1)};
  EXPECT_DOUBLE_EQ(Account({before, on_one}, 100, 100).Parallelism(), 4);
  EXPECT_DOUBLE_EQ(Account({before, on_four}, 100, 25).Parallelism(), 4);
}

TEST(LoadTest, BusyMachineDoesNotMakeSerialCodeParallel) {
  const Load load = Account({{At(1, 0, 0)}, {At(1, 100, 200)}}, 100, 300);
  EXPECT_DOUBLE_EQ(load.Parallelism(), 1);
}

TEST(LoadTest, UnequalSharesShowInTheBalanceAndInTheParallelism) {
  const Threads before{At(1, 0, 0), At(2, 0, 0), At(3, 0, 0), At(4, 0, 0)};
  const Threads after{At(1, 70, 0), At(2, 10, 0), At(3, 10, 0), At(4, 10, 0)};
  const Load load = Account({before, after}, 100, 70);
  EXPECT_NEAR(load.Parallelism(), 100.0 / 70, 1e-12);
  EXPECT_DOUBLE_EQ(load.Balance(4), 2.8);
}

TEST(LoadTest, SpinningTeamIsFourThreads) {
  const Threads before{At(1, 0, 0), At(2, 0, 0), At(3, 0, 0), At(4, 0, 0)};
  const Threads after{At(1, 100, 0), At(2, 100, 0), At(3, 100, 0), At(4, 100, 0)};
  const Load load = Account({before, after}, 400, 100);
  EXPECT_DOUBLE_EQ(load.Parallelism(), 4);
  EXPECT_DOUBLE_EQ(load.run_seconds, 0.4);
}

TEST(LoadTest, ThreadsBornWithinCountFromTheirBirth) {
  const Load load = Account({{At(1, 40, 0)}, {At(1, 40, 0), At(9, 20, 5)}, {At(1, 41, 0)}}, 21, 26);
  EXPECT_DOUBLE_EQ(load.Parallelism(), 1);
}

TEST(LoadTest, MissedThreadsWaitedAsOthersBornWithinDid) {
  // Of 100 ms on cores the looks saw 50, each with as long a wait; thread 1 only started the
  // others.
  const Threads seen{At(1, 1, 0), At(7, 25, 25), At(8, 25, 25)};
  const Load load = Account({{At(1, 1, 0)}, seen, {At(1, 1, 0)}}, 100, 50);
  EXPECT_DOUBLE_EQ(load.run_seconds, 0.1);
  EXPECT_DOUBLE_EQ(load.wait_seconds, 0.1);
}

TEST(LoadTest, WithoutAnyThreadBornWithinTheOthersStandForWhatWasMissed) {
  const Load load = Account({{At(1, 0, 0)}, {At(1, 40, 20)}}, 80, 120);
  EXPECT_DOUBLE_EQ(load.wait_seconds, 0.04);
}

TEST(LoadTest, ThreadWithTheNumberOfOneThatEndedCountsBesideIt) {
  const Load load =
      Account({{At(1, 0, 0)}, {At(1, 0, 0), At(5, 30, 10)}, {At(1, 0, 0), At(5, 20, 10)}}, 50, 70);
  EXPECT_DOUBLE_EQ(load.run_seconds, 0.05);
  EXPECT_DOUBLE_EQ(load.wait_seconds, 0.02);
}

TEST(LoadTest, WaitBeforeAShortTurnCountsInProportion) {
  LoadLedger ledger;
  ledger.Start(Threads{{1, 0, 0, 0}}, 0);
  ledger.Look(Threads{{1, 30'000, 6 * kMs, 1}});
  EXPECT_DOUBLE_EQ(ledger.Finish(30'000, 0.01).wait_seconds, 0.3 * 0.006);
}

TEST(LoadTest, OfTurnsBetweenTwoLooksOneIsLong) {
  const Load load = Account({{At(1, 0, 0, 0)}, {At(1, 3, 6, 3)}}, 3, 10);
  EXPECT_DOUBLE_EQ(load.wait_seconds, 0.002);
}

TEST(LoadTest, EachTurnStandsForItself) {
  const Load load =
      Account({{At(1, 0, 0, 0)}, {At(1, 1, 30, 1)}, {At(1, 2, 30, 1)}, {At(1, 3, 50, 51)}}, 3, 100);
  EXPECT_DOUBLE_EQ(load.wait_seconds, 0.030 + 0.020 / 50);
}

TEST(LoadTest, ThreadsThatWakeUpAndSleepAgainDoNotMakeOneWorkerParallel) {
  const Threads before{At(1, 0, 0), At(2, 0, 0), At(3, 0, 0)};
  const Load load = Account({before, {At(1, 99, 0), At(2, 0, 90, 2), At(3, 1, 90, 91)}}, 100, 100);
  EXPECT_DOUBLE_EQ(load.Parallelism(), 1.01);
}

TEST(LoadTest, NothingIsNoThreadAndBalanced) {
  const Load load = Account({{}, {}}, 0, 10);
  EXPECT_EQ(load.Parallelism(), 0);
  EXPECT_EQ(load.Balance(4), 1);
}

}  // namespace
}  // namespace lab
