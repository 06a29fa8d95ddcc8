#include "common/timing/expected_speedup.h"

#include "gtest/gtest.h"

namespace lab {
namespace {

constexpr int kTeam = 4;

// Of a team that shares its work equally.
Load LoadOf(double wall, double run, double wait) { return {wall, run, wait, run / kTeam}; }

double Expected(const Load& load, const JobCost& cost, double cap = 4) {
  return ExpectedSpeedup(load, kTeam, RunnableThreads(load, kTeam),
                         WorkInflation(load.run_seconds, cost, cap));
}

TEST(ExpectedSpeedupTest, FourEqualThreadsOnFourCoresGainFour) {
  EXPECT_DOUBLE_EQ(Expected(LoadOf(1, 4, 0), {4, 4}), 4);
}

TEST(ExpectedSpeedupTest, FourEqualThreadsOnOneCoreGainFour) {
  EXPECT_DOUBLE_EQ(Expected(LoadOf(4, 4, 12), {4, 4}), 4);
}

TEST(ExpectedSpeedupTest, OneThreadOnABusyMachineGainsNothing) {
  EXPECT_DOUBLE_EQ(Expected({12, 4, 8, 4}, {4, 4}), 1);
}

TEST(ExpectedSpeedupTest, SpinningTeamGainsNothing) {
  EXPECT_DOUBLE_EQ(Expected(LoadOf(4, 16, 0), {4, 4}), 1);
}

TEST(ExpectedSpeedupTest, DecoysBesideOneWorkerGainNothing) {
  // Three threads run a quarter as long as the worker, and wait for its core else.
  EXPECT_DOUBLE_EQ(Expected({7, 7, 21, 4}, {4, 4}), 1);
}

TEST(ExpectedSpeedupTest, ThreadThatHasACoreToItselfMayDoHalfOfTheWork) {
  EXPECT_DOUBLE_EQ(Expected({2, 4, 4, 2}, {4, 4}), 4);
}

TEST(ExpectedSpeedupTest, SlowLoopIsComparedWithItselfUpToTheCap) {
  EXPECT_DOUBLE_EQ(Expected(LoadOf(3, 12, 0), {12, 4}, 4), 4);
  EXPECT_DOUBLE_EQ(Expected(LoadOf(20, 80, 0), {80, 4}, 4), 0.8);  // 80 / (4 * 4) = 5
}

TEST(ExpectedSpeedupTest, TeamThatIsCheaperThanOneThreadDoesNotInflate) {
  EXPECT_EQ(WorkInflation(3, {4, 4}, 4), 1);
}

TEST(ExpectedSpeedupTest, MoreThreadsThanTheTeamCountAsTheTeam) {
  EXPECT_EQ(RunnableThreads(LoadOf(1, 4, 4), kTeam), 4);
  EXPECT_EQ(RunnableThreads(LoadOf(1, 0.5, 0), kTeam), 1);
}

TEST(ExpectedSpeedupTest, WithoutWaitsBusyCoresStandForTheWholeTeam) {
  EXPECT_DOUBLE_EQ(RunnableThreadsByRunTime(LoadOf(1, 2, 0), kTeam, 2), 4);
  EXPECT_DOUBLE_EQ(RunnableThreadsByRunTime(LoadOf(1, 1, 0), kTeam, 2), 1);
  EXPECT_DOUBLE_EQ(RunnableThreadsByRunTime(LoadOf(1, 3, 0), kTeam, 8), 3);
}

}  // namespace
}  // namespace lab
