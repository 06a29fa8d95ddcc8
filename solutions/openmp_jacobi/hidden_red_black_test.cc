// The hidden test of RedBlackSweeps.

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
#include "common/lab/testing/timed_pairs.h"
#include "labs/openmp_jacobi/jacobi.h"
#include "solutions/openmp_jacobi/hidden_plates.h"

namespace openmp_jacobi {
namespace {

const lab::Function<decltype(RedBlackSweeps)> red_black_sweeps{"RedBlackSweeps"};

Cells Swept(Plate plate, std::size_t sweeps) {
  red_black_sweeps(plate.cells, plate.size, sweeps);
  return plate.cells;
}

Cells ExpectedCells(Plate plate, std::size_t sweeps) {
  for (std::size_t half = 0; half < 2 * sweeps; ++half) {
    ForInnerCells(plate.size, [&](std::size_t i, std::size_t j, std::size_t k) {
      if ((i + j + half) % 2 == 0) plate.cells[k] = Mean(plate.cells, plate.size.columns, k);
    });
  }
  return plate.cells;
}

// Fatal, so that a loop over many plates stops at the first that fails.
void ExpectSweeps(const Plate& plate, std::size_t sweeps, const std::string& what) {
  ASSERT_TRUE(lab::ExpectAllEqual(Swept(plate, sweeps), ExpectedCells(plate, sweeps)))
      << what << ", a plate of " << Text(plate.size) << ", " << sweeps << " sweeps";
}

TEST(RedBlackSweepsTest, GivesTheSameWithTeamsOfEverySize) {
  lab::Random random;
  const Plate plate = RandomPlate(random, {67, 45});
  std::vector<Cells> results;
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    const lab::TeamSize team(threads);
    results.push_back(Swept(plate, 5));
  }
  for (const Cells& result : results) {
    ASSERT_TRUE(lab::ExpectAllEqual(result, ExpectedCells(plate, 5)));
  }
}

TEST(RedBlackSweepsTest, ComputesEveryCellOfPlatesOfEdgeSizes) {
  lab::Random random;
  for (const PlateSize size : SmallSizes()) {
    for (const std::size_t sweeps : {0, 1, 2, 3}) {
      ASSERT_NO_FATAL_FAILURE(ExpectSweeps(RandomPlate(random, size), sweeps, "random cells"));
    }
  }
  for (const PlateSize size : LargerSizes()) {
    ASSERT_NO_FATAL_FAILURE(ExpectSweeps(RandomPlate(random, size), 3, "random cells"));
  }
}

TEST(RedBlackSweepsTest, UsesNewRedCellsForTheBlackOnes) {
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      Plate plate = ConstantPlate({5, 6}, 0);
      plate.At(i, j) = 16;
      ASSERT_NO_FATAL_FAILURE(ExpectSweeps(plate, 1, "one hot cell"));
    }
  }
}

TEST(RedBlackSweepsTest, LeavesALinearPlateAsItIs) {
  const Plate plate = LinearPlate({101, 57});
  lab::ExpectAllEqual(Swept(plate, 4), plate.cells);
}

TEST(RedBlackSweepsTest, FollowsIeee754WithSpecialValues) {
  lab::Random random;
  for (int round = 0; round < 20; ++round) {
    Plate plate = RandomPlate(random, {14, 15});
    AddSpecialValues(random, plate);
    ASSERT_NO_FATAL_FAILURE(ExpectSweeps(plate, 2, "special values"));
  }
}

TEST(RedBlackSweepsTest, SweepsManyPlatesOneAfterTheOther) {
  lab::Random random;
  for (int call = 0; call < 100; ++call) {
    const PlateSize size{random.UniformInt<std::size_t>(0, 40),
                         random.UniformInt<std::size_t>(0, 40)};
    const std::size_t sweeps = random.UniformInt<std::size_t>(0, 6);
    ASSERT_NO_FATAL_FAILURE(
        ExpectSweeps(RandomPlate(random, size), sweeps, "call " + std::to_string(call)));
  }
}

LAB_TEST_OPENMP_CALLERS(RedBlackSweepsTest, [](lab::Random& random, const std::string& what) {
  ExpectSweeps(RandomPlate(random, {40, 30}), 4, what);
})

TEST(RedBlackSweepsTest, SweepsALargePlate) {
  lab::Random random;
  ExpectSweeps(RandomPlate(random, {lab::Scaled(600) + 3, 601}), 6, "random cells");
}

// Fewer sweeps of a larger plate where it is measured how parallel the code is, as for
// JacobiConverge.
TEST(RedBlackSweepsTiming, SweepsAPlateOfAMillionCells) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    const bool is_timed = lab::CurrentTeamSize() == 0;
    const std::size_t side = is_timed ? 1001 : 1201;
    const std::size_t sweeps = is_timed ? 8 : 6;
    const PlateSize size{lab::Scaled(side), side};
    const auto plate = std::make_shared<Plate>(RandomPlate(random, size));
    return [plate, sweeps, want = std::make_shared<Cells>(ExpectedCells(*plate, sweeps))] {
      lab::ExpectAllEqual(Swept(*plate, sweeps), *want);
    };
  });
}

}  // namespace
}  // namespace openmp_jacobi
