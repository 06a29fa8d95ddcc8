#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "labs/mpi_matrix/matrix.h"
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

constexpr int kMaxRanks = 9;

using Draw = std::function<double()>;

// Products of these and their sums are exact in every order.
Draw WholeNumbers(lab::Random& random) {
  return [&random] { return static_cast<double>(random.UniformInt(-1'000'000, 1'000'000)); };
}

// Of either sign and many magnitudes, so that terms cancel.
Draw RealNumbers(lab::Random& random) {
  return [&random] { return std::ldexp(random.UniformDouble(-1, 1), random.UniformInt(-30, 30)); };
}

Matrix Drawn(int rows, int columns, const Draw& draw) {
  Matrix matrix{rows, columns, {}};
  for (int i = 0; i < rows * columns; ++i) matrix.elements.push_back(draw());
  return matrix;
}

Matrix Absolute(Matrix matrix) {
  for (double& element : matrix.elements) element = std::abs(element);
  return matrix;
}

// A sum of k products, in any order, with fused operations or without, is wrong by at most
// k u / (1 - k u) times the sum of the absolute values of the products, with u = 2^-53 (Higham,
// Accuracy and Stability of Numerical Algorithms, 3.1). So are the sums with which it is compared.
void ExpectProduct(const Matrix& got, const Matrix& a, const Matrix& b) {
  std::vector<double> tolerances = Product(Absolute(a), Absolute(b)).elements;
  for (double& tolerance : tolerances) tolerance *= (a.columns + 1) * DBL_EPSILON;
  lab::ExpectAllNear(got.elements, Product(a, b).elements, std::span<const double>(tolerances));
}

// y = A x by cut.Ranks() ranks, each with the part of A that `cut` gives it.
template <typename Multiply>
void CheckVector(const Multiply& multiply, const Cut& cut, const Matrix& a, const Matrix& x) {
  const Cut shares{cut.Ranks(), 1};
  SCOPED_TRACE(testing::Message() << cut.Ranks() << " ranks, " << a.rows << " rows, " << a.columns
                                  << " columns");
  Parts y = Unwritten(a.rows, 1, shares);
  multiply(Scattered(a, cut), Scattered(x, shares), y, a.rows, a.columns);
  ExpectProduct(Gathered(y, a.rows, 1, shares), a, x);
}

using CheckSize = std::function<void(int p, int rows, int columns, const Draw& draw)>;

void CheckByRows(int p, int rows, int columns, const Draw& draw) {
  CheckVector(multiply_by_rows, {p, 1}, Drawn(rows, columns, draw), Drawn(columns, 1, draw));
}

void CheckByColumns(int p, int rows, int columns, const Draw& draw) {
  CheckVector(multiply_by_columns, {1, p}, Drawn(rows, columns, draw), Drawn(columns, 1, draw));
}

void CheckOnGrid(int q, int n, const Draw& draw) {
  const Cut cut{q, q};
  SCOPED_TRACE(testing::Message() << cut.Ranks() << " ranks, n = " << n);
  const Matrix a = Drawn(n, n, draw);
  const Matrix b = Drawn(n, n, draw);
  Parts c = Unwritten(n, n, cut);
  multiply_on_grid(Scattered(a, cut), Scattered(b, cut), c, n);
  ExpectProduct(Gathered(c, n, n, cut), a, b);
}

void ForAnyRanks(const CheckSize& check) {
  lab::Random random;
  const Draw draw = WholeNumbers(random);
  for (int p = 1; p <= kMaxRanks; ++p) {
    check(p, 3 * p, 2 * p, draw);
    check(p, random.UniformInt(1, 40), random.UniformInt(1, 40), draw);
  }
}

void ForFewElements(const CheckSize& check) {
  lab::Random random;
  const Draw draw = WholeNumbers(random);
  for (const int p : {1, 4, 9}) {
    check(p, 0, 3, draw);
    check(p, 3, 0, draw);
    check(p, 1, 1, draw);
    check(p, 2, 20, draw);
    check(p, 20, 2, draw);
  }
}

void ForRealNumbers(const CheckSize& check) {
  lab::Random random;
  check(6, 50, 70, RealNumbers(random));
}

void ForLongMessages(const CheckSize& check, int rows, int columns) {
  lab::Random random;
  check(5, rows, columns, WholeNumbers(random));
}

TEST(MultiplyByRowsTest, GivesEachRankItsShareForAnyNumberOfRanks) { ForAnyRanks(CheckByRows); }

TEST(MultiplyByRowsTest, CutsFewerElementsThanRanks) { ForFewElements(CheckByRows); }

TEST(MultiplyByRowsTest, AddsUpRealNumbers) { ForRealNumbers(CheckByRows); }

TEST(MultiplyByRowsTest, CollectsALongVector) { ForLongMessages(CheckByRows, 6, 50'003); }

TEST(MultiplyByColumnsTest, GivesEachRankItsShareForAnyNumberOfRanks) {
  ForAnyRanks(CheckByColumns);
}

TEST(MultiplyByColumnsTest, CutsFewerElementsThanRanks) { ForFewElements(CheckByColumns); }

TEST(MultiplyByColumnsTest, AddsUpRealNumbers) { ForRealNumbers(CheckByColumns); }

TEST(MultiplyByColumnsTest, SendsALongVector) { ForLongMessages(CheckByColumns, 50'003, 6); }

TEST(MultiplyOnGridTest, MultipliesBlocksOfEqualSize) {
  lab::Random random;
  for (int q = 1; q <= 3; ++q) CheckOnGrid(q, 4 * q, WholeNumbers(random));
}

TEST(MultiplyOnGridTest, MultipliesBlocksOfDifferentSizes) {
  lab::Random random;
  for (const int q : {2, 3}) {
    for (int n = 0; n <= 8; ++n) CheckOnGrid(q, n, WholeNumbers(random));
    CheckOnGrid(q, random.UniformInt(9, 40), WholeNumbers(random));
  }
}

TEST(MultiplyOnGridTest, AddsUpRealNumbers) {
  lab::Random random;
  CheckOnGrid(3, 50, RealNumbers(random));
}

TEST(MultiplyOnGridTest, SendsLargeBlocks) {
  lab::Random random;
  CheckOnGrid(3, 200, WholeNumbers(random));
}

// What is counted.

TEST(MultiplyByRowsCounted, MultipliesInEightRanks) {
  lab::Random random;
  CheckByRows(8, 240, 240, WholeNumbers(random));
}

TEST(MultiplyByColumnsCounted, MultipliesInEightRanks) {
  lab::Random random;
  CheckByColumns(8, 240, 240, WholeNumbers(random));
}

TEST(MultiplyOnGridCounted, MultipliesInNineRanks) {
  lab::Random random;
  CheckOnGrid(3, 90, WholeNumbers(random));
}

}  // namespace
