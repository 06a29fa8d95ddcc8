#pragma once

// Whole matrices, for tests: how they are cut into the parts of ranks, and put together again.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "common/lab/testing/poison.h"
#include "labs/mpi_matrix/matrix.h"

namespace whole {

// One for each rank.
using Parts = std::vector<std::vector<double>>;

// Stored row by row. A vector is a matrix of one column.
struct Matrix {
  int rows;
  int columns;
  std::vector<double> elements;
};

// How many ranks share the rows and how many the columns: rank i * of_columns + j has share i of
// the rows and share j of the columns.
struct Cut {
  int of_rows;
  int of_columns;

  int Ranks() const { return of_rows * of_columns; }
};

// Calls visit(rank, index) for each element of the matrix that a rank has, in the rank's order.
template <typename Visit>
void ForEach(const Matrix& matrix, const Cut& cut, const Visit& visit) {
  for (int rank = 0; rank < cut.Ranks(); ++rank) {
    const int row_share = rank / cut.of_columns;
    const int column_share = rank % cut.of_columns;
    for (int i = ShareBegin(matrix.rows, cut.of_rows, row_share);
         i < ShareBegin(matrix.rows, cut.of_rows, row_share + 1); ++i) {
      for (int j = ShareBegin(matrix.columns, cut.of_columns, column_share);
           j < ShareBegin(matrix.columns, cut.of_columns, column_share + 1); ++j) {
        visit(static_cast<std::size_t>(rank), static_cast<std::size_t>(i * matrix.columns + j));
      }
    }
  }
}

inline Parts Scattered(const Matrix& matrix, const Cut& cut) {
  Parts parts(static_cast<std::size_t>(cut.Ranks()));
  ForEach(matrix, cut, [&](std::size_t rank, std::size_t index) {
    parts[rank].push_back(matrix.elements[index]);
  });
  return parts;
}

// Parts in which nothing is written yet.
inline Parts Unwritten(int rows, int columns, const Cut& cut) {
  const auto size = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  return Scattered({rows, columns, lab::Poisoned<double>(size)}, cut);
}

inline Matrix Gathered(const Parts& parts, int rows, int columns, const Cut& cut) {
  Matrix matrix{rows, columns, {}};
  matrix.elements.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  std::vector<std::size_t> next(parts.size());
  ForEach(matrix, cut, [&](std::size_t rank, std::size_t index) {
    matrix.elements[index] = parts[rank][next[rank]++];
  });
  return matrix;
}

inline Matrix Product(const Matrix& a, const Matrix& b) {
  Matrix c{a.rows, b.columns, {}};
  for (int i = 0; i < c.rows; ++i) {
    for (int j = 0; j < c.columns; ++j) {
      double sum = 0;
      for (int k = 0; k < a.columns; ++k) {
        sum += a.elements[static_cast<std::size_t>(i * a.columns + k)] *
               b.elements[static_cast<std::size_t>(k * b.columns + j)];
      }
      c.elements.push_back(sum);
    }
  }
  return c;
}

}  // namespace whole
