#include "common/timing/team_loads.h"

#include <set>

#include "gtest/gtest.h"

namespace lab {
namespace {

constexpr int kThreads = 4;

// All that run at once run equally long.
Load Equal(int threads, double run) { return {run, run, run / threads, run / threads}; }

// Rounds of calls whose CPU time is `run(threads)`.
template <typename Run>
TeamLoads Rounds(const Run& run) {
  TeamLoads loads(kThreads);
  for (int round = 0; round < 6; ++round) {
    for (const int threads : TeamLoads::SizesOf(round, kThreads, static_cast<unsigned>(round))) {
      loads.Add(threads, Equal(threads, run(threads)));
    }
  }
  return loads;
}

TEST(TeamLoadsTest, SharedWorkIsWorthTheWholeTeamHoweverSlowTheCode) {
  const TeamLoads loads = Rounds([](int) { return 9.0; });
  EXPECT_EQ(loads.Speedups(), std::vector<double>(6, 4.0));
  EXPECT_EQ(loads.Figures().copies, 1);
  EXPECT_EQ(loads.Figures().inflation, 1);
}

TEST(TeamLoadsTest, CopiesAreWorthNothingHoweverSlowOneThreadIs) {
  const TeamLoads loads = Rounds([](int threads) { return threads == 1 ? 9.0 : 1.0 * threads; });
  EXPECT_EQ(loads.Speedups(), std::vector<double>(6, 1.0));
  EXPECT_EQ(loads.Figures().copies, 4);
  EXPECT_EQ(loads.Figures().inflation, 1);
}

TEST(TeamLoadsTest, TeamsOfOtherSizesAreSmallerAndLargerOnes) {
  std::set<int> sizes;
  for (unsigned draw = 0; draw < 100; ++draw) {
    const std::vector<int> drawn = TeamLoads::SizesOf(0, kThreads, draw);
    ASSERT_EQ(drawn.size(), 3u);
    EXPECT_EQ(drawn[0], kThreads);
    EXPECT_EQ(drawn[1], 1);
    sizes.insert(drawn[2]);
  }
  EXPECT_EQ(sizes, (std::set{2, 7, 8}));
  EXPECT_EQ(TeamLoads::SizesOf(9, kThreads, 0), std::vector{kThreads});
}

TEST(TeamLoadsTest, FreeCoresStandForWaitsThatTheKernelDoesNotCount) {
  TeamLoads loads(kThreads, 2);
  loads.Add(1, {4, 4, 4, 4});
  loads.Add(kThreads, {2, 4, 4, 1});
  EXPECT_DOUBLE_EQ(loads.Speedups().at(0), 4);
}

}  // namespace
}  // namespace lab
