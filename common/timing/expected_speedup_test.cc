#include "common/timing/expected_speedup.h"

#include "gtest/gtest.h"

namespace lab {
namespace {

constexpr int kTeam = 4;

// Of a team that shares its work equally.
Load LoadOf(double wall, double run, double span) { return {wall, run, span, run / kTeam}; }

double Expected(const Load& load, double alone_seconds) {
  return ExpectedSpeedup(load, kTeam, RunnableThreads(load, kTeam),
                         WorkInflation(load.run_seconds, alone_seconds));
}

TEST(ExpectedSpeedupTest, FourEqualThreadsGainFourOnAnyNumberOfCores) {
  EXPECT_DOUBLE_EQ(Expected(LoadOf(1, 4, 1), 4), 4);
  EXPECT_DOUBLE_EQ(Expected(LoadOf(4, 4, 1), 4), 4);
}

TEST(ExpectedSpeedupTest, OneThreadOnABusyMachineGainsNothing) {
  EXPECT_DOUBLE_EQ(Expected({12, 4, 4, 4}, 4), 1);
}

TEST(ExpectedSpeedupTest, SpinningTeamGainsNothing) {
  EXPECT_DOUBLE_EQ(Expected(LoadOf(4, 16, 4), 4), 1);
}

TEST(ExpectedSpeedupTest, DecoysBesideOneWorkerGainNothing) {
  // Three threads run a quarter as long as the worker, and wait for its core else.
  EXPECT_DOUBLE_EQ(Expected({7, 7, 1.75, 4}, 4), 1);
}

TEST(ExpectedSpeedupTest, ThreadThatHasACoreToItselfMayDoHalfOfTheWork) {
  EXPECT_DOUBLE_EQ(Expected({2, 4, 1, 2}, 4), 4);
}

TEST(ExpectedSpeedupTest, SlowCodeIsComparedWithItself) {
  EXPECT_DOUBLE_EQ(Expected(LoadOf(20, 80, 20), 80), 4);
}

TEST(ExpectedSpeedupTest, TeamThatIsCheaperThanOneThreadDoesNotInflate) {
  EXPECT_EQ(WorkInflation(3, 4), 1);
  EXPECT_EQ(WorkInflation(3, 0), 1);
}

TEST(ExpectedSpeedupTest, MoreThreadsThanTheTeamCountAsTheTeam) {
  EXPECT_EQ(RunnableThreads(LoadOf(1, 8, 1), kTeam), 4);
  EXPECT_EQ(RunnableThreads(LoadOf(1, 0.5, 1), kTeam), 1);
}

TEST(ExpectedSpeedupTest, WithoutWaitsBusyCoresStandForTheWholeTeam) {
  EXPECT_DOUBLE_EQ(RunnableThreadsByRunTime(LoadOf(1, 2, 1), kTeam, 2), 4);
  EXPECT_DOUBLE_EQ(RunnableThreadsByRunTime(LoadOf(1, 1, 1), kTeam, 2), 1);
  EXPECT_DOUBLE_EQ(RunnableThreadsByRunTime(LoadOf(1, 3, 1), kTeam, 8), 3);
}

TEST(ExpectedSpeedupTest, CpuTimeOfCopiesGrowsWithTheTeam) {
  EXPECT_DOUBLE_EQ(WorkGrowth(2, 2, 4, 4), 1);
  EXPECT_DOUBLE_EQ(WorkGrowth(4, 4, 6, 6), 1);
  EXPECT_DOUBLE_EQ(WorkGrowth(4, 2, 4, 4), 0);
  EXPECT_DOUBLE_EQ(WorkGrowth(4, 2, 3, 4), 0);
  EXPECT_DOUBLE_EQ(InflationByGrowth(1, kTeam), 4);
  EXPECT_DOUBLE_EQ(InflationByGrowth(0.6, kTeam), 2.5);
}

TEST(ExpectedSpeedupTest, SmallGrowthIsHonest) {
  EXPECT_EQ(InflationByGrowth(WorkGrowth(4, 2, 5.5, 4), kTeam), 1);
}

}  // namespace
}  // namespace lab
