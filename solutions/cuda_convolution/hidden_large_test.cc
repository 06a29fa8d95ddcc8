// Part 5: masks that are not square, that constant memory cannot hold, and several callers at once.

#include <gtest/gtest.h>

#include <string>

#include "common/lab/call/callers.h"
#include "labs/cuda_convolution/convolution.h"
#include "solutions/cuda_convolution/hidden_image.h"

namespace cuda_convolution::large_test {

void Large(const Problem& problem, Floats& out) {
  const auto [width, height, radius_x, radius_y] = problem.size;
  convolve_large(problem.in, problem.mask, out, width, height, radius_x, radius_y);
}

struct ConvolveLargeTest : testing::Test {
  lab::Random random;

  void Expect(const Size& size) { ExpectExactPixels(Large, WholeProblem(size, random)); }
};

TEST_F(ConvolveLargeTest, TakesMasksThatAreNotSquare) {
  for (const int radius : {0, 1, 7, 8, 15, 16, 17}) {
    Expect({45, 38, radius, 2});
    Expect({45, 38, 3, radius});
    if (HasFailure()) return;
  }
  Expect({40, 7, 33, 0});
  Expect({7, 40, 0, 33});
}

// More than 16,384 weights.
TEST_F(ConvolveLargeTest, TakesMasksThatConstantMemoryCannotHold) {
  Expect({24, 16, 64, 64});
  Expect({61, 3, 1500, 3});
  Expect({3, 61, 3, 1500});
}

// Of these masks only a few weights ever meet a pixel.
TEST_F(ConvolveLargeTest, TakesMasksMuchLargerThanTheImage) {
  Expect({1, 1, 70, 60});
  Expect({5, 3, 50, 70});
  Expect({35, 37, 40, 45});
}

TEST_F(ConvolveLargeTest, StaysWithinTheBoundForALargeMask) {
  ExpectPixels(Large, AnyProblem({37, 41, 30, 25}, random));
}

TEST_F(ConvolveLargeTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectPixels(Large, AnyProblem({37, 34, 5, 3}, random));
  });
}

}  // namespace cuda_convolution::large_test
