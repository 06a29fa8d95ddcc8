// The hidden test of JacobiConverge.

#include <gtest/gtest.h>

#include <cmath>
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

const lab::Function<decltype(JacobiConverge)> jacobi_converge{"JacobiConverge"};

// What a call of JacobiConverge gives.
struct Convergence {
  std::size_t sweeps;
  Cells after;
  Cells changes;
};

Convergence Converged(const Plate& plate, double tolerance, std::size_t limit) {
  Convergence got{0, lab::Poisoned<double>(plate.cells.size()), lab::Poisoned<double>(limit)};
  got.sweeps = jacobi_converge(plate.cells, got.after, plate.size, tolerance, got.changes);
  return got;
}

Convergence ExpectedConvergence(const Plate& plate, double tolerance, std::size_t limit) {
  Convergence want{0, plate.cells, lab::Poisoned<double>(limit)};
  Cells before = plate.cells;
  for (bool done = limit == 0; !done;) {
    std::swap(before, want.after);
    SweepCells(plate.size, before, want.after);
    const double change = Change(before, want.after);
    want.changes[want.sweeps++] = change;
    done = change <= tolerance || want.sweeps == limit;
  }
  return want;
}

void ExpectSame(const Convergence& got, const Convergence& want, const std::string& what) {
  ASSERT_TRUE(lab::ExpectAllEqual(got.changes, want.changes)) << what << ": the changes";
  ASSERT_EQ(got.sweeps, want.sweeps) << what << ": the number of sweeps";
  ASSERT_TRUE(lab::ExpectAllEqual(got.after, want.after)) << what << ": the cells";
}

void ExpectConvergence(const Plate& plate, double tolerance, std::size_t limit,
                       const std::string& what) {
  ExpectSame(Converged(plate, tolerance, limit), ExpectedConvergence(plate, tolerance, limit),
             what + ", a plate of " + Text(plate.size) + ", tolerance " +
                 std::to_string(tolerance) + ", at most " + std::to_string(limit) + " sweeps");
}

TEST(JacobiConvergeTest, GivesTheSameWithTeamsOfEverySize) {
  lab::Random random;
  const Plate plate = RandomPlate(random, {67, 45});
  std::vector<Convergence> results;
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    const lab::TeamSize team(threads);
    for (const double tolerance : {8.0, 5.0}) results.push_back(Converged(plate, tolerance, 60));
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Convergence want = ExpectedConvergence(plate, i % 2 == 0 ? 8.0 : 5.0, 60);
    ASSERT_NO_FATAL_FAILURE(ExpectSame(results[i], want, "a plate of 67 x 45"));
  }
}

TEST(JacobiConvergeTest, ComputesEveryCellOfPlatesOfEdgeSizes) {
  lab::Random random;
  for (const PlateSize size : SmallSizes()) {
    for (const std::size_t limit : {0, 1, 2, 5}) {
      ASSERT_NO_FATAL_FAILURE(
          ExpectConvergence(RandomPlate(random, size), 0, limit, "random cells"));
    }
  }
  for (const PlateSize size : LargerSizes()) {
    ASSERT_NO_FATAL_FAILURE(ExpectConvergence(RandomPlate(random, size), 10, 30, "random cells"));
  }
}

TEST(JacobiConvergeTest, StopsAfterTheFirstSweepWhoseChangeIsNotMoreThanTheTolerance) {
  lab::Random random;
  const Plate plate = RandomPlate(random, {23, 29});
  const Cells changes = ExpectedConvergence(plate, 0, 12).changes;
  for (const double change : changes) {
    for (const double tolerance :
         {std::nextafter(change, 0), change, std::nextafter(change, kInfinity)}) {
      ASSERT_NO_FATAL_FAILURE(ExpectConvergence(plate, tolerance, 20, "at a change"));
    }
  }
}

TEST(JacobiConvergeTest, MakesOneSweepWhereNothingChangesOrAnythingIsAllowed) {
  lab::Random random;
  ASSERT_NO_FATAL_FAILURE(ExpectConvergence(LinearPlate({33, 21}), 0, 9, "a linear plate"));
  ASSERT_NO_FATAL_FAILURE(ExpectConvergence(RandomPlate(random, {2, 50}), 0, 9, "no inner cell"));
  ASSERT_NO_FATAL_FAILURE(ExpectConvergence(RandomPlate(random, {9, 9}), kInfinity, 9, "any"));
}

