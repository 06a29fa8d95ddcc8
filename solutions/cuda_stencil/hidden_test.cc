// The hidden test of the lab "Stencils on a GPU": the parts that make one step.
//
// Most cells are whole numbers that no sum rounds; others may differ from the exact values by what
// rounding in any order allows (hidden_grid.h).

#include <gtest/gtest.h>

#include "common/lab/function.h"
#include "common/lab/with_failing_calls.h"
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

// A part's tests have a fixture that holds its function and numbers of its own.
struct StencilTest : testing::Test {
  Stepper step = With(stencil);
  lab::Random random;
};

struct StencilTiledTest : testing::Test {
  Stepper step = With(stencil_tiled);
  lab::Random random;
};

struct StencilSlicedTest : testing::Test {
  Stepper step = With(stencil_sliced);
  lab::Random random;
};

TEST_F(StencilTest, ChangesTheOneInnerCellOf27) { ExpectOneInnerCell(step); }

TEST_F(StencilTest, StepsOverSeveralTiles) { ExpectSeveralTiles(step, random); }

TEST_F(StencilTest, StepsOverEdgesOfTilesInX) { ExpectEdgesInX(step, random); }

TEST_F(StencilTest, StepsOverEdgesOfTilesInY) { ExpectEdgesInY(step, random); }

TEST_F(StencilTest, StepsOverEdgesOfTilesInZ) { ExpectEdgesInZ(step, random); }

TEST_F(StencilTest, StepsOverOneToFourCellsInEachDirection) { ExpectFewCells(step, random); }

TEST_F(StencilTest, CopiesThinGridsAndStepsOverThoseOfThree) { ExpectThinGrids(step, random); }

TEST_F(StencilTest, DoesNothingWithoutCells) { ExpectNothingWithoutCells(step, random); }

TEST_F(StencilTest, TakesEachNeighbourBitByBit) { ExpectEachNeighbour(step, random); }

TEST_F(StencilTest, LeavesEqualCellsAsTheyAre) { ExpectEqualCells(step); }

TEST_F(StencilTest, LeavesAnEvenSlopeAsItIs) { ExpectEvenSlope(step); }

TEST_F(StencilTest, StaysWithinTheBound) { ExpectBounds(step, random); }

TEST_F(StencilTest, StaysWithinTheBoundForNumbersOfManySizes) {
  ExpectNumbersOfManySizes(step, random);
}

TEST_F(StencilTest, StaysWithinTheBoundWhereNeighboursCancel) { ExpectCancelledSums(step, random); }

TEST_F(StencilTest, KeepsInfinitiesAndNanAmongNeighbours) {
  ExpectSpecialValuesReachNeighboursOnly(step, random);
}

TEST_F(StencilTest, KeepsNothingFromOneCallToTheNext) { ExpectIndependentCalls(step, random); }

TEST_F(StencilTest, ServesSeveralCallersOnStreamsOfTheirOwn) { ExpectServed(step, random); }

