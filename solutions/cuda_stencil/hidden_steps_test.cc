// Part 4: several steps; only the cells after the last one are checked.

#include <gtest/gtest.h>

#include "common/lab/testing/function.h"
#include "common/lab/testing/with_failing_calls.h"
#include "labs/cuda_stencil/stencil.h"
#include "solutions/cuda_stencil/hidden_cases.h"

namespace cuda_stencil {
namespace steps_test {

const lab::Function<decltype(StencilSteps)> stencil_steps{"StencilSteps"};

// With `before` in every cell of `scratch`.
Stepper StepsWithScratch(float before) {
  return [before](const Problem& problem, Floats& out) {
    const auto [width, height, depth] = problem.size;
    Floats scratch(problem.size.cells(), before);
    stencil_steps(problem.in, out, scratch, width, height, depth, problem.weights, problem.steps);
  };
}

struct StencilStepsTest : testing::Test {
  Stepper step = StepsWithScratch(lab::PoisonValue<float>());
  lab::Random random;
};

TEST_F(StencilStepsTest, MakesOneStepWithOneInnerCell) { ExpectOneInnerCell(step); }

TEST_F(StencilStepsTest, StepsOnceOverSeveralTiles) { ExpectSeveralTiles(step, random, 1); }

TEST_F(StencilStepsTest, StepsTwiceOverSeveralTiles) { ExpectSeveralTiles(step, random, 2); }

TEST_F(StencilStepsTest, StepsThreeTimesOverSeveralTiles) { ExpectSeveralTiles(step, random, 3); }

TEST_F(StencilStepsTest, StepsFourTimesOverSeveralTiles) { ExpectSeveralTiles(step, random, 4); }

TEST_F(StencilStepsTest, StepsTwiceOverEdgesOfTilesInX) { ExpectEdgesInX(step, random, 2); }

TEST_F(StencilStepsTest, StepsFourTimesOverEdgesOfTilesInX) { ExpectEdgesInX(step, random, 4); }

TEST_F(StencilStepsTest, StepsTwiceOverEdgesOfTilesInY) { ExpectEdgesInY(step, random, 2); }

TEST_F(StencilStepsTest, StepsFourTimesOverEdgesOfTilesInY) { ExpectEdgesInY(step, random, 4); }

TEST_F(StencilStepsTest, StepsTwiceOverEdgesOfTilesInZ) { ExpectEdgesInZ(step, random, 2); }

TEST_F(StencilStepsTest, StepsFourTimesOverEdgesOfTilesInZ) { ExpectEdgesInZ(step, random, 4); }

TEST_F(StencilStepsTest, StepsThreeTimesOverOneToFourCellsInEachDirection) {
  ExpectFewCells(step, random, 3);
}

TEST_F(StencilStepsTest, StepsFourTimesOverThinGrids) { ExpectThinGrids(step, random, 4); }

TEST_F(StencilStepsTest, DoesNothingWithoutCells) { ExpectNothingWithoutCells(step, random, 3); }

TEST_F(StencilStepsTest, LeavesEqualCellsAsTheyAre) { ExpectEqualCells(step, 6); }

TEST_F(StencilStepsTest, LeavesAnEvenSlopeAsItIs) { ExpectEvenSlope(step, 5); }

TEST_F(StencilStepsTest, StaysWithinTheBound) { ExpectBounds(step, random, 11); }

TEST_F(StencilStepsTest, StaysWithinTheBoundForNumbersOfManySizes) {
  ExpectNumbersOfManySizes(step, random, 4);
}

TEST_F(StencilStepsTest, StaysWithinTheBoundWhereNeighboursCancel) {
  ExpectCancelledSums(step, random, 4);
}

TEST_F(StencilStepsTest, KeepsInfinitiesAndNanWithinReach) {
  ExpectSpecialValuesReachNeighboursOnly(step, random, 4);
}

TEST_F(StencilStepsTest, KeepsNothingFromOneCallToTheNext) {
  ExpectIndependentCalls(step, random, 9);
}

TEST_F(StencilStepsTest, ServesSeveralCallersOnStreamsOfTheirOwn) { ExpectServed(step, random, 5); }

TEST_F(StencilStepsTest, StepsOverLongGrids) { ExpectLongGrids(step, random, 4'000); }

TEST_F(StencilStepsTest, StepsThreeTimesOverALargeGrid) { ExpectLargeGrid(step, random, 3); }

TEST_F(StencilStepsTest, CopiesWithoutSteps) {
  ExpectSeveralTiles(step, random, 0);
  ExpectFewCells(step, random, 0);
}

// Steps are averages, so that cells stay small. Covers launches of up to eight steps that begin and
// end in either buffer, and what is left after them.
TEST_F(StencilStepsTest, MakesAnyNumberOfStepsUpToSeventeen) {
  for (int steps = 0; steps <= 17 && !HasFailure(); ++steps) {
    ExpectCells(step, AnyProblem({36, 9, 11}, random, steps));
  }
}

TEST_F(StencilStepsTest, MakesHundredsOfSteps) {
  const Size size{9, 8, 7};
  const Weights weights = {0.25f, 0.125f, 0.125f, 0.125f, 0.125f, 0.0625f, 0.1875f};
  const int steps = static_cast<int>(lab::Scaled(320));
  ExpectCells(step, {size, weights, random.Floats(size.cells(), 0, 1), steps});
}

TEST_F(StencilStepsTest, ReadsNothingThatScratchHeldBefore) {
  for (const int steps : {1, 2, 3, 4}) {
    const Problem problem = AnyProblem({33, 17, 9}, random, steps);
    for (const float before : {0.0f, 1e30f}) ExpectCells(StepsWithScratch(before), problem);
  }
}

TEST_F(StencilStepsTest, ThrowsWhenARuntimeCallFails) {
  for (const int steps : {0, 1, 2, 3}) {
    ExpectExactCells(lab::WithFailingCalls(step), WholeProblem({33, 17, 9}, random, steps));
  }
}

}  // namespace steps_test
}  // namespace cuda_stencil
