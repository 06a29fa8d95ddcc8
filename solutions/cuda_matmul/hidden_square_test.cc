// Part 2: square matrices that tiles of 16 and 32 cover.

#include <gtest/gtest.h>

#include "common/lab/call/callers.h"
#include "common/lab/testing/with_failing_calls.h"
#include "solutions/cuda_matmul/hidden_cases.h"

namespace cuda_matmul::square_test {

struct MatMulTiledSquareTest : testing::Test {
  Multiply multiply = [](const Problem& problem, Floats& c) {
    mat_mul_tiled_square(problem.a, problem.b, c, problem.shape.n);
  };
  lab::Random random;
};

constexpr Shape Square(int width) { return {width, width, width}; }

TEST_F(MatMulTiledSquareTest, MultipliesOneTileOf32) {
  ExpectProduct(multiply, AnyProblem(Square(32), random));
}

TEST_F(MatMulTiledSquareTest, MultipliesEveryNumberOfTiles) {
  ExpectEach(multiply, {Square(64), Square(96), Square(128), Square(160), Square(224)}, random);
}

TEST_F(MatMulTiledSquareTest, DoesNothingForEmptyMatrices) {
  ExpectProduct(multiply, AnyProblem(Square(0), random));
}

TEST_F(MatMulTiledSquareTest, IsExactForWholeNumbers) {
  ExpectExactProduct(multiply, WholeProblem(Square(96), random));
}

TEST_F(MatMulTiledSquareTest, GivesTheSecondMatrixIfTheFirstIsTheIdentity) {
  Problem problem = WholeProblem(Square(64), random);
  problem.a.assign(problem.a.size(), 0);
  for (int i = 0; i < 64; ++i) problem.a[i * 64 + i] = 1;
  ExpectExactProduct(multiply, problem);
}

TEST_F(MatMulTiledSquareTest, StaysWithinTheBoundForNumbersOfManySizes) {
  const Shape shape = Square(64);
  ExpectProduct(multiply, {shape, NumbersOfManySizes(shape.OfA(), random),
                           NumbersOfManySizes(shape.OfB(), random)});
}

TEST_F(MatMulTiledSquareTest, KeepsInfinitiesAndNanInTheirRowsAndColumns) {
  Problem problem = AnyProblem(Square(64), random);
  problem.a[5 * 64 + 63] = std::numeric_limits<float>::infinity();
  problem.b[17 * 64 + 7] = std::numeric_limits<float>::quiet_NaN();
  ExpectProduct(multiply, problem);
}

TEST_F(MatMulTiledSquareTest, MultipliesAMatrixWithItself) {
  Problem problem = AnyProblem(Square(96), random);
  problem.b = problem.a;
  Floats c = lab::Poisoned<float>(problem.a.size());
  mat_mul_tiled_square(problem.a, problem.a, c, 96);
  ExpectNear(c, ExpectedOf(problem));
}

TEST_F(MatMulTiledSquareTest, KeepsNothingFromOneCallToTheNext) {
  for (std::size_t call = 0; call < lab::Scaled(15) && !HasFailure(); ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    ExpectProduct(multiply, AnyProblem(Square(32 * random.UniformInt(0, 4)), random));
  }
}

TEST_F(MatMulTiledSquareTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    ExpectProduct(multiply, AnyProblem(Square(32), random));
  });
}

TEST_F(MatMulTiledSquareTest, MultipliesALargeProblem) {
  ExpectProduct(multiply, AnyProblem(Square(32 * static_cast<int>(lab::Scaled(11))), random));
}

TEST_F(MatMulTiledSquareTest, ThrowsWhenARuntimeCallFails) {
  ExpectProduct(lab::WithFailingCalls(multiply), AnyProblem(Square(64), random));
}

}  // namespace cuda_matmul::square_test
