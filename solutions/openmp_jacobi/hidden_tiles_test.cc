// The hidden tests of JacobiTiled and JacobiTasks, which have the same contract.

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/lab/call/callers.h"
#include "common/lab/call/sizes.h"
#include "common/lab/call/team_size.h"
#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "common/lab/testing/timed_pairs.h"
#include "labs/openmp_jacobi/jacobi.h"
#include "solutions/openmp_jacobi/hidden_plates.h"

namespace openmp_jacobi {
namespace {

using Sweeps = lab::Function<decltype(JacobiTiled)>;

const Sweeps jacobi_tiled{"JacobiTiled"};
const Sweeps jacobi_tasks{"JacobiTasks"};

class JacobiTest : public testing::TestWithParam<const Sweeps*> {
 protected:
  static Cells Swept(const Plate& plate, std::size_t sweeps) {
    Cells after = lab::Poisoned<double>(plate.cells.size());
    (*GetParam())(plate.cells, after, plate.size, sweeps);
    return after;
  }

  // Fatal, so that a loop over many plates stops at the first that fails.
  static void ExpectSweeps(const Plate& plate, std::size_t sweeps, const std::string& what) {
    ASSERT_TRUE(lab::ExpectAllEqual(Swept(plate, sweeps), AfterSweeps(plate, sweeps)))
        << what << ", a plate of " << Text(plate.size) << ", " << sweeps << " sweeps";
  }
};

TEST_P(JacobiTest, GivesTheSameWithTeamsOfEverySize) {
  lab::Random random;
  // Several tiles of up to 128 rows or 256 columns, for races between neighbours.
  const std::vector<Plate> plates{RandomPlate(random, {291, 45}), RandomPlate(random, {34, 550})};
  std::vector<Cells> results;
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    const lab::TeamSize team(threads);
    for (const Plate& plate : plates) results.push_back(Swept(plate, 21));
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Plate& plate = plates[i % plates.size()];
    ASSERT_TRUE(lab::ExpectAllEqual(results[i], AfterSweeps(plate, 21)))
        << "a plate of " << Text(plate.size);
  }
}

TEST_P(JacobiTest, ComputesEveryCellOfPlatesOfEdgeSizes) {
  lab::Random random;
  for (const PlateSize size : SmallSizes()) {
    for (const std::size_t sweeps : {0, 1, 2, 5}) {
      ASSERT_NO_FATAL_FAILURE(ExpectSweeps(RandomPlate(random, size), sweeps, "random cells"));
    }
  }
}

TEST_P(JacobiTest, ComputesEveryCellAtTheEdgesOfTiles) {
  lab::Random random;
  for (const PlateSize size : LargerSizes()) {
    for (const std::size_t sweeps : {1, 4, 9, 18}) {
      ASSERT_NO_FATAL_FAILURE(ExpectSweeps(RandomPlate(random, size), sweeps, "random cells"));
    }
  }
}

TEST_P(JacobiTest, MakesExactlyTheSweepsThatAreAskedFor) {
  lab::Random random;
  const Plate plate = RandomPlate(random, {37, 41});
  for (std::size_t sweeps = 0; sweeps <= 36; ++sweeps) {
    ASSERT_NO_FATAL_FAILURE(ExpectSweeps(plate, sweeps, "random cells"));
  }
  for (const std::size_t sweeps : {63, 64, 65, 127, 128, 129}) {
    ASSERT_NO_FATAL_FAILURE(ExpectSweeps(plate, sweeps, "random cells"));
  }
}

TEST_P(JacobiTest, LeavesALinearPlateAsItIs) {
  const Plate plate = LinearPlate({140, 270});
  lab::ExpectAllEqual(Swept(plate, 20), plate.cells);
}

TEST_P(JacobiTest, SpreadsSpecialValuesByOneCellASweep) {
  lab::Random random;
  for (int round = 0; round < 20; ++round) {
    Plate plate = RandomPlate(random, {70, 60});
    AddSpecialValues(random, plate);
    ASSERT_NO_FATAL_FAILURE(ExpectSweeps(plate, round, "special values"));
  }
}

TEST_P(JacobiTest, SweepsManyPlatesOneAfterTheOther) {
  lab::Random random;
  for (int call = 0; call < 100; ++call) {
    const PlateSize size{random.UniformInt<std::size_t>(0, 40),
                         random.UniformInt<std::size_t>(0, 40)};
    const std::size_t sweeps = random.UniformInt<std::size_t>(0, 20);
    ASSERT_NO_FATAL_FAILURE(
        ExpectSweeps(RandomPlate(random, size), sweeps, "call " + std::to_string(call)));
  }
}

TEST_P(JacobiTest, ServesSeveralCallersAtOnce) {
  lab::Random random;
  lab::ForSeveralCallers([&](const std::string& what) {
    ASSERT_NO_FATAL_FAILURE(ExpectSweeps(RandomPlate(random, {70, 30}), 12, what));
  });
}

TEST_P(JacobiTest, IsRightWhereItsRegionsGetOneThread) {
  lab::Random random;
  lab::ForNestedCalls([&](const std::string& what) {
    ASSERT_NO_FATAL_FAILURE(ExpectSweeps(RandomPlate(random, {70, 30}), 12, what));
  });
}

TEST_P(JacobiTest, SweepsALargePlate) {
  lab::Random random;
  ExpectSweeps(RandomPlate(random, {lab::Scaled(600) + 3, 801}), 10, "random cells");
}

INSTANTIATE_TEST_SUITE_P(JacobiTiledTest, JacobiTest, testing::Values(&jacobi_tiled));
INSTANTIATE_TEST_SUITE_P(JacobiTasksTest, JacobiTest, testing::Values(&jacobi_tasks));

struct Sweeping {
  std::size_t side;
  std::size_t sweeps;
};

// The plates between which timed sweeps go do not fit into the caches of most machines. How
// parallel the code is shows in those of a team: in half of them for tiles that do not wait for
// each other, while bands that follow one another need all until every thread has work.
void TimeSweeps(const Sweeps& function, Sweeping timed, Sweeping of_a_team) {
  lab::RunTimedPairs([&function, timed, of_a_team](lab::Random& random) -> std::function<void()> {
    const auto [side, sweeps] = lab::CurrentTeamSize() == 0 ? timed : of_a_team;
    const PlateSize size{lab::Scaled(side), side};
    const auto plate = std::make_shared<Plate>(RandomPlate(random, size));
    const auto want = std::make_shared<Cells>(AfterSweeps(*plate, sweeps));
    return [&function, plate, sweeps = sweeps, want] {
      Cells after = lab::Poisoned<double>(plate->cells.size());
      function(plate->cells, after, plate->size, sweeps);
      lab::ExpectAllEqual(after, *want);
    };
  });
}

TEST(JacobiTiledTiming, MakesSixteenSweepsOfALargePlate) {
  TimeSweeps(jacobi_tiled, {1401, 16}, {1401, 8});
}

TEST(JacobiTasksTiming, MakesSixteenSweepsOfALargePlate) {
  TimeSweeps(jacobi_tasks, {1601, 16}, {1201, 16});
}

}  // namespace
}  // namespace openmp_jacobi