TEST(JacobiConvergeTest, EndsAtTheLimitOfSweeps) {
  lab::Random random;
  const Plate plate = RandomPlate(random, {20, 20});
  for (std::size_t limit = 0; limit <= 9; ++limit) {
    ASSERT_NO_FATAL_FAILURE(ExpectConvergence(plate, 1e-3, limit, "too few sweeps"));
  }
}

TEST(JacobiConvergeTest, FindsTheLargestChangeWhereverItIs) {
  const PlateSize size{20, 11};
  for (std::size_t i = 1; i + 1 < size.rows; ++i) {
    for (const std::size_t j : {1, 2, 5, 9}) {
      for (const double heat : {1.0, -1.0}) {
        Plate plate = LinearPlate(size);
        plate.At(i, j) += heat;
        ASSERT_NO_FATAL_FAILURE(ExpectConvergence(plate, 0.125, 9, "one cell is not the mean"));
      }
    }
  }
}

TEST(JacobiConvergeTest, CountsFallsAsWellAsRises) {
  Plate plate = ConstantPlate({17, 17}, 0);
  ForInnerCells(plate.size, [&](std::size_t, std::size_t, std::size_t k) { plate.cells[k] = 8; });
  ASSERT_NO_FATAL_FAILURE(ExpectConvergence(plate, 0.5, 50, "all cells cool down"));
  for (double& cell : plate.cells) cell = 8 - cell;
  ASSERT_NO_FATAL_FAILURE(ExpectConvergence(plate, 0.5, 50, "all cells warm up"));
}

TEST(JacobiConvergeTest, GoesOnWhereTheChangeDoesNotFall) {
  ExpectConvergence(Chessboard({32, 24}), 0.25, 40, "a chessboard");
}

TEST(JacobiConvergeTest, MeasuresHugeAndTinyChanges) {
  lab::Random random;
  for (const double scale : {1e298, 1e-290}) {
    Plate plate = RandomPlate(random, {19, 14});
    for (double& cell : plate.cells) cell *= scale;
    ASSERT_NO_FATAL_FAILURE(ExpectConvergence(plate, scale, 50, "cells of extreme magnitude"));
  }
}

TEST(JacobiConvergeTest, ConvergesManyTimesOneAfterTheOther) {
  lab::Random random;
  for (int call = 0; call < 100; ++call) {
    const PlateSize size{random.UniformInt<std::size_t>(0, 25),
                         random.UniformInt<std::size_t>(0, 25)};
    ASSERT_NO_FATAL_FAILURE(
        ExpectConvergence(RandomPlate(random, size), 20, 15, "call " + std::to_string(call)));
  }
}

LAB_TEST_OPENMP_CALLERS(JacobiConvergeTest, [](lab::Random& random, const std::string& what) {
  ExpectConvergence(RandomPlate(random, {24, 30}), 5, 20, what);
})

TEST(JacobiConvergeTest, ConvergesOnALargePlate) {
  lab::Random random;
  ExpectConvergence(RandomPlate(random, {lab::Scaled(600) + 3, 601}), 8, 60, "random cells");
}

// Fewer sweeps of a larger plate where it is measured how parallel the code is: a thread that works
// for less than a tenth of a millisecond between two waits looks as if it had little to do.
TEST(JacobiConvergeTiming, ConvergesOnAPlateOfAMillionCells) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    const bool is_timed = lab::CurrentTeamSize() == 0;
    const std::size_t side = is_timed ? 1001 : 1201;
    const std::size_t limit = is_timed ? 16 : 6;
    const PlateSize size{lab::Scaled(side), side};
    const auto plate = std::make_shared<Plate>(RandomPlate(random, size));
    const auto want = std::make_shared<Convergence>(ExpectedConvergence(*plate, 10, limit));
    return [plate, limit, want] {
      ExpectSame(Converged(*plate, 10, limit), *want, "a plate of " + Text(plate->size));
    };
  });
}

}  // namespace
}  // namespace openmp_jacobi
