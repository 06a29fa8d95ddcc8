// The hidden test of the lab "Convolution on a GPU".
//
// Most numbers are whole, and no sum of them rounds; others may differ from the exact values by
// what rounding in any order allows (hidden_image.h).

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "common/lab/call/sizes.h"
#include "common/lab/testing/with_failing_calls.h"
#include "labs/cuda_convolution/convolution.h"
#include "solutions/cuda_convolution/hidden_image.h"

namespace cuda_convolution {
namespace {

// A part: its function, and how its problems are made.
struct Part {
  Convolver convolve;
  Problem (*whole)(const Size&, lab::Random&);
  Problem (*any)(const Size&, lab::Random&);
  std::vector<int> radii;  // all, or those next to what blocks and pieces have
};

using Sizes = std::vector<Size>;

// Whole numbers: no sum rounds, so there is no tolerance.
void ExpectEach(const Part& part, const Sizes& sizes, lab::Random& random) {
  for (const Size& size : sizes) {
    ExpectExactPixels(part.convolve, part.whole(size, random));
    if (testing::Test::HasFailure()) return;
  }
}

void ExpectEachRadius(const Part& part, int width, int height, lab::Random& random) {
  for (const int radius : part.radii) {
    ExpectEach(part, {{width, height, radius, radius}}, random);
    if (testing::Test::HasFailure()) return;
  }
}

// Where warps, blocks and tiles of 8, 16, 32 and 64 pixels begin and end, with a halo and without.
std::vector<int> EdgeLengths() {
  return {7, 8, 9, 15, 16, 17, 23, 24, 25, 31, 32, 33, 47, 48, 49, 63, 64, 65, 97, 128, 129};
}

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

// Several tiles in each direction, with whole tiles, parts of tiles and prime lengths.
TEST_P(ConvolutionTest, ConvolvesSeveralTiles) {
  ExpectEach(part,
             {{128, 64, 4, 4}, {67, 35, 1, 1}, {45, 50, 5, 5}, {97, 53, 3, 3}, {31, 101, 2, 2}},
             random);
}

TEST_P(ConvolutionTest, ConvolvesEdgesOfTilesInX) {
  for (const int n : EdgeLengths()) ExpectEach(part, {{n, 5, 2, 2}}, random);
}

TEST_P(ConvolutionTest, ConvolvesEdgesOfTilesInY) {
  for (const int n : EdgeLengths()) ExpectEach(part, {{5, n, 3, 3}}, random);
}

TEST_P(ConvolutionTest, TakesEveryRadius) { ExpectEachRadius(part, 41, 37, random); }

// One to four pixels in each direction: the mask is larger than the image.
TEST_P(ConvolutionTest, TakesOneToFourPixelsInEachDirection) {
  for (int width = 1; width <= 4; ++width) {
    for (int height = 1; height <= 4; ++height) {
      ExpectEach(part, {{width, height, 0, 0}, {width, height, 1, 1}, {width, height, 5, 5}},
                 random);
    }
  }
  ExpectEachRadius(part, 1, 1, random);
}

// A single row and a single column, and two and three of them.
TEST_P(ConvolutionTest, TakesSingleRowsAndColumns) {
  for (const int thin : {1, 2, 3}) {
    ExpectEach(part, {{thin, 83, 4, 4}, {83, thin, 4, 4}, {thin, 61, 8, 8}, {61, thin, 8, 8}},
               random);
  }
}

TEST_P(ConvolutionTest, DoesNothingWithoutPixels) {
  ExpectEach(part, {{0, 5, 1, 1}, {5, 0, 1, 1}, {0, 0, 2, 2}, {0, 0, 0, 0}}, random);
}

// A single pixel of 1 becomes the mask, turned by 180 degrees. Such pixels lie at corners, at edges
// and inside of the tiles, so far apart that their masks do not overlap.
TEST_P(ConvolutionTest, TurnsAnImpulseIntoTheMask) {
  const Size size{70, 45, 4, 4};
  for (const std::vector<int>& columns : {std::vector{0, 16, 32, 69}, std::vector{15, 31}}) {
    for (const std::vector<int>& rows : {std::vector{0, 16, 44}, std::vector{15, 31}}) {
      Problem problem = part.any(size, random);
      problem.in.assign(problem.in.size(), 0);
      for (const int y : rows) {
        for (const int x : columns) problem.in[std::size_t(y) * size.width + x] = 1;
      }
      ExpectPixels(part.convolve, problem);
      if (HasFailure()) return;
    }
  }
}

TEST_P(ConvolutionTest, StaysWithinTheBound) {
  for (const int radius : {0, 3, 8}) {
    ExpectPixels(part.convolve, part.any({67, 37, radius, radius}, random));
  }
}

// From 2^-30 to 2^30, either sign: sums in which most products are lost in the rounding.
TEST_P(ConvolutionTest, StaysWithinTheBoundForNumbersOfManySizes) {
  Problem problem = part.any({50, 43, 5, 5}, random);
  for (float& pixel : problem.in) pixel = std::ldexp(pixel, random.UniformInt(-30, 30));
  ExpectPixels(part.convolve, problem);
}

// Infinities and NaN at corners, at edges of tiles and inside reach only the pixels whose mask
// covers them. Nothing else is an infinity, so those stay infinities: no weight is 0.
TEST_P(ConvolutionTest, KeepsInfinitiesAndNanUnderTheMask) {
  const float infinity = std::numeric_limits<float>::infinity();
  Problem problem = part.any({97, 71, 2, 2}, random);
  const auto put = [&](float value, int x, int y) {
    problem.in[std::size_t(y) * problem.size.width + x] = value;
  };
  put(std::numeric_limits<float>::quiet_NaN(), 0, 0);
  put(infinity, 96, 70);
  put(infinity, 31, 15);
  put(-infinity, 32, 40);
  put(infinity, 50, 70);
  put(-infinity, 80, 0);
  ExpectPixels(part.convolve, problem);
}

// Each call has another size, mask and image.
TEST_P(ConvolutionTest, KeepsNothingFromOneCallToTheNext) {
  for (std::size_t call = 0; call < lab::Scaled(25); ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    const int radius = random.UniformInt(0, 8);
    const int width = random.UniformInt(0, 60);
    const int height = random.UniformInt(0, 60);
    ExpectPixels(part.convolve, part.any({width, height, radius, radius}, random));
    if (HasFailure()) return;
  }
}

// The largest number of rows of the contract, and as many columns.
TEST_P(ConvolutionTest, ConvolvesLongImages) {
  const int longest = static_cast<int>(lab::Scaled(65'535));
  ExpectEach(part, {{1, longest, 1, 1}, {4 * longest, 1, 1, 1}}, random);
}

TEST_P(ConvolutionTest, ConvolvesALargeImage) {
  const int height = static_cast<int>(lab::Scaled(320)) + 3;
  ExpectEach(part, {{515, height, 3, 3}}, random);
}

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
