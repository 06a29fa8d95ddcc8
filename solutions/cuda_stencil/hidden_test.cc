// The hidden test of the lab "Stencils on a GPU": the parts that make one step.
//
// Most cells are whole numbers that no sum rounds; others may differ from the exact values by what
// rounding in any order allows (hidden_grid.h).

#include <gtest/gtest.h>

#include "common/lab/testing/function.h"
#include "common/lab/testing/with_failing_calls.h"
#include "labs/cuda_stencil/stencil.h"
#include "solutions/cuda_stencil/hidden_cases.h"

namespace cuda_stencil {
namespace {

const lab::Function<decltype(Stencil)> stencil{"Stencil"};
const lab::Function<decltype(StencilTiled)> stencil_tiled{"StencilTiled"};
const lab::Function<decltype(StencilSliced)> stencil_sliced{"StencilSliced"};

template <typename F>
Stepper With(const F& function) {
  return [&function](const Problem& problem, Floats& out) {
    const auto [width, height, depth] = problem.size;
    function(problem.in, out, width, height, depth, problem.weights);
  };
}

// All parts have the same contract.
struct OneStepTest : testing::TestWithParam<Stepper> {
  const Stepper& step = GetParam();
  lab::Random random;
};

TEST_P(OneStepTest, ChangesTheOneInnerCellOf27) { ExpectOneInnerCell(step); }

TEST_P(OneStepTest, StepsOverSeveralTiles) { ExpectSeveralTiles(step, random); }

TEST_P(OneStepTest, StepsOverEdgesOfTilesInX) { ExpectEdgesInX(step, random); }

TEST_P(OneStepTest, StepsOverEdgesOfTilesInY) { ExpectEdgesInY(step, random); }

TEST_P(OneStepTest, StepsOverEdgesOfTilesInZ) { ExpectEdgesInZ(step, random); }

TEST_P(OneStepTest, StepsOverOneToFourCellsInEachDirection) { ExpectFewCells(step, random); }

TEST_P(OneStepTest, CopiesThinGridsAndStepsOverThoseOfThree) { ExpectThinGrids(step, random); }

TEST_P(OneStepTest, DoesNothingWithoutCells) { ExpectNothingWithoutCells(step, random); }

// Each neighbour alone with a weight of 1: its value arrives bit by bit.
TEST_P(OneStepTest, TakesEachNeighbourBitByBit) {
  const Size size{37, 21, 18};
  const Floats in = random.Floats(size.cells(), -1000, 1000);
  for (int i = 0; i < 7; ++i) {
    SCOPED_TRACE("all weights are 0 but c" + std::to_string(i));
    float c[7] = {};
    c[i] = 1;
    ExpectExactCells(step, {size, {c[0], c[1], c[2], c[3], c[4], c[5], c[6]}, in});
    if (HasFailure()) return;
  }
}

TEST_P(OneStepTest, LeavesEqualCellsAsTheyAre) { ExpectEqualCells(step); }

TEST_P(OneStepTest, LeavesAnEvenSlopeAsItIs) { ExpectEvenSlope(step); }

TEST_P(OneStepTest, StaysWithinTheBound) { ExpectBounds(step, random); }

TEST_P(OneStepTest, StaysWithinTheBoundForNumbersOfManySizes) {
  ExpectNumbersOfManySizes(step, random);
}

TEST_P(OneStepTest, StaysWithinTheBoundWhereNeighboursCancel) { ExpectCancelledSums(step, random); }

TEST_P(OneStepTest, KeepsInfinitiesAndNanAmongNeighbours) {
  ExpectSpecialValuesReachNeighboursOnly(step, random);
}

TEST_P(OneStepTest, KeepsNothingFromOneCallToTheNext) { ExpectIndependentCalls(step, random); }

TEST_P(OneStepTest, ServesSeveralCallersOnStreamsOfTheirOwn) { ExpectServed(step, random); }

TEST_P(OneStepTest, StepsOverLongGrids) { ExpectLongGrids(step, random, 65'535); }

TEST_P(OneStepTest, StepsOverALargeGrid) { ExpectLargeGrid(step, random); }

TEST_P(OneStepTest, ThrowsWhenARuntimeCallFails) {
  ExpectExactCells(lab::WithFailingCalls(step), WholeProblem({33, 17, 9}, random, 1));
}

INSTANTIATE_TEST_SUITE_P(StencilTest, OneStepTest, testing::Values(With(stencil)));
INSTANTIATE_TEST_SUITE_P(StencilTiledTest, OneStepTest, testing::Values(With(stencil_tiled)));
INSTANTIATE_TEST_SUITE_P(StencilSlicedTest, OneStepTest, testing::Values(With(stencil_sliced)));

}  // namespace
}  // namespace cuda_stencil
