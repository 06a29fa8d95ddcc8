#pragma once

// What the hidden tests of the lab "Stencils on a GPU" step over, and what they expect.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ostream>
#include <span>
#include <utility>
#include <vector>

#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "labs/cuda_stencil/stencil.h"

namespace cuda_stencil {

using Floats = std::vector<float>;
using Doubles = std::vector<double>;

struct Size {
  int width, height, depth;

  std::size_t cells() const { return std::size_t(width) * height * depth; }
  std::size_t Index(int x, int y, int z) const { return (std::size_t(z) * height + y) * width + x; }
};

inline std::ostream& operator<<(std::ostream& out, const Size& size) {
  return out << size.width << " x " << size.height << " x " << size.depth << " cells";
}

struct Problem {
  Size size;
  Weights weights;
  Floats in;
  int steps = 1;
};

// One of the lab's functions.
using Stepper = std::function<void(const Problem&, Floats& out)>;

// c0 to c6 in double precision.
using ExactWeights = std::array<double, 7>;

inline ExactWeights Exactly(const Weights& w) { return {w.c0, w.c1, w.c2, w.c3, w.c4, w.c5, w.c6}; }

// One step in double precision.
inline void Advance(const Doubles& in, Doubles& out, const Size& size, const ExactWeights& c) {
  const std::ptrdiff_t row = size.width;
  const std::ptrdiff_t slice = row * size.height;
  out = in;
  for (int z = 1; z < size.depth - 1; ++z) {
    for (int y = 1; y < size.height - 1; ++y) {
      const double* const from = in.data() + size.Index(0, y, z);
      double* const to = out.data() + size.Index(0, y, z);
      for (int x = 1; x < size.width - 1; ++x) {
        const double* const at = from + x;
        to[x] = c[0] * at[0] + c[1] * at[-1] + c[2] * at[1] + c[3] * at[-row] + c[4] * at[row] +
                c[5] * at[-slice] + c[6] * at[slice];
      }
    }
  }
}

inline Doubles Advanced(Doubles cells, const Problem& problem, const ExactWeights& weights) {
  Doubles next;
  for (int step = 0; step < problem.steps; ++step) {
    Advance(cells, next, problem.size, weights);
    cells.swap(next);
  }
  return cells;
}

inline Doubles ExactCells(const Problem& problem) {
  return Advanced(Doubles(problem.in.begin(), problem.in.end()), problem, Exactly(problem.weights));
}

inline bool IsInner(const Size& size, std::size_t i) {
  const std::size_t x = i % size.width;
  const std::size_t y = i / size.width % size.height;
  const std::size_t z = i / size.width / size.height;
  return x > 0 && x + 1 < std::size_t(size.width) && y > 0 && y + 1 < std::size_t(size.height) &&
         z > 0 && z + 1 < std::size_t(size.depth);
}

// gamma * size, as in the contract, plus the error of the sums in double; 0 on the boundary.
inline Doubles Tolerances(const Problem& problem) {
  ExactWeights weights = Exactly(problem.weights);
  for (double& weight : weights) weight = std::abs(weight);
  Doubles sizes(problem.in.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = std::abs(double{problem.in[i]});
  sizes = Advanced(std::move(sizes), problem, weights);
  const double roundings = 7.0 * problem.steps;
  const double gamma = roundings * 0x1p-24 / (1 - roundings * 0x1p-24) + 2 * roundings * 0x1p-53;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    sizes[i] = IsInner(problem.size, i) ? gamma * sizes[i] : 0;
  }
  return sizes;
}

inline Floats Call(const Stepper& step, const Problem& problem) {
  Floats out = lab::Poisoned<float>(problem.size.cells());
  step(problem, out);
  return out;
}

inline void ExpectCells(const Stepper& step, const Problem& problem) {
  SCOPED_TRACE(testing::Message() << problem.steps << " steps, " << problem.size);
  const Floats out = Call(step, problem);
  lab::ExpectAllNear(out, ExactCells(problem), std::span<const double>(Tolerances(problem)));
}

// Small whole numbers: every sum is exact, in any order.
inline void ExpectExactCells(const Stepper& step, const Problem& problem) {
  SCOPED_TRACE(testing::Message() << problem.steps << " steps, " << problem.size);
  const Doubles want = ExactCells(problem);
  lab::ExpectAllEqual(Call(step, problem), Floats(want.begin(), want.end()));
}

// Weights of which the absolute values add up to 1 or less: cells don't grow.
inline Weights AnyWeights(lab::Random& random) {
  const auto weight = [&random] { return random.UniformFloat(-1.0f / 7, 1.0f / 7); };
  return {weight(), weight(), weight(), weight(), weight(), weight(), weight()};
}

// Whole weights, no two of a pair alike; the absolute values add up to 14.
inline constexpr Weights kWholeWeights = {2, -1, 3, 1, -2, 4, -1};

inline Problem AnyProblem(const Size& size, lab::Random& random, int steps = 1) {
  const Weights weights = AnyWeights(random);
  return {size, weights, random.Floats(size.cells(), -1, 1), steps};
}

// From -8 to 7, sixteen from each number of the stream.
inline Floats WholeNumbers(std::size_t n, lab::Random& random) {
  Floats values(n);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < n; ++i, bits >>= 4) {
    if (i % 16 == 0) bits = random.Next();
    values[i] = static_cast<float>(bits & 15) - 8;
  }
  return values;
}

inline Problem WholeProblem(const Size& size, lab::Random& random, int steps = 1) {
  return {size, kWholeWeights, WholeNumbers(size.cells(), random), steps};
}

}  // namespace cuda_stencil
