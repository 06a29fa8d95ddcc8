#include "common/timing/amdahl.h"

#include <vector>

#include "gtest/gtest.h"

namespace lab {
namespace {

double Law(double fraction, int threads) { return 1 / (fraction + (1 - fraction) / threads); }

TEST(SerialFractionTest, FindsTheFractionThatACurveWasMadeWith) {
  for (const double fraction : {0.0, 0.04, 0.5, 1.0}) {
    std::vector<Speedup> curve;
    for (const int threads : {1, 2, 3, 4, 6, 8}) curve.push_back({threads, Law(fraction, threads)});
    EXPECT_NEAR(SerialFraction(curve), fraction, 1e-12);
  }
}

TEST(SerialFractionTest, TakesOneSizeAndTwoThreads) {
  EXPECT_NEAR(SerialFraction(std::vector<Speedup>{{2, 1.6}}), 0.25, 1e-12);
}

TEST(SerialFractionTest, LeavesNoNegativeFractionToCachesAndNoneAboveOneToALock) {
  EXPECT_EQ(SerialFraction(std::vector<Speedup>{{1, 1}, {2, 2.1}, {4, 4.4}}), 0);
  EXPECT_EQ(SerialFraction(std::vector<Speedup>{{1, 1}, {2, 0.5}, {4, 0.2}}), 1);
}

TEST(SerialFractionTest, LiesBetweenTheFractionsOfSizesThatDisagree) {
  const std::vector<Speedup> curve{{2, Law(0.1, 2)}, {8, Law(0.3, 8)}};
  // By hand: y = 0.05 and 0.2625 at x = 0.5 and 0.875.
  EXPECT_NEAR(SerialFraction(curve), (0.5 * 0.05 + 0.875 * 0.2625) / (0.25 + 0.765625), 1e-12);
}

}  // namespace
}  // namespace lab
