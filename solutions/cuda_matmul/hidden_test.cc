// The hidden test of the lab "Matrix multiplication on a GPU": the parts for matrices of any size.
//
// Elements may differ from the exact sums by what rounding in any order allows (hidden_product.h).

#include <gtest/gtest.h>

#include "common/lab/testing/with_failing_calls.h"
#include "solutions/cuda_matmul/hidden_cases.h"

namespace cuda_matmul {
namespace {

struct Part {
  Multiply multiply;
  int longest;  // rows or columns of a matrix
};

// All parts have the same contract.
struct ProductTest : testing::TestWithParam<Part> {
  const Multiply& multiply = GetParam().multiply;
  const int longest = GetParam().longest;
  lab::Random random;
};

TEST_P(ProductTest, MultipliesTwoByThreeWithThreeByFour) { ExpectSmallProduct(multiply); }

TEST_P(ProductTest, MultipliesSquaresAtTheEdgesOfTiles) { ExpectSquares(multiply, random); }

TEST_P(ProductTest, MultipliesRectanglesAtTheEdgesOfTiles) { ExpectRectangles(multiply, random); }

TEST_P(ProductTest, MultipliesWidthsThatFourDividesAndThatItDoesNot) {
  ExpectVectorWidths(multiply, random);
}

TEST_P(ProductTest, MultipliesVectorsAndNumbers) { ExpectVectorsAndNumbers(multiply, random); }

TEST_P(ProductTest, DoesNothingForEmptyMatrices) {
  ExpectNothingForEmptyMatrices(multiply, random);
}

TEST_P(ProductTest, GivesZerosWithoutProducts) { ExpectZerosWithoutProducts(multiply, random); }

TEST_P(ProductTest, IsExactForWholeNumbers) { ExpectExactWholeNumbers(multiply, random); }

TEST_P(ProductTest, PicksRowsBitByBit) { ExpectRowsPicked(multiply, random); }

TEST_P(ProductTest, AddsEqualProducts) { ExpectAllEqualElements(multiply); }

TEST_P(ProductTest, StaysWithinTheBoundForNumbersOfManySizes) {
  ExpectNumbersOfManySizes(multiply, random);
}

TEST_P(ProductTest, StaysWithinTheBoundWhereProductsCancel) {
  ExpectCancelledSums(multiply, random);
}

TEST_P(ProductTest, KeepsInfinitiesAndNanInTheirRowsAndColumns) {
  ExpectSpecialValuesStayInTheirRowsAndColumns(multiply, random);
}

TEST_P(ProductTest, KeepsNothingFromOneCallToTheNext) { ExpectIndependentCalls(multiply, random); }

TEST_P(ProductTest, ServesSeveralCallersOnStreamsOfTheirOwn) { ExpectServed(multiply, random); }

TEST_P(ProductTest, MultipliesLongMatrices) { ExpectLongMatrices(multiply, random, longest); }

TEST_P(ProductTest, MultipliesALargeProblem) { ExpectLargeProduct(multiply, random); }

TEST_P(ProductTest, ThrowsWhenARuntimeCallFails) {
  ExpectSmallProduct(lab::WithFailingCalls(multiply));
}

INSTANTIATE_TEST_SUITE_P(MatMulTest, ProductTest, testing::Values(Part{With(mat_mul), 500'000}));
INSTANTIATE_TEST_SUITE_P(MatMulTiledTest, ProductTest,
                         testing::Values(Part{With(mat_mul_tiled), 100'000}));
INSTANTIATE_TEST_SUITE_P(MatMulRegisterTiledTest, ProductTest,
                         testing::Values(Part{With(mat_mul_register_tiled), 30'000}));

}  // namespace
}  // namespace cuda_matmul
