#pragma once

#include "common/mpi/local_span.h"
#include "common/mpi/mpi.h"

// Each function is called by all ranks of MPI_COMM_WORLD at the same time, with the same whole
// numbers in all: p ranks, 1 to 9 of them. A LocalSpan is the calling rank's own part of a matrix
// or vector that no rank has as a whole. A part may be empty. Spans do not overlap, and no function
// changes an input. When a function returns, the rank's part of the result is there, no request of
// the rank is under way, and every message that it sent will be received.
//
// Matrices are stored row by row. All elements are finite. Sums may be added up in any order.

/// Where a share begins: n elements are cut into `shares` shares, as equal as possible.
///
/// @param share  0 to shares; of `shares` it is n.
/// @par Precondition  n * shares is less than 2^31.
constexpr int ShareBegin(int n, int shares, int share) { return n * share / shares; }

/// Elements of that share, which may be none.
constexpr int ShareSize(int n, int shares, int share) {
  return ShareBegin(n, shares, share + 1) - ShareBegin(n, shares, share);
}

/// y = A x, where each rank has some of A's rows.
///
/// @param a        The rank's share of the rows: ShareSize(rows, p, rank) of `columns`
///                 elements.
/// @param x        The rank's share of the vector: ShareSize(columns, p, rank) elements.
/// @param y        The rank's share of the result: ShareSize(rows, p, rank) elements.
/// @param rows     Of A; 0 or more.
/// @param columns  Of A; 0 or more.
/// @par Rounding    A sum of k products is wrong by at most 2 k 2^-53 times the sum of their
///                  absolute values.
/// @par Complexity  2 rows columns / p operations in each rank, which receives (p - 1) / p of x.
/// @par Source      Grama, Gupta, Karypis, Kumar, Introduction to Parallel Computing, 2nd edition,
///                  8.1.1.
void MultiplyByRows(LocalSpan<const double> a, LocalSpan<const double> x, LocalSpan<double> y,
                    int rows, int columns);

/// y = A x, where each rank has some of A's columns.
///
/// @param a  The rank's share of the columns: `rows` rows of ShareSize(columns, p, rank) elements.
/// @param x, y, rows, columns, rounding  As for MultiplyByRows.
/// @par Complexity  2 rows columns / p operations in each rank, which sends and receives
///                  (p - 1) / p of a vector of `rows` elements.
/// @par Source      Pacheco, Malensek, An Introduction to Parallel Programming, 2nd edition, 3.4
///                  and exercise 3.5.
void MultiplyByColumns(LocalSpan<const double> a, LocalSpan<const double> x, LocalSpan<double> y,
                       int rows, int columns);

/// C = A B for square matrices, each cut into q by q blocks, of which each rank has one.
///
/// p is q * q: 1, 4 or 9. Rank i q + j has block (i, j) of each matrix: ShareSize(n, q, i) rows of
/// ShareSize(n, q, j) elements.
///
/// @param a, b  The rank's blocks.
/// @param c     The rank's block of the result.
/// @param n     Rows of each matrix, and columns; 0 or more.
/// @par Rounding    As for MultiplyByRows.
/// @par Complexity  2 n^3 / p operations in each rank, which receives at most 2 n^2 / q elements.
/// @par Source      Cannon, A Cellular Computer to Implement the Kalman Filter Algorithm, Montana
///                  State University, 1969; van de Geijn, Watts, SUMMA: Scalable Universal Matrix
///                  Multiplication Algorithm, Concurrency: Practice and Experience, 1997.
void MultiplyOnGrid(LocalSpan<const double> a, LocalSpan<const double> b, LocalSpan<double> c,
                    int n);
