// The hidden test of the lab "Matrix multiplication on a GPU": the parts for matrices of any size.
//
// Elements may differ from the exact sums by what rounding in any order allows (hidden_product.h).

#include <gtest/gtest.h>

#include "common/lab/function.h"
#include "common/lab/with_failing_calls.h"
#include "labs/cuda_matmul/matmul.h"
#include "solutions/cuda_matmul/hidden_cases.h"

namespace cuda_matmul {
namespace {

const lab::Function<decltype(MatMul)> mat_mul{"MatMul"};
const lab::Function<decltype(MatMulTiled)> mat_mul_tiled{"MatMulTiled"};
const lab::Function<decltype(MatMulRegisterTiled)> mat_mul_register_tiled{"MatMulRegisterTiled"};

template <typename F>
Multiply With(const F& function) {
  return [&function](const Problem& problem, Floats& c) {
    const auto [m, k, n] = problem.shape;
    function(problem.a, problem.b, c, m, k, n);
  };
}

// A part's tests have a fixture that holds its function and numbers of its own.
struct MatMulTest : testing::Test {
  Multiply multiply = With(mat_mul);
  lab::Random random;
};

struct MatMulTiledTest : testing::Test {
  Multiply multiply = With(mat_mul_tiled);
  lab::Random random;
};

struct MatMulRegisterTiledTest : testing::Test {
  Multiply multiply = With(mat_mul_register_tiled);
  lab::Random random;
};

TEST_F(MatMulTest, MultipliesTwoByThreeWithThreeByFour) { ExpectSmallProduct(multiply); }

TEST_F(MatMulTest, MultipliesSquaresAtTheEdgesOfTiles) { ExpectSquares(multiply, random); }

TEST_F(MatMulTest, MultipliesRectanglesAtTheEdgesOfTiles) { ExpectRectangles(multiply, random); }

TEST_F(MatMulTest, MultipliesWidthsThatFourDividesAndThatItDoesNot) {
  ExpectVectorWidths(multiply, random);
}

TEST_F(MatMulTest, MultipliesVectorsAndNumbers) { ExpectVectorsAndNumbers(multiply, random); }

TEST_F(MatMulTest, DoesNothingForEmptyMatrices) { ExpectNothingForEmptyMatrices(multiply, random); }

TEST_F(MatMulTest, GivesZerosWithoutProducts) { ExpectZerosWithoutProducts(multiply, random); }

TEST_F(MatMulTest, IsExactForWholeNumbers) { ExpectExactWholeNumbers(multiply, random); }

TEST_F(MatMulTest, PicksRowsBitByBit) { ExpectRowsPicked(multiply, random); }

TEST_F(MatMulTest, AddsEqualProducts) { ExpectAllEqualElements(multiply); }

TEST_F(MatMulTest, StaysWithinTheBoundForNumbersOfManySizes) {
  ExpectNumbersOfManySizes(multiply, random);
}

TEST_F(MatMulTest, StaysWithinTheBoundWhereProductsCancel) {
  ExpectCancelledSums(multiply, random);
}

TEST_F(MatMulTest, KeepsInfinitiesAndNanInTheirRowsAndColumns) {
  ExpectSpecialValuesStayInTheirRowsAndColumns(multiply, random);
}

TEST_F(MatMulTest, KeepsNothingFromOneCallToTheNext) { ExpectIndependentCalls(multiply, random); }

TEST_F(MatMulTest, ServesSeveralCallersOnStreamsOfTheirOwn) { ExpectServed(multiply, random); }

TEST_F(MatMulTest, MultipliesLongMatrices) { ExpectLongMatrices(multiply, random, 500'000); }

TEST_F(MatMulTest, MultipliesALargeProblem) { ExpectLargeProduct(multiply, random); }

TEST_F(MatMulTest, ThrowsWhenARuntimeCallFails) {
  ExpectSmallProduct(lab::WithFailingCalls(multiply));
}

TEST_F(MatMulTiledTest, MultipliesTwoByThreeWithThreeByFour) { ExpectSmallProduct(multiply); }

TEST_F(MatMulTiledTest, MultipliesSquaresAtTheEdgesOfTiles) { ExpectSquares(multiply, random); }

TEST_F(MatMulTiledTest, MultipliesRectanglesAtTheEdgesOfTiles) {
  ExpectRectangles(multiply, random);
}

TEST_F(MatMulTiledTest, MultipliesWidthsThatFourDividesAndThatItDoesNot) {
  ExpectVectorWidths(multiply, random);
}

TEST_F(MatMulTiledTest, MultipliesVectorsAndNumbers) { ExpectVectorsAndNumbers(multiply, random); }

TEST_F(MatMulTiledTest, DoesNothingForEmptyMatrices) {
  ExpectNothingForEmptyMatrices(multiply, random);
}

TEST_F(MatMulTiledTest, GivesZerosWithoutProducts) { ExpectZerosWithoutProducts(multiply, random); }

TEST_F(MatMulTiledTest, IsExactForWholeNumbers) { ExpectExactWholeNumbers(multiply, random); }

TEST_F(MatMulTiledTest, PicksRowsBitByBit) { ExpectRowsPicked(multiply, random); }

TEST_F(MatMulTiledTest, AddsEqualProducts) { ExpectAllEqualElements(multiply); }

TEST_F(MatMulTiledTest, StaysWithinTheBoundForNumbersOfManySizes) {
  ExpectNumbersOfManySizes(multiply, random);
}

TEST_F(MatMulTiledTest, StaysWithinTheBoundWhereProductsCancel) {
  ExpectCancelledSums(multiply, random);
}

TEST_F(MatMulTiledTest, KeepsInfinitiesAndNanInTheirRowsAndColumns) {
  ExpectSpecialValuesStayInTheirRowsAndColumns(multiply, random);
}

TEST_F(MatMulTiledTest, KeepsNothingFromOneCallToTheNext) {
  ExpectIndependentCalls(multiply, random);
}

TEST_F(MatMulTiledTest, ServesSeveralCallersOnStreamsOfTheirOwn) { ExpectServed(multiply, random); }

TEST_F(MatMulTiledTest, MultipliesLongMatrices) { ExpectLongMatrices(multiply, random, 150'000); }

TEST_F(MatMulTiledTest, MultipliesALargeProblem) { ExpectLargeProduct(multiply, random); }

TEST_F(MatMulTiledTest, ThrowsWhenARuntimeCallFails) {
  ExpectSmallProduct(lab::WithFailingCalls(multiply));
}

TEST_F(MatMulRegisterTiledTest, MultipliesTwoByThreeWithThreeByFour) {
  ExpectSmallProduct(multiply);
}

TEST_F(MatMulRegisterTiledTest, MultipliesSquaresAtTheEdgesOfTiles) {
  ExpectSquares(multiply, random);
}

TEST_F(MatMulRegisterTiledTest, MultipliesRectanglesAtTheEdgesOfTiles) {
  ExpectRectangles(multiply, random);
}

TEST_F(MatMulRegisterTiledTest, MultipliesWidthsThatFourDividesAndThatItDoesNot) {
  ExpectVectorWidths(multiply, random);
}

TEST_F(MatMulRegisterTiledTest, MultipliesVectorsAndNumbers) {
  ExpectVectorsAndNumbers(multiply, random);
}

TEST_F(MatMulRegisterTiledTest, DoesNothingForEmptyMatrices) {
  ExpectNothingForEmptyMatrices(multiply, random);
}

TEST_F(MatMulRegisterTiledTest, GivesZerosWithoutProducts) {
  ExpectZerosWithoutProducts(multiply, random);
}

TEST_F(MatMulRegisterTiledTest, IsExactForWholeNumbers) {
  ExpectExactWholeNumbers(multiply, random);
}

TEST_F(MatMulRegisterTiledTest, PicksRowsBitByBit) { ExpectRowsPicked(multiply, random); }

TEST_F(MatMulRegisterTiledTest, AddsEqualProducts) { ExpectAllEqualElements(multiply); }

TEST_F(MatMulRegisterTiledTest, StaysWithinTheBoundForNumbersOfManySizes) {
  ExpectNumbersOfManySizes(multiply, random);
}

TEST_F(MatMulRegisterTiledTest, StaysWithinTheBoundWhereProductsCancel) {
  ExpectCancelledSums(multiply, random);
}

TEST_F(MatMulRegisterTiledTest, KeepsInfinitiesAndNanInTheirRowsAndColumns) {
  ExpectSpecialValuesStayInTheirRowsAndColumns(multiply, random);
}

TEST_F(MatMulRegisterTiledTest, KeepsNothingFromOneCallToTheNext) {
  ExpectIndependentCalls(multiply, random);
}

TEST_F(MatMulRegisterTiledTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  ExpectServed(multiply, random);
}

TEST_F(MatMulRegisterTiledTest, MultipliesLongMatrices) {
  ExpectLongMatrices(multiply, random, 100'000);
}

TEST_F(MatMulRegisterTiledTest, MultipliesALargeProblem) { ExpectLargeProduct(multiply, random); }

TEST_F(MatMulRegisterTiledTest, ThrowsWhenARuntimeCallFails) {
  ExpectSmallProduct(lab::WithFailingCalls(multiply));
}

}  // namespace
}  // namespace cuda_matmul