TEST_F(StencilTest, StepsOverLongGrids) { ExpectLongGrids(step, random, 65'535); }

TEST_F(StencilTest, StepsOverALargeGrid) { ExpectLargeGrid(step, random); }

TEST_F(StencilTest, ThrowsWhenARuntimeCallFails) {
  ExpectExactCells(lab::WithFailingCalls(step), WholeProblem({33, 17, 9}, random, 1));
}

TEST_F(StencilTiledTest, ChangesTheOneInnerCellOf27) { ExpectOneInnerCell(step); }

TEST_F(StencilTiledTest, StepsOverSeveralTiles) { ExpectSeveralTiles(step, random); }

TEST_F(StencilTiledTest, StepsOverEdgesOfTilesInX) { ExpectEdgesInX(step, random); }

TEST_F(StencilTiledTest, StepsOverEdgesOfTilesInY) { ExpectEdgesInY(step, random); }

TEST_F(StencilTiledTest, StepsOverEdgesOfTilesInZ) { ExpectEdgesInZ(step, random); }

TEST_F(StencilTiledTest, StepsOverOneToFourCellsInEachDirection) { ExpectFewCells(step, random); }

TEST_F(StencilTiledTest, CopiesThinGridsAndStepsOverThoseOfThree) { ExpectThinGrids(step, random); }

TEST_F(StencilTiledTest, DoesNothingWithoutCells) { ExpectNothingWithoutCells(step, random); }

TEST_F(StencilTiledTest, TakesEachNeighbourBitByBit) { ExpectEachNeighbour(step, random); }

TEST_F(StencilTiledTest, LeavesEqualCellsAsTheyAre) { ExpectEqualCells(step); }

TEST_F(StencilTiledTest, LeavesAnEvenSlopeAsItIs) { ExpectEvenSlope(step); }

TEST_F(StencilTiledTest, StaysWithinTheBound) { ExpectBounds(step, random); }

TEST_F(StencilTiledTest, StaysWithinTheBoundForNumbersOfManySizes) {
  ExpectNumbersOfManySizes(step, random);
}

TEST_F(StencilTiledTest, StaysWithinTheBoundWhereNeighboursCancel) {
  ExpectCancelledSums(step, random);
}

TEST_F(StencilTiledTest, KeepsInfinitiesAndNanAmongNeighbours) {
  ExpectSpecialValuesReachNeighboursOnly(step, random);
}

TEST_F(StencilTiledTest, KeepsNothingFromOneCallToTheNext) { ExpectIndependentCalls(step, random); }

TEST_F(StencilTiledTest, ServesSeveralCallersOnStreamsOfTheirOwn) { ExpectServed(step, random); }

TEST_F(StencilTiledTest, StepsOverLongGrids) { ExpectLongGrids(step, random, 65'535); }

TEST_F(StencilTiledTest, StepsOverALargeGrid) { ExpectLargeGrid(step, random); }

TEST_F(StencilTiledTest, ThrowsWhenARuntimeCallFails) {
  ExpectExactCells(lab::WithFailingCalls(step), WholeProblem({33, 17, 9}, random, 1));
}

TEST_F(StencilSlicedTest, ChangesTheOneInnerCellOf27) { ExpectOneInnerCell(step); }

TEST_F(StencilSlicedTest, StepsOverSeveralTiles) { ExpectSeveralTiles(step, random); }

TEST_F(StencilSlicedTest, StepsOverEdgesOfTilesInX) { ExpectEdgesInX(step, random); }

TEST_F(StencilSlicedTest, StepsOverEdgesOfTilesInY) { ExpectEdgesInY(step, random); }

TEST_F(StencilSlicedTest, StepsOverEdgesOfTilesInZ) { ExpectEdgesInZ(step, random); }

TEST_F(StencilSlicedTest, StepsOverOneToFourCellsInEachDirection) { ExpectFewCells(step, random); }

TEST_F(StencilSlicedTest, CopiesThinGridsAndStepsOverThoseOfThree) {
  ExpectThinGrids(step, random);
}

TEST_F(StencilSlicedTest, DoesNothingWithoutCells) { ExpectNothingWithoutCells(step, random); }

TEST_F(StencilSlicedTest, TakesEachNeighbourBitByBit) { ExpectEachNeighbour(step, random); }

TEST_F(StencilSlicedTest, LeavesEqualCellsAsTheyAre) { ExpectEqualCells(step); }

TEST_F(StencilSlicedTest, LeavesAnEvenSlopeAsItIs) { ExpectEvenSlope(step); }

TEST_F(StencilSlicedTest, StaysWithinTheBound) { ExpectBounds(step, random); }

TEST_F(StencilSlicedTest, StaysWithinTheBoundForNumbersOfManySizes) {
  ExpectNumbersOfManySizes(step, random);
}

TEST_F(StencilSlicedTest, StaysWithinTheBoundWhereNeighboursCancel) {
  ExpectCancelledSums(step, random);
}

TEST_F(StencilSlicedTest, KeepsInfinitiesAndNanAmongNeighbours) {
  ExpectSpecialValuesReachNeighboursOnly(step, random);
}

TEST_F(StencilSlicedTest, KeepsNothingFromOneCallToTheNext) {
  ExpectIndependentCalls(step, random);
}

TEST_F(StencilSlicedTest, ServesSeveralCallersOnStreamsOfTheirOwn) { ExpectServed(step, random); }

TEST_F(StencilSlicedTest, StepsOverLongGrids) { ExpectLongGrids(step, random, 65'535); }

TEST_F(StencilSlicedTest, StepsOverALargeGrid) { ExpectLargeGrid(step, random); }

TEST_F(StencilSlicedTest, ThrowsWhenARuntimeCallFails) {
  ExpectExactCells(lab::WithFailingCalls(step), WholeProblem({33, 17, 9}, random, 1));
}

}  // namespace
}  // namespace cuda_stencil
