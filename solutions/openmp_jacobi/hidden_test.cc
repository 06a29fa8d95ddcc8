// The hidden test of JacobiSweep.

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/lab/call/sizes.h"
#include "common/lab/call/team_size.h"
#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/openmp_callers.h"
#include "common/lab/testing/poison.h"
#include "common/lab/testing/timed_pairs.h"
#include "labs/openmp_jacobi/jacobi.h"
#include "solutions/openmp_jacobi/hidden_plates.h"

namespace openmp_jacobi {
namespace {

const lab::Function<decltype(JacobiSweep)> jacobi_sweep{"JacobiSweep"};

Cells Swept(const Plate& plate) {
  Cells after = lab::Poisoned<double>(plate.cells.size());
  jacobi_sweep(plate.cells, after, plate.size);
  return after;
}

// Fatal, so that a loop over many plates stops at the first that fails.
void ExpectSweep(const Plate& plate, const std::string& what) {
  ASSERT_TRUE(lab::ExpectAllEqual(Swept(plate), AfterSweeps(plate, 1)))
      << what << ", a plate of " << Text(plate.size);
}

TEST(JacobiSweepTest, GivesTheSameWithTeamsOfEverySize) {
  lab::Random random;
  const Plate plate = RandomPlate(random, {67, 45});
  std::vector<Cells> results;
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    const lab::TeamSize team(threads);
    results.push_back(Swept(plate));
  }
  for (const Cells& result : results) {
    ASSERT_TRUE(lab::ExpectAllEqual(result, AfterSweeps(plate, 1)));
  }
}

TEST(JacobiSweepTest, ComputesEveryCellOfPlatesOfEdgeSizes) {
  lab::Random random;
  for (const PlateSize size : SmallSizes()) {
    ASSERT_NO_FATAL_FAILURE(ExpectSweep(RandomPlate(random, size), "random cells"));
  }
  for (const PlateSize size : LargerSizes()) {
    ASSERT_NO_FATAL_FAILURE(ExpectSweep(RandomPlate(random, size), "random cells"));
  }
}

TEST(JacobiSweepTest, SpreadsAHotCellOverItsFourNeighbours) {
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      Plate plate = ConstantPlate({5, 6}, 0);
      plate.At(i, j) = 4;
      ASSERT_NO_FATAL_FAILURE(ExpectSweep(plate, "one hot cell"));
    }
  }
}

TEST(JacobiSweepTest, LeavesALinearPlateAsItIs) {
  const Plate plate = LinearPlate({101, 57});
  lab::ExpectAllEqual(Swept(plate), plate.cells);
}

TEST(JacobiSweepTest, AddsInTheOrderOfTheContract) {
  // In three of the four pairs of neighbours 1 is lost beside 1e16, or survives, as the order has
  // it.
  Plate plate = ConstantPlate({3, 3}, 0);
  for (const std::vector<double>& around :
       {Cells{1e16, -1e16, 1, 1}, Cells{1, 1, 1e16, -1e16}, Cells{1e16, 1, -1e16, 1},
        Cells{1, 1e16, 1, -1e16}, Cells{1e16, 1, 1, -1e16}}) {
    plate.At(0, 1) = around[0];
    plate.At(2, 1) = around[1];
    plate.At(1, 0) = around[2];
    plate.At(1, 2) = around[3];
    ASSERT_NO_FATAL_FAILURE(ExpectSweep(plate, "large and small neighbours"));
  }
}

TEST(JacobiSweepTest, FollowsIeee754WithSpecialValues) {
  lab::Random random;
  for (int round = 0; round < 20; ++round) {
    Plate plate = RandomPlate(random, {12, 13});
    AddSpecialValues(random, plate);
    ASSERT_NO_FATAL_FAILURE(ExpectSweep(plate, "special values"));
  }
}

TEST(JacobiSweepTest, SweepsManyPlatesOneAfterTheOther) {
  lab::Random random;
  for (int call = 0; call < 100; ++call) {
    const PlateSize size{random.UniformInt<std::size_t>(0, 40),
                         random.UniformInt<std::size_t>(0, 40)};
    ASSERT_NO_FATAL_FAILURE(ExpectSweep(RandomPlate(random, size), "call " + std::to_string(call)));
  }
}

LAB_TEST_OPENMP_CALLERS(JacobiSweepTest, [](lab::Random& random, const std::string& what) {
  ExpectSweep(RandomPlate(random, {40, 30}), what);
})

TEST(JacobiSweepTest, SweepsALargePlate) {
  lab::Random random;
  ExpectSweep(RandomPlate(random, {lab::Scaled(1000) + 3, 1001}), "random cells");
}

// Where it is measured how parallel the code is, a call must take longer than a slice of the
// scheduler's.
TEST(JacobiSweepTiming, SweepsAPlateOfMillionsOfCells) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    const std::size_t side = lab::CurrentTeamSize() == 0 ? 1201 : 1601;
    const PlateSize size{lab::Scaled(side), side};
    const auto plate = std::make_shared<Plate>(RandomPlate(random, size));
    return [plate, want = std::make_shared<Cells>(AfterSweeps(*plate, 1))] {
      lab::ExpectAllEqual(Swept(*plate), *want);
    };
  });
}

}  // namespace
}  // namespace openmp_jacobi
