// The public test: a few simple cases for each part. The grader tests more; stencil.h says what.
// One case of each part has the size on which the grader counts; README.md has their names.

#include "labs/cuda_stencil/stencil.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "common/lab/testing/with_failing_calls.h"

namespace {

using Floats = std::vector<float>;

const lab::Function<decltype(Stencil)> stencil{"Stencil"};
const lab::Function<decltype(StencilTiled)> stencil_tiled{"StencilTiled"};
const lab::Function<decltype(StencilSliced)> stencil_sliced{"StencilSliced"};
const lab::Function<decltype(StencilSteps)> stencil_steps{"StencilSteps"};

// All different, so that an exchanged pair is detected.
constexpr Weights kWeights = {2, -1, 3, 1, -2, 4, -3};

struct Size {
  int width, height, depth;
  std::size_t cells() const { return std::size_t(width) * height * depth; }
};

// Whole numbers from -8 to 8: with these every sum is exact, whatever the order.
Floats WholeNumbers(std::size_t n) {
  lab::Random random;
  Floats values(n);
  for (float& value : values) value = static_cast<float>(random.UniformInt(-8, 8));
  return values;
}

Floats StepOf(const Floats& in, const Size& size) {
  Floats out = in;
  const auto at = [&](int x, int y, int z) {
    return in[(std::size_t(z) * size.height + y) * size.width + x];
  };
  const auto& [c0, c1, c2, c3, c4, c5, c6] = kWeights;
  for (int z = 1; z < size.depth - 1; ++z) {
    for (int y = 1; y < size.height - 1; ++y) {
      for (int x = 1; x < size.width - 1; ++x) {
        out[(std::size_t(z) * size.height + y) * size.width + x] =
            c0 * at(x, y, z) + c1 * at(x - 1, y, z) + c2 * at(x + 1, y, z) + c3 * at(x, y - 1, z) +
            c4 * at(x, y + 1, z) + c5 * at(x, y, z - 1) + c6 * at(x, y, z + 1);
      }
    }
  }
  return out;
}

void ExpectCells(const Floats& got, const Floats& want, const Size& size) {
  EXPECT_TRUE(lab::ExpectAllEqual(got, want))
      << "with " << size.width << " x " << size.height << " x " << size.depth << " cells";
}

template <typename F>
void ExpectStep(const F& function, const Size& size) {
  const Floats in = WholeNumbers(size.cells());
  Floats out = lab::Poisoned<float>(size.cells());
  function(in, out, size.width, size.height, size.depth, kWeights);
  ExpectCells(out, StepOf(in, size), size);
}

void ExpectSteps(int steps, const Size& size) {
  const Floats in = WholeNumbers(size.cells());
  Floats out = lab::Poisoned<float>(size.cells());
  Floats scratch = lab::Poisoned<float>(size.cells());
  stencil_steps(in, out, scratch, size.width, size.height, size.depth, kWeights, steps);
  Floats want = in;
  for (int step = 0; step < steps; ++step) want = StepOf(want, size);
  EXPECT_TRUE(lab::ExpectAllEqual(out, want))
      << "after " << steps << " steps with " << size.width << " x " << size.height << " x "
      << size.depth << " cells";
}

// What can be worked out on paper: 27 cells, of which one has six neighbours.
template <typename F>
void ExpectOneInnerCell(const F& function) {
  Floats in(27);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
  Floats want = in;
  want[13] = 2 * 13 - 1 * 12 + 3 * 14 + 1 * 10 - 2 * 16 + 4 * 4 - 3 * 22;
  Floats out = lab::Poisoned<float>(27);
  function(in, out, 3, 3, 3, kWeights);
  EXPECT_EQ(out, want);
}

constexpr Size kWholeBlocks = {128, 48, 40};
constexpr Size kPartsOfBlocks = {45, 19, 13};

TEST(StencilTest, ChangesTheOneInnerCellOf27) { ExpectOneInnerCell(stencil); }

TEST(StencilTest, StepsOverWholeBlocks) { ExpectStep(stencil, kWholeBlocks); }

TEST(StencilTest, StepsOverPartsOfBlocks) { ExpectStep(stencil, kPartsOfBlocks); }

TEST(StencilTest, CopiesWhatIsAllBoundary) { ExpectStep(stencil, {40, 2, 20}); }

TEST(StencilTest, DoesNothingWithoutCells) { ExpectStep(stencil, {5, 0, 7}); }

TEST(StencilTest, ThrowsWhenARuntimeCallFails) {
  ExpectOneInnerCell(lab::WithFailingCalls(stencil));
}

TEST(StencilTiledTest, ChangesTheOneInnerCellOf27) { ExpectOneInnerCell(stencil_tiled); }

TEST(StencilTiledTest, StepsOverWholeBlocks) { ExpectStep(stencil_tiled, kWholeBlocks); }

TEST(StencilTiledTest, StepsOverPartsOfBlocks) { ExpectStep(stencil_tiled, kPartsOfBlocks); }

TEST(StencilTiledTest, CopiesWhatIsAllBoundary) { ExpectStep(stencil_tiled, {40, 20, 1}); }

TEST(StencilTiledTest, DoesNothingWithoutCells) { ExpectStep(stencil_tiled, {0, 5, 7}); }

TEST(StencilTiledTest, ThrowsWhenARuntimeCallFails) {
  ExpectOneInnerCell(lab::WithFailingCalls(stencil_tiled));
}

TEST(StencilSlicedTest, ChangesTheOneInnerCellOf27) { ExpectOneInnerCell(stencil_sliced); }

TEST(StencilSlicedTest, StepsOverWholeBlocks) { ExpectStep(stencil_sliced, kWholeBlocks); }

TEST(StencilSlicedTest, StepsOverPartsOfBlocks) { ExpectStep(stencil_sliced, kPartsOfBlocks); }

TEST(StencilSlicedTest, CopiesWhatIsAllBoundary) { ExpectStep(stencil_sliced, {2, 40, 20}); }

TEST(StencilSlicedTest, DoesNothingWithoutCells) { ExpectStep(stencil_sliced, {5, 7, 0}); }

TEST(StencilSlicedTest, ThrowsWhenARuntimeCallFails) {
  ExpectOneInnerCell(lab::WithFailingCalls(stencil_sliced));
}

TEST(StencilStepsTest, MakesFourStepsOverWholeBlocks) { ExpectSteps(4, kWholeBlocks); }

TEST(StencilStepsTest, MakesThreeStepsOverPartsOfBlocks) { ExpectSteps(3, kPartsOfBlocks); }

TEST(StencilStepsTest, MakesOneStep) { ExpectSteps(1, kPartsOfBlocks); }

TEST(StencilStepsTest, CopiesWithoutSteps) { ExpectSteps(0, kPartsOfBlocks); }

TEST(StencilStepsTest, DoesNothingWithoutCells) { ExpectSteps(2, {0, 5, 7}); }

TEST(StencilStepsTest, ThrowsWhenARuntimeCallFails) {
  const Floats in = WholeNumbers(4 * 5 * 6);
  Floats out(in.size());
  Floats scratch(in.size());
  lab::WithFailingCalls(stencil_steps)(in, out, scratch, 4, 5, 6, kWeights, 2);
  const Size size = {4, 5, 6};
  ExpectCells(out, StepOf(StepOf(in, size), size), size);
}

}  // namespace
