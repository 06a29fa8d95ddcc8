// The public test: a few simple cases for each part. The grader tests more; jacobi.h says what.

#include "labs/openmp_jacobi/jacobi.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "common/lab/comparisons.h"
#include "common/lab/function.h"
#include "common/lab/inputs.h"
#include "common/lab/poison.h"
#include "common/lab/show_parallelism.h"
#include "common/lab/sizes.h"
#include "common/lab/team_size.h"

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

// Expects that `function` makes that many sweeps of random cells. One size of team: after a smaller
// one LeakSanitizer reports what clang's OpenMP runtime keeps for the threads that are left over.
void ExpectSweeps(PlateSize size, std::size_t sweeps, const Sweeps& function) {
  const lab::TeamSize team(4);
  const Cells before = RandomCells(size);
  Cells after = lab::Poisoned<double>(before.size());
  function(before, after, size);
  ASSERT_TRUE(lab::ExpectAllEqual(after, AfterSweeps(before, size, sweeps, nullptr)))
      << "a plate of " << size.rows << " x " << size.columns << ", " << sweeps << " sweeps";
}

TEST(JacobiSweepTest, ComputesTheMeanOfFourNeighbours) {
  const Cells before{0, 1, 2,  3,  //
                     4, 5, 6,  7,  //
                     8, 9, 30, 11};
  Cells after = lab::Poisoned<double>(12);
  jacobi_sweep(before, after, {3, 4});
  lab::ExpectAllEqual(after, Cells{0, 1, 2, 3,   //
                                   4, 5, 11, 7,  //
                                   8, 9, 30, 11});
}

TEST(JacobiSweepTest, CopiesPlatesWithoutInnerCells) {
  for (const PlateSize size : {PlateSize{0, 0}, {1, 1}, {2, 2}, {1, 7}, {9, 2}}) {
    ExpectSweeps(size, 1, jacobi_sweep);
  }
}

TEST(JacobiSweepTest, SweepsALargerPlate) { ExpectSweeps({101, 67}, 1, jacobi_sweep); }

TEST(JacobiConvergeTest, StopsWhenTheChangeIsSmall) {
  // The one inner cell becomes 1 at once, and then stays.
  const Cells before{1, 1, 1, 1, 5, 1, 1, 1, 1};
  Cells after = lab::Poisoned<double>(9);
  Cells changes = lab::Poisoned<double>(4);
  EXPECT_EQ(jacobi_converge(before, after, {3, 3}, 0.5, changes), 2u);
  lab::ExpectAllEqual(after, Cells(9, 1));
  EXPECT_EQ(changes[0], 4);
  EXPECT_EQ(changes[1], 0);
  EXPECT_TRUE(lab::IsPoison(changes[2])) << "a sweep that was not made has no change";
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
  lab::ExpectAllEqual(plate, Cells{0, 8, 0, 0,  //
                                   0, 3, 2, 5,  //
                                   0, 0, 0, 0});
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
  lab::ExpectAllEqual(plate, want);
}

void ExpectSeveralSweeps(const lab::Function<decltype(JacobiTiled)>& function) {
  for (const std::size_t sweeps : {0, 1, 2, 9, 16}) {
    for (const PlateSize size : {PlateSize{1, 1}, {3, 3}, {150, 70}, {40, 300}, {3, 500}}) {
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
