// Part 6: the four boundaries.

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "common/lab/call/sizes.h"
#include "common/lab/testing/with_failing_calls.h"
#include "labs/cuda_convolution/convolution.h"
#include "solutions/cuda_convolution/hidden_frame.h"
#include "solutions/cuda_convolution/hidden_image.h"

namespace cuda_convolution {
namespace {

struct BoundaryTest : testing::TestWithParam<Boundary> {
  lab::Random random;

  void Expect(const Size& size) {
    ExpectInsideExactly(WholeProblem(size, random), GetParam(),
                        static_cast<float>(random.UniformInt(-8, 8)));
  }
};

TEST_P(BoundaryTest, ConvolvesSeveralTiles) {
  for (const Size& size : {Size{66, 35, 2, 2}, {45, 33, 1, 1}}) Expect(size);
}

// Rows that are whole sectors, and rows that are not.
TEST_P(BoundaryTest, ConvolvesEdgesOfTilesInX) {
  for (const int n : {7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65}) Expect({n, 5, 2, 2});
}

TEST_P(BoundaryTest, ConvolvesEdgesOfTilesInY) {
  for (const int n : {7, 8, 9, 15, 16, 17, 31, 32, 33}) Expect({5, n, 3, 3});
}

TEST_P(BoundaryTest, TakesEveryRadius) {
  for (int radius = 0; radius <= kMaxRadius; ++radius) Expect({13, 11, radius, radius});
}

// The mask goes around the image up to nine times.
TEST_P(BoundaryTest, TakesOneToFourPixelsInEachDirection) {
  for (int width = 1; width <= 4; ++width) {
    for (int height = 1; height <= 4; ++height) {
      for (const int radius : {0, 1, 5, kMaxRadius}) Expect({width, height, radius, radius});
      if (HasFailure()) return;
    }
  }
}

TEST_P(BoundaryTest, TakesSingleRowsAndColumns) {
  for (const int n : {30, 83}) {
    Expect({1, n, 4, 4});
    Expect({n, 1, 4, 4});
  }
}

TEST_P(BoundaryTest, DoesNothingWithoutPixels) {
  for (const Size& size : {Size{0, 5, 0, 0}, {5, 0, 0, 0}, {0, 0, 0, 0}}) {
    Floats out;
    WithTexture(GetParam(), 1)({size, {}, {2}}, out);
  }
}

// The widest and the highest image that a texture may have.
TEST_P(BoundaryTest, ConvolvesLongImages) {
  Expect({static_cast<int>(lab::Scaled(131'072)) - 1, 1, 1, 1});
  Expect({1, static_cast<int>(lab::Scaled(65'000)), 1, 1});
}

TEST_P(BoundaryTest, StaysWithinTheBound) {
  for (const int radius : {0, 3, 8}) {
    ExpectInside(AnyProblem({19, 13, radius, radius}, random), GetParam(), 0.7f);
  }
}

// They reach the pixels whose mask covers them, or the places for which they stand.
TEST_P(BoundaryTest, KeepsInfinitiesAndNanUnderTheMask) {
  Problem problem = AnyProblem({37, 21, 2, 2}, random);
  problem.in[0] = std::numeric_limits<float>::quiet_NaN();
  problem.in[37 * 10 + 36] = std::numeric_limits<float>::infinity();
  problem.in[37 * 20 + 18] = -std::numeric_limits<float>::infinity();
  ExpectInside(problem, GetParam(), 1);
}

TEST_P(BoundaryTest, ThrowsWhenARuntimeCallFails) {
  Floats out = lab::Poisoned<float>(20);
  const Problem problem = WholeProblem({5, 4, 1, 1}, random);
  lab::WithFailingCalls(convolve_texture)(problem.in, problem.mask, out, 5, 4, 1, GetParam(), 2.0f);
  const Doubles want = Inside(ExactPixels(Framed(problem, GetParam(), 2)), problem.size);
  lab::ExpectAllEqual(out, Floats(want.begin(), want.end()));
}

INSTANTIATE_TEST_SUITE_P(ConvolveTextureTest, BoundaryTest, testing::ValuesIn(kBoundaries));

// Each call has another size, mask, image and boundary.
TEST(ConvolveTextureTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  for (std::size_t call = 0; call < lab::Scaled(25); ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    const int radius = random.UniformInt(0, 8);
    const Size size{random.UniformInt(1, 40), random.UniformInt(1, 40), radius, radius};
    ExpectInside(AnyProblem(size, random), kBoundaries[random.UniformInt(0, 3)], 0.5f);
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace cuda_convolution
