// The hidden test of the lab "Convolution on a GPU".
//
// Most numbers are whole, and no sum of them rounds; others may differ from the exact values by
// what rounding in any order allows (hidden_image.h).

#include <gtest/gtest.h>

#include "common/lab/testing/with_failing_calls.h"
#include "labs/cuda_convolution/convolution.h"
#include "solutions/cuda_convolution/hidden_cases.h"

namespace cuda_convolution {
namespace {

template <typename F>
Part Square(const F& function) {
  const auto call = [&function](const Problem& problem, Floats& out) {
    const auto [width, height, radius, same_radius] = problem.size;
    function(problem.in, problem.mask, out, width, height, radius);
  };
  return {call, WholeProblem, AnyProblem, {0, 1, 2, 3, 4, 5, 6, 7, kMaxRadius}};
}

// With `before` in every pixel of `scratch`.
Part Separable(float before) {
  const auto call = [before](const Problem& problem, Floats& out) {
    const auto [width, height, radius, same_radius] = problem.size;
    Floats scratch(problem.size.pixels(), before);
    convolve_separable(problem.in, problem.row, problem.column, out, scratch, width, height,
                       radius);
  };
  return {call, WholeSeparable, AnySeparable, {0, 1, 2, 5, 8, 15, 16, 17, kMaxSeparableRadius}};
}

Part Large() {
  const auto call = [](const Problem& problem, Floats& out) {
    const auto [width, height, radius_x, radius_y] = problem.size;
    convolve_large(problem.in, problem.mask, out, width, height, radius_x, radius_y);
  };
  return {call, WholeProblem, AnyProblem, {0, 1, 3, 4, 7, 8, 9, 16, 20}};
}

// All parts have the same contract but for the masks.
struct ConvolutionTest : testing::TestWithParam<Part> {
  const Part& part = GetParam();
  lab::Random random;
};

TEST_P(ConvolutionTest, ConvolvesSeveralTiles) { ExpectSeveralTiles(part, random); }

TEST_P(ConvolutionTest, ConvolvesEdgesOfTilesInX) { ExpectEdgesInX(part, random); }

TEST_P(ConvolutionTest, ConvolvesEdgesOfTilesInY) { ExpectEdgesInY(part, random); }

TEST_P(ConvolutionTest, TakesEveryRadius) { ExpectEveryRadius(part, random); }

TEST_P(ConvolutionTest, TakesOneToFourPixelsInEachDirection) { ExpectFewPixels(part, random); }

TEST_P(ConvolutionTest, TakesSingleRowsAndColumns) { ExpectThinImages(part, random); }

TEST_P(ConvolutionTest, DoesNothingWithoutPixels) { ExpectNothingWithoutPixels(part, random); }

TEST_P(ConvolutionTest, TurnsAnImpulseIntoTheMask) { ExpectImpulses(part, random); }

TEST_P(ConvolutionTest, StaysWithinTheBound) { ExpectBounds(part, random); }

TEST_P(ConvolutionTest, StaysWithinTheBoundForNumbersOfManySizes) {
  ExpectNumbersOfManySizes(part, random);
}

TEST_P(ConvolutionTest, KeepsInfinitiesAndNanUnderTheMask) {
  ExpectSpecialValuesStayUnderTheMask(part, random);
}

TEST_P(ConvolutionTest, KeepsNothingFromOneCallToTheNext) { ExpectIndependentCalls(part, random); }

TEST_P(ConvolutionTest, ConvolvesLongImages) { ExpectLongImages(part, random); }

TEST_P(ConvolutionTest, ConvolvesALargeImage) { ExpectLargeImage(part, random); }

TEST_P(ConvolutionTest, ThrowsWhenARuntimeCallFails) {
  ExpectExactPixels(lab::WithFailingCalls(part.convolve), part.whole({33, 17, 2, 2}, random));
}

INSTANTIATE_TEST_SUITE_P(ConvolveTest, ConvolutionTest, testing::Values(Square(convolve)));
INSTANTIATE_TEST_SUITE_P(ConvolveTiledTest, ConvolutionTest,
                         testing::Values(Square(convolve_tiled)));
INSTANTIATE_TEST_SUITE_P(ConvolveCachedTest, ConvolutionTest,
                         testing::Values(Square(convolve_cached)));
INSTANTIATE_TEST_SUITE_P(ConvolveSeparableTest, ConvolutionTest,
                         testing::Values(Separable(lab::PoisonValue<float>())));
INSTANTIATE_TEST_SUITE_P(ConvolveLargeTest, ConvolutionTest, testing::Values(Large()));

// What scratch held before is never read.
struct ScratchTest : testing::TestWithParam<float> {
  lab::Random random;
};

TEST_P(ScratchTest, ReadsNothingThatScratchHeldBefore) {
  for (const int radius : {0, 3, 20}) {
    ExpectPixels(Separable(GetParam()).convolve, AnySeparable({45, 33, radius, radius}, random));
  }
}

INSTANTIATE_TEST_SUITE_P(ConvolveSeparableTest, ScratchTest, testing::Values(0.0f, 1e30f));

}  // namespace
}  // namespace cuda_convolution
