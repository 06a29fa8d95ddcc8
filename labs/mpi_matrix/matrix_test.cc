#include "labs/mpi_matrix/matrix.h"

#include <gtest/gtest.h>

#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "labs/mpi_matrix/whole.h"

namespace {

using whole::Cut;
using whole::Gathered;
using whole::Matrix;
using whole::Parts;
using whole::Scattered;
using whole::Unwritten;

const lab::Function<decltype(MultiplyByRows)> multiply_by_rows{"MultiplyByRows"};
const lab::Function<decltype(MultiplyByColumns)> multiply_by_columns{"MultiplyByColumns"};
const lab::Function<decltype(MultiplyOnGrid)> multiply_on_grid{"MultiplyOnGrid"};

// Whole numbers, so that no sum is rounded.
Matrix Numbered(int rows, int columns, int first) {
  Matrix matrix{rows, columns, {}};
  for (int i = 0; i < rows * columns; ++i) matrix.elements.push_back(first + i % 17);
  return matrix;
}

// y = A x by p ranks, each with the part of A that `cut` gives it.
template <typename Multiply>
void CheckVector(const Multiply& multiply, int rows, int columns, int p, const Cut& cut) {
  SCOPED_TRACE(testing::Message() << p << " ranks, " << rows << " rows, " << columns << " columns");
  const Matrix a = Numbered(rows, columns, 1);
  const Matrix x = Numbered(columns, 1, 3);
  Parts y = Unwritten(rows, 1, {p, 1});
  multiply(Scattered(a, cut), Scattered(x, {p, 1}), y, rows, columns);
  lab::ExpectAllEqual(Gathered(y, rows, 1, {p, 1}).elements, Product(a, x).elements);
}

void CheckByRows(int rows, int columns, int p) {
  CheckVector(multiply_by_rows, rows, columns, p, {p, 1});
}

void CheckByColumns(int rows, int columns, int p) {
  CheckVector(multiply_by_columns, rows, columns, p, {1, p});
}

void CheckOnGrid(int n, int q) {
  SCOPED_TRACE(testing::Message() << q * q << " ranks, n = " << n);
  const Cut cut{q, q};
  const Matrix a = Numbered(n, n, 1);
  const Matrix b = Numbered(n, n, 5);
  Parts c = Unwritten(n, n, cut);
  multiply_on_grid(Scattered(a, cut), Scattered(b, cut), c, n);
  lab::ExpectAllEqual(Gathered(c, n, n, cut).elements, Product(a, b).elements);
}

TEST(MultiplyByRowsTest, NeedsNoMessageInOneRank) { CheckByRows(3, 4, 1); }

TEST(MultiplyByRowsTest, CollectsTheSharesOfTheVector) { CheckByRows(4, 8, 4); }

TEST(MultiplyByRowsTest, CutsWhatTheRanksDoNotDivide) { CheckByRows(10, 7, 4); }

TEST(MultiplyByColumnsTest, NeedsNoMessageInOneRank) { CheckByColumns(3, 4, 1); }

TEST(MultiplyByColumnsTest, AddsUpTheSumsOfAllRanks) { CheckByColumns(8, 4, 4); }

TEST(MultiplyByColumnsTest, CutsWhatTheRanksDoNotDivide) { CheckByColumns(10, 7, 4); }

TEST(MultiplyOnGridTest, NeedsNoMessageInOneRank) { CheckOnGrid(3, 1); }

TEST(MultiplyOnGridTest, MultipliesBlocksOfEqualSize) {
  CheckOnGrid(4, 2);
  CheckOnGrid(6, 3);
}

TEST(MultiplyOnGridTest, MultipliesBlocksOfDifferentSizes) {
  CheckOnGrid(5, 2);
  CheckOnGrid(8, 3);
}

}  // namespace
