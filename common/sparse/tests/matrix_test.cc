#include "common/sparse/matrix.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace {

using sparse::CooMatrix;
using sparse::CsrMatrix;

// Row 1 is empty, (2, 0) stands twice.
const CooMatrix kCoo{3, 4, {2, 0, 2, 2}, {0, 3, 1, 0}, {1, 2, 3, 4}};
const CsrMatrix kCsr{3, 4, {0, 1, 1, 4}, {3, 0, 1, 0}, {2, 1, 3, 4}};

// What Validate says of `matrix`.
template <typename Matrix>
std::string Complaint(const Matrix& matrix) {
  try {
    Validate(matrix);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(MatrixTest, ConvertsCoordinatesToRowsThatKeepTheirOrder) {
  EXPECT_EQ(sparse::ToCsr(kCoo), kCsr);
}

TEST(MatrixTest, ConvertsRowsToCoordinatesRowByRow) {
  EXPECT_EQ(sparse::ToCoo(kCsr), (CooMatrix{3, 4, {0, 2, 2, 2}, {3, 0, 1, 0}, {2, 1, 3, 4}}));
}

TEST(MatrixTest, ConvertsMatricesOfNothing) {
  EXPECT_EQ(sparse::ToCsr(CooMatrix{}), CsrMatrix{});
  EXPECT_EQ(sparse::ToCoo(CsrMatrix{}), CooMatrix{});
  EXPECT_EQ(sparse::ToCsr(CooMatrix{2, 0, {}, {}, {}}), (CsrMatrix{2, 0, {0, 0, 0}, {}, {}}));
}

TEST(MatrixTest, ConvertsPatternsWithoutValues) {
  const CsrMatrix pattern = sparse::ToCsr(CooMatrix{2, 2, {1, 0}, {0, 1}, {}});
  EXPECT_EQ(pattern, (CsrMatrix{2, 2, {0, 1, 2}, {1, 0}, {}}));
  EXPECT_EQ(pattern.Value(1), 1);
}

TEST(MatrixTest, GivesRowsAndTheirLengths) {
  EXPECT_EQ(kCsr.Length(1), 0u);
  EXPECT_EQ(kCsr.Length(2), 3u);
  const auto row = kCsr.Row(2);
  EXPECT_EQ(std::vector<std::uint32_t>(row.begin(), row.end()),
            (std::vector<std::uint32_t>{0, 1, 0}));
}

TEST(MatrixTest, TransposesTwiceToTheSameMatrix) {
  const CsrMatrix transposed = sparse::Transposed(kCsr);
  EXPECT_EQ(transposed, (CsrMatrix{4, 3, {0, 2, 3, 3, 4}, {2, 2, 2, 0}, {1, 4, 3, 2}}));
  EXPECT_EQ(sparse::Canonical(sparse::Transposed(transposed)), sparse::Canonical(kCsr));
}

TEST(MatrixTest, AddsUpEqualPlacesInTheCanonicalForm) {
  EXPECT_EQ(sparse::Canonical(kCsr), (CsrMatrix{3, 4, {0, 1, 1, 3}, {3, 0, 1}, {2, 5, 3}}));
  EXPECT_EQ(sparse::Canonical(CsrMatrix{2, 2, {0, 3, 4}, {1, 0, 1, 1}, {}}),
            (CsrMatrix{2, 2, {0, 2, 3}, {0, 1, 1}, {}}));
}

TEST(MatrixTest, MirrorsAllButTheDiagonal) {
  const CooMatrix matrix{2, 2, {0, 0}, {0, 1}, {5, 6}};
  EXPECT_EQ(sparse::WithMirrorImages(matrix), (CooMatrix{2, 2, {0, 0, 1}, {0, 1, 0}, {5, 6, 6}}));
}

TEST(MatrixTest, MirrorsNoMatrixThatIsNotSquare) {
  EXPECT_THROW(sparse::WithMirrorImages(kCoo), std::invalid_argument);
}

TEST(ValidateTest, AcceptsGoodMatrices) {
  EXPECT_EQ(Complaint(kCoo) + Complaint(kCsr) + Complaint(CooMatrix{}) + Complaint(CsrMatrix{}),
            "");
}

TEST(ValidateTest, NamesTheFirstWrongIndexOfCoordinates) {
  EXPECT_EQ(Complaint(CooMatrix{3, 4, {0, 3, 9}, {0, 0, 0}, {}}),
            "error: row of entry 1: 3, limit less than 3\n  next: count from 0");
  EXPECT_EQ(Complaint(CooMatrix{3, 4, {0, 1}, {3, 4}, {}}),
            "error: column of entry 1: 4, limit less than 4\n  next: count from 0");
}

TEST(ValidateTest, NamesArraysOfDifferentLength) {
  EXPECT_EQ(Complaint(CooMatrix{3, 4, {0, 1}, {3}, {}}),
            "error: column indices of a sparse matrix: 1, limit 2, one for row index\n"
            "  next: give each row index");
  EXPECT_NE(Complaint(CooMatrix{3, 4, {0, 1}, {3, 3}, {1}}), "");
  EXPECT_NE(Complaint(CsrMatrix{1, 4, {0, 2}, {3, 3}, {1}}), "");
}

TEST(ValidateTest, NamesWrongRowPointers) {
  EXPECT_EQ(Complaint(CsrMatrix{2, 2, {0, 1}, {0}, {}}),
            "error: row pointers of a sparse matrix: 2, limit 3, rows + 1\n"
            "  next: end the last row, too");
  EXPECT_EQ(Complaint(CsrMatrix{1, 2, {1, 1}, {0}, {}}),
            "error: first row pointer: 1, limit 0\n  next: begin with 0");
  EXPECT_EQ(Complaint(CsrMatrix{2, 2, {0, 2, 1}, {0}, {}}),
            "error: row pointer 2: 1, limit at least 2\n"
            "  next: begin no row before the one above it ends");
  EXPECT_EQ(Complaint(CsrMatrix{1, 2, {0, 1}, {0, 1}, {}}),
            "error: last row pointer: 1, limit 2, all entries\n"
            "  next: end the last row with the last entry");
}

TEST(ValidateTest, NamesColumnsThatDoNotExist) {
  EXPECT_EQ(Complaint(CsrMatrix{1, 2, {0, 2}, {0, 2}, {}}),
            "error: column of entry 1: 2, limit less than 2\n  next: count from 0");
}

TEST(ValidateTest, RefusesIndicesThatAnIntDoesNotHold) {
  EXPECT_EQ(Complaint(CooMatrix{std::size_t{1} << 31, 1, {}, {}, {}}),
            "error: rows of a sparse matrix: 2147483648, limit 2147483647\n"
            "  next: use a part of the matrix");
}

TEST(ValidateTest, IsAskedByEachConversion) {
  const CooMatrix coo{1, 1, {1}, {0}, {}};
  const CsrMatrix csr{1, 1, {0, 1}, {1}, {}};
  EXPECT_THROW(sparse::ToCsr(coo), std::invalid_argument);
  EXPECT_THROW(sparse::WithMirrorImages(coo), std::invalid_argument);
  EXPECT_THROW(sparse::ToCoo(csr), std::invalid_argument);
  EXPECT_THROW(sparse::Transposed(csr), std::invalid_argument);
  EXPECT_THROW(sparse::Canonical(csr), std::invalid_argument);
}

}  // namespace
