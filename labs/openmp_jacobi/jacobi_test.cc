// The public test: a few simple cases for each part. The grader tests more; jacobi.h says what.

#include "labs/openmp_jacobi/jacobi.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "common/lab/call/sizes.h"
#include "common/lab/call/team_size.h"
#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "common/lab/testing/show_parallelism.h"

namespace {

using Cells = std::vector<double>;
using Sweeps = std::function<void(const Cells& before, Cells& after, PlateSize size)>;

const lab::Function<decltype(JacobiSweep)> jacobi_sweep{"JacobiSweep"};
const lab::Function<decltype(JacobiConverge)> jacobi_converge{"JacobiConverge"};
const lab::Function<decltype(RedBlackSweeps)> red_black_sweeps{"RedBlackSweeps"};
const lab::Function<decltype(JacobiTiled)> jacobi_tiled{"JacobiTiled"};
const lab::Function<decltype(JacobiTasks)> jacobi_tasks{"JacobiTasks"};

Cells RandomCells(PlateSize size) {
  lab::Random random;
  return random.Doubles(size.rows * size.columns, -100, 100);
}

// Some sweeps by plain loops; `changes` receives that of each.
Cells AfterSweeps(const Cells& cells, PlateSize size, std::size_t sweeps, Cells* changes) {
  Cells before = cells;
  Cells after = cells;
  for (std::size_t sweep = 0; sweep < sweeps; ++sweep) {
    double change = 0;
    for (std::size_t i = 1; i + 1 < size.rows; ++i) {
      for (std::size_t j = 1; j + 1 < size.columns; ++j) {
        const std::size_t k = i * size.columns + j;
        after[k] = 0.25 * ((before[k - size.columns] + before[k + size.columns]) +
                           (before[k - 1] + before[k + 1]));
        change = std::max(change, std::abs(after[k] - before[k]));
      }
    }
    if (changes != nullptr) changes->push_back(change);
    std::swap(before, after);
  }
  return before;
}

// Expects that the plate `got` equals `want`; a failure names the row and the column of the first
// cell that is wrong. Returns whether it does.
bool ExpectPlate(const Cells& got, const Cells& want, PlateSize size) {
  std::string where;
  const auto wrong = std::ranges::mismatch(got, want).in1;
  if (got.size() == want.size() && wrong != got.end()) {
    const auto k = static_cast<std::size_t>(wrong - got.begin());
    const std::size_t i = k / size.columns;
    const std::size_t j = k % size.columns;
    const bool is_inner = i > 0 && i + 1 < size.rows && j > 0 && j + 1 < size.columns;
    where = "the first wrong cell is in row " + std::to_string(i) + ", column " +
            std::to_string(j) + (is_inner ? ", an inner cell" : ", on the border");
  }
  SCOPED_TRACE("a plate of " + std::to_string(size.rows) + " x " + std::to_string(size.columns) +
               (where.empty() ? "" : ": " + where));
  return lab::ExpectAllEqual(got, want);
}

// Plates that are all border: a sweep changes nothing.
constexpr std::array<PlateSize, 8> kPlatesWithoutInnerCells{
    {{0, 0}, {0, 5}, {6, 0}, {1, 1}, {2, 2}, {1, 7}, {2, 300}, {9, 2}}};

// Expects that `function` makes that many sweeps of random cells. One size of team: after a smaller
// one LeakSanitizer reports what clang's OpenMP runtime keeps for the threads that are left over.
void ExpectSweeps(PlateSize size, std::size_t sweeps, const Sweeps& function) {
  const lab::TeamSize team(4);
  const Cells before = RandomCells(size);
  Cells after = lab::Poisoned<double>(before.size());
  function(before, after, size);
  ASSERT_TRUE(ExpectPlate(after, AfterSweeps(before, size, sweeps, nullptr), size))
      << "after " << sweeps << " sweeps";
}

TEST(JacobiSweepTest, ComputesTheMeanOfFourNeighbours) {
  const Cells before{0, 1, 2,  3,  //
                     4, 5, 6,  7,  //
                     8, 9, 30, 11};
  Cells after = lab::Poisoned<double>(12);
  jacobi_sweep(before, after, {3, 4});
  const Cells want{0, 1, 2,  3,  //
                   4, 5, 11, 7,  //
                   8, 9, 30, 11};
  ExpectPlate(after, want, {3, 4});
}

TEST(JacobiSweepTest, CopiesPlatesWithoutInnerCells) {
  for (const PlateSize size : kPlatesWithoutInnerCells) {
    ASSERT_NO_FATAL_FAILURE(ExpectSweeps(size, 1, jacobi_sweep));
  }
}

TEST(JacobiSweepTest, SweepsALargerPlate) { ExpectSweeps({101, 67}, 1, jacobi_sweep); }

TEST(JacobiConvergeTest, StopsWhenTheChangeIsSmall) {
  // The one inner cell becomes 1 at once, and then stays.
  const Cells before{1, 1, 1, 1, 5, 1, 1, 1, 1};
  Cells after = lab::Poisoned<double>(9);
  Cells changes = lab::Poisoned<double>(4);
  EXPECT_EQ(jacobi_converge(before, after, {3, 3}, 0.5, changes), 2u);
  ExpectPlate(after, Cells(9, 1), {3, 3});
  EXPECT_EQ(changes[0], 4);
  EXPECT_EQ(changes[1], 0);
  EXPECT_TRUE(lab::IsPoison(changes[2])) << "a sweep that was not made has no change";
}

TEST(JacobiConvergeTest, StopsWhenTheChangeEqualsTheTolerance) {
  // The one inner cell becomes 3 at once, a change of exactly 0.5.
  const Cells before{3, 3, 3, 3, 2.5, 3, 3, 3, 3};
  Cells after = lab::Poisoned<double>(9);
  Cells changes = lab::Poisoned<double>(5);
  EXPECT_EQ(jacobi_converge(before, after, {3, 3}, 0.5, changes), 1u)
      << "sweeps: the first one whose change is at most the tolerance, <= and not <, is the last";
  ExpectPlate(after, Cells(9, 3), {3, 3});
  EXPECT_EQ(changes[0], 0.5);
  // Then nothing changes any more, and 0 is at most 0.
  EXPECT_EQ(jacobi_converge(before, after, {3, 3}, 0, changes), 2u)
      << "sweeps with tolerance 0: the second one changes nothing";
}

TEST(JacobiConvergeTest, StopsAfterOneSweepOfAPlateWithoutInnerCells) {
  for (const PlateSize size : kPlatesWithoutInnerCells) {
    ASSERT_NO_FATAL_FAILURE(
        ExpectSweeps(size, 1, [](const Cells& before, Cells& after, PlateSize plate) {
          Cells changes = lab::Poisoned<double>(3);
          EXPECT_EQ(jacobi_converge(before, after, plate, 0, changes), 1u);
          EXPECT_EQ(changes[0], 0) << "without inner cells the change of a sweep is 0";
        }));
  }
}

TEST(JacobiConvergeTest, MakesNoMoreSweepsThanAllowed) {
  for (const std::size_t limit : {0, 1, 2, 7}) {
    ExpectSweeps({20, 30}, limit, [&](const Cells& before, Cells& after, PlateSize size) {
      Cells changes(limit);
      EXPECT_EQ(jacobi_converge(before, after, size, 1e-9, changes), limit);
    });
  }
}

TEST(JacobiConvergeTest, ReturnsTheChangeOfEverySweep) {
  const PlateSize size{61, 47};
  const Cells before = RandomCells(size);
  Cells want;
  AfterSweeps(before, size, 20, &want);
  Cells after(before.size());
  Cells changes = lab::Poisoned<double>(want.size());
  jacobi_converge(before, after, size, 0, changes);
  lab::ExpectAllEqual(changes, want);
}

TEST(RedBlackSweepsTest, ComputesTheBlackCellFromTheNewRedOne) {
  // (1, 1) is red and becomes (8 + 0 + 0 + 4) / 4 = 3; (1, 2) is black and becomes (3 + 5) / 4 = 2.
  Cells plate{0, 8, 0, 0,  //
              0, 1, 4, 5,  //
              0, 0, 0, 0};
  red_black_sweeps(plate, {3, 4}, 1);
  const Cells want{0, 8, 0, 0,  //
                   0, 3, 2, 5,  //
                   0, 0, 0, 0};
  ExpectPlate(plate, want, {3, 4});
}

TEST(RedBlackSweepsTest, LeavesPlatesWithoutInnerCellsAsTheyAre) {
  for (const PlateSize size : kPlatesWithoutInnerCells) {
    ASSERT_NO_FATAL_FAILURE(
        ExpectSweeps(size, 2, [](const Cells& before, Cells& after, PlateSize plate) {
          after = before;
          red_black_sweeps(after, plate, 2);
        }));
  }
}

TEST(RedBlackSweepsTest, SweepsALargerPlateTwice) {
  const PlateSize size{64, 49};
  Cells plate = RandomCells(size);
  Cells want = plate;
  for (std::size_t half = 0; half < 4; ++half) {
    for (std::size_t i = 1; i + 1 < size.rows; ++i) {
      for (std::size_t j = 1; j + 1 < size.columns; ++j) {
        const std::size_t k = i * size.columns + j;
        if ((i + j + half) % 2 == 1) continue;
        want[k] = 0.25 *
                  ((want[k - size.columns] + want[k + size.columns]) + (want[k - 1] + want[k + 1]));
      }
    }
  }
  red_black_sweeps(plate, size, 2);
  ExpectPlate(plate, want, size);
}

void ExpectSeveralSweeps(const lab::Function<decltype(JacobiTiled)>& function) {
  std::vector<PlateSize> sizes{{3, 3}, {150, 70}, {40, 300}, {3, 500}};
  sizes.insert(sizes.end(), kPlatesWithoutInnerCells.begin(), kPlatesWithoutInnerCells.end());
  for (const std::size_t sweeps : {0, 1, 2, 9, 16}) {
    for (const PlateSize size : sizes) {
      ASSERT_NO_FATAL_FAILURE(
          ExpectSweeps(size, sweeps, [&](const Cells& before, Cells& after, PlateSize plate) {
            function(before, after, plate, sweeps);
          }));
    }
  }
}

TEST(JacobiTiledTest, EqualsSweepsOneAfterTheOther) { ExpectSeveralSweeps(jacobi_tiled); }

TEST(JacobiTasksTest, EqualsSweepsOneAfterTheOther) { ExpectSeveralSweeps(jacobi_tasks); }

// What the grader looks at beside right answers: see "The parts" in README.md.

void ShowParallelism(PlateSize size, const Sweeps& function) {
  const Cells before = RandomCells(size);
  Cells after(before.size());
  lab::ShowParallelism([&](int) { function(before, after, size); });
}

TEST(JacobiSweepTest, ShowsHowParallelItIs) {
  ShowParallelism({lab::Scaled(2000), 2000}, jacobi_sweep);
}

TEST(JacobiConvergeTest, ShowsHowParallelItIs) {
  ShowParallelism({lab::Scaled(1200), 1200}, [](const Cells& before, Cells& after, PlateSize size) {
    Cells changes(6);
    jacobi_converge(before, after, size, 0, changes);
  });
}

TEST(RedBlackSweepsTest, ShowsHowParallelItIs) {
  ShowParallelism({lab::Scaled(1200), 1200}, [](const Cells&, Cells& after, PlateSize size) {
    red_black_sweeps(after, size, 6);
  });
}

TEST(JacobiTiledTest, ShowsHowParallelItIs) {
  ShowParallelism({lab::Scaled(1200), 1200}, [](const Cells& before, Cells& after, PlateSize size) {
    jacobi_tiled(before, after, size, 16);
  });
}

TEST(JacobiTasksTest, ShowsHowParallelItIs) {
  ShowParallelism({lab::Scaled(1200), 1200}, [](const Cells& before, Cells& after, PlateSize size) {
    jacobi_tasks(before, after, size, 16);
  });
}

}  // namespace
