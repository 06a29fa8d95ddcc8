#pragma once

// The test cases of each part.

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "common/lab/call/callers.h"
#include "common/lab/call/sizes.h"
#include "solutions/cuda_stencil/hidden_grid.h"

namespace cuda_stencil {

using Sizes = std::vector<Size>;

// Where warps, blocks and tiles of 4, 8, 16, 32 and 64 cells begin and end, with a halo of one or
// two cells and without; fewer tiles where accesses are checked.
inline std::vector<int> EdgeLengths() {
  if (lab::IsScaled()) return {4, 5, 8, 9, 16, 18, 29, 30, 31, 32, 33, 34, 35, 36, 64, 65};
  return {4,  5,  6,  7,  8,  9,  10, 12, 13, 14, 15,  16,  17,  18, 20,
          24, 25, 28, 29, 30, 31, 32, 33, 34, 35, 36,  48,  49,  56, 57,
          60, 61, 62, 63, 64, 65, 66, 67, 96, 97, 127, 128, 129, 130};
}

// Whole numbers: no sum rounds, so there is no tolerance. For these sizes `steps` is at most 4.
inline void ExpectEach(const Stepper& step, const Sizes& sizes, lab::Random& random,
                       int steps = 1) {
  for (const Size& size : sizes) {
    ExpectExactCells(step, WholeProblem(size, random, steps));
    if (testing::Test::HasFailure()) return;
  }
}

// The first case of a part: small enough to check by hand.
inline void ExpectOneInnerCell(const Stepper& step) {
  Problem problem{{3, 3, 3}, kWholeWeights, Floats(27)};
  for (std::size_t i = 0; i < 27; ++i) problem.in[i] = static_cast<float>(i);
  ExpectExactCells(step, problem);
}

inline void ExpectEdgesInX(const Stepper& step, lab::Random& random, int steps = 1) {
  for (const int n : EdgeLengths()) ExpectEach(step, {{n, 7, 5}}, random, steps);
}

inline void ExpectEdgesInY(const Stepper& step, lab::Random& random, int steps = 1) {
  for (const int n : EdgeLengths()) ExpectEach(step, {{7, n, 5}}, random, steps);
}

inline void ExpectEdgesInZ(const Stepper& step, lab::Random& random, int steps = 1) {
  for (const int n : EdgeLengths()) ExpectEach(step, {{5, 7, n}}, random, steps);
}

// Several tiles in each direction, with parts of tiles and without.
inline void ExpectSeveralTiles(const Stepper& step, lab::Random& random, int steps = 1) {
  ExpectEach(step, {{128, 32, 10}, {67, 35, 12}, {45, 50, 9}, {66, 18, 34}, {31, 17, 70}}, random,
             steps);
}

// One, two, three and four cells in each direction: with fewer than three all are boundary.
inline void ExpectFewCells(const Stepper& step, lab::Random& random, int steps = 1) {
  for (int width = 1; width <= 4; ++width) {
    for (int height = 1; height <= 4; ++height) {
      for (int depth = 1; depth <= 4; ++depth) {
        ExpectEach(step, {{width, height, depth}}, random, steps);
      }
    }
  }
}

// Large in two directions, thin in the third.
inline void ExpectThinGrids(const Stepper& step, lab::Random& random, int steps = 1) {
  for (const int thin : {1, 2, 3}) {
    ExpectEach(step, {{thin, 37, 41}, {37, thin, 41}, {41, 37, thin}}, random, steps);
  }
}

inline void ExpectNothingWithoutCells(const Stepper& step, lab::Random& random, int steps = 1) {
  ExpectEach(step, {{0, 5, 7}, {5, 0, 7}, {5, 7, 0}, {0, 0, 0}, {0, 0, 7}, {0, 5, 0}, {5, 0, 0}},
             random, steps);
}

// With `most` = 65'535, the largest number of rows and of slices in the contract. A tile of 32 x 32
// has a hundred times as many cells as there are, so part 4 gets less.
inline void ExpectLongGrids(const Stepper& step, lab::Random& random, int most) {
  const int longest = static_cast<int>(lab::Scaled(most));
  ExpectEach(step, {{3, longest, 3}, {3, 3, longest}, {4 * longest, 3, 3}}, random);
}

// With rows that begin at a multiple of four cells, and with others.
inline void ExpectLargeGrid(const Stepper& step, lab::Random& random, int steps = 1) {
  const int depth = static_cast<int>(lab::Scaled(32)) + 3;
  ExpectEach(step, {{195, 131, depth}, {196, 131, depth}}, random, steps);
}

// Weights that add up to 1 leave equal cells as they are.
inline void ExpectEqualCells(const Stepper& step, int steps = 1) {
  const Size size{70, 20, 37};
  const Weights weights = {0.25f, 0.125f, 0.125f, 0.125f, 0.125f, 0.125f, 0.125f};
  ExpectExactCells(step, {size, weights, Floats(size.cells(), 3), steps});
}

// On a linear slope each cell is the mean of its neighbours: steps change nothing.
inline void ExpectEvenSlope(const Stepper& step, int steps = 1) {
  const Size size{66, 35, 21};
  Problem problem{size, {0, 0.25f, 0.25f, 0.125f, 0.125f, 0.125f, 0.125f}, Floats(size.cells())};
  problem.steps = steps;
  for (int z = 0; z < size.depth; ++z) {
    for (int y = 0; y < size.height; ++y) {
      for (int x = 0; x < size.width; ++x) {
        problem.in[size.Index(x, y, z)] = static_cast<float>(8 * (x + 2 * y - 3 * z));
      }
    }
  }
  ExpectExactCells(step, problem);
}

// From 2^-30 to 2^30, either sign: sums in which most products are lost in the rounding.
inline void ExpectNumbersOfManySizes(const Stepper& step, lab::Random& random, int steps = 1) {
  Problem problem = AnyProblem({50, 23, 19}, random, steps);
  for (float& cell : problem.in) cell = std::ldexp(cell, random.UniformInt(-30, 30));
  ExpectCells(step, problem);
}

// Neighbours that cancel: what is left is all rounding.
inline void ExpectCancelledSums(const Stepper& step, lab::Random& random, int steps = 1) {
  Problem problem = AnyProblem({41, 22, 17}, random, steps);
  const auto [c0, c1, c2, c3, c4, c5, c6] = problem.weights;
  problem.weights = {c0, c1, -c1, c3, -c3, c5, -c5};
  for (float& cell : problem.in) cell = 1000 + cell;
  ExpectCells(step, problem);
}

inline void ExpectBounds(const Stepper& step, lab::Random& random, int steps = 1) {
  ExpectCells(step, AnyProblem({64, 16, 32}, random, steps));
  ExpectCells(step, AnyProblem({67, 37, 21}, random, steps));
}

// Infinities and NaN on the boundary, at the edges of tiles and in the middle reach only their
// neighbours.
inline void ExpectSpecialValuesReachNeighboursOnly(const Stepper& step, lab::Random& random,
                                                   int steps = 1) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Size size{71, 37, 38};
  Problem problem = AnyProblem(size, random, steps);
  const auto put = [&](float value, int x, int y, int z) {
    problem.in[size.Index(x, y, z)] = value;
  };
  put(nan, 0, 0, 0);
  put(infinity, 70, 36, 37);
  put(nan, 0, 18, 19);
  put(infinity, 31, 8, 16);
  put(-infinity, 32, 20, 8);
  put(nan, 50, 36, 30);
  put(infinity, 60, 5, 0);
  put(-infinity, 60, 7, 1);
  put(nan, 20, 30, 32);
  ExpectCells(step, problem);
  problem.weights.c1 = problem.weights.c6 = 0;  // 0 * infinity is NaN
  ExpectCells(step, problem);
}

// Each call has other sizes, weights and cells.
inline void ExpectIndependentCalls(const Stepper& step, lab::Random& random, int most_steps = 1) {
  for (std::size_t call = 0; call < lab::Scaled(25); ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    const auto length = [&random] { return random.UniformInt(0, 40); };
    const int width = length(), height = length(), depth = length();
    const int steps = most_steps == 1 ? 1 : random.UniformInt(0, most_steps);
    ExpectCells(step, AnyProblem({width, height, depth}, random, steps));
    if (testing::Test::HasFailure()) return;
  }
}

// Several blocks, and parts of blocks.
inline void ExpectServed(const Stepper& step, lab::Random& random, int steps = 1) {
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectCells(step, AnyProblem({37, 11, 9}, random, steps));
  });
}

}  // namespace cuda_stencil
