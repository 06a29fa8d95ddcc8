#pragma once

#include <cstddef>

#include "common/mpi/local_span.h"
#include "common/mpi/mpi.h"

// Each function is called by all ranks of MPI_COMM_WORLD at the same time, 1 to 8 of them: p ranks.
// A LocalSpan is the calling rank's own part. Spans do not overlap. Scalars are the same in all
// ranks. When a function returns, the rank's outputs are there, no request of the rank is under
// way, and every message that it sent will be received.
//
// Parts 1, 3 and 4 cut a plate into bands of whole rows, one for each rank, in the order of the
// ranks. A `band` has r + 2 rows of `columns` cells: the rank's own rows are 1 to r, r >= 1, and r
// need not be the same in each rank; columns >= 1. Rows 0 and r + 1 are the halo: the last row of
// the rank above, which is rank - 1, and the first row of the rank below.
//
// If the plate is a ring, the rank above rank 0 is rank p - 1. If not, nothing lies above rank 0 or
// below rank p - 1: there the halo is part of the border, and holds its values from the beginning.
//
// A step leaves the border as it is, to which columns 0 and columns - 1 belong, too, and gives
// every other cell the mean of its four neighbours, all of them from before the step:
//
//   next(i, j) = 0.25 * ((cell(i - 1, j) + cell(i + 1, j)) + (cell(i, j - 1) + cell(i, j + 1)))
//
// Rounding: additions of doubles in exactly this order, so that each step has one right result, bit
// by bit, whatever the number of ranks. Cells are finite, of magnitude at most 1e300.

/// Fills the halo of a band.
///
/// @param band     The own rows are set and stay as they are; the halo is set only where it is
///                 border, and stays so there.
/// @param columns  Cells of a row.
/// @param is_ring  Whether the first and the last rank are neighbours.
/// @par Complexity  Two rows sent and two received by each rank; no chain of messages that wait for
///                  each other is longer than 4.
/// @par Source      Gropp, Lusk, Skjellum, Using MPI, 3rd edition, 4.3 to 4.5.
void ExchangeRows(LocalSpan<double> band, std::size_t columns, bool is_ring);

/// How many cells a plate has in each direction.
struct PlateSize {
  std::size_t rows;
  std::size_t columns;
};

/// A grid of ranks; rows * columns = p. Rank number r * columns + c is in row r and column c of it.
struct RankGrid {
  std::size_t rows;
  std::size_t columns;
};

/// The first of the rows that belong to row number `part` of the grid, which has `parts` rows; the
/// same for columns. Begins with 0 and ends, for part == parts, with `total`.
constexpr std::size_t BeginOf(std::size_t part, std::size_t parts, std::size_t total) {
  return part * total / parts;
}

/// Fills the halo of a block, the corners included.
///
/// @param block        Of a rank in row r and column c of the grid, which has m = BeginOf(r + 1,
///                     grid.rows, size.rows) - BeginOf(r, grid.rows, size.rows) rows of its own,
///                     and as many columns n: (m + 2) rows of n + 2 cells. The own cells are rows 1
///                     to m and columns 1 to n of it, m, n >= 1; they stay as they are. The frame
///                     around them is the halo: cells of the eight neighbours, or, beyond the ends
///                     of a plate that is no torus, border, which is set and stays as it is. A cell
///                     of the border has the same value in all blocks where it lies.
/// @param size         Of the plate, without the border.
/// @param grid         Of the ranks.
/// @param is_torus     Whether the plate goes on at its other side in both directions: then there
///                     is no border, a grid with one row or column makes a rank its own neighbour,
///                     and one with two makes both neighbours one rank.
/// @par Complexity     4 messages from each rank, of a row or a column.
/// @par Source         Gropp, Lusk, Skjellum, as above, 4.7 and 4.8.
void ExchangeBlocks(LocalSpan<double> block, PlateSize size, RankGrid grid, bool is_torus);

/// One step; the own rows that need no halo are computed while the halo is under way.
///
/// @param band     As for ExchangeRows. Afterwards the halo may hold anything; the own rows are as
///                 before.
/// @param after    The r own rows after the step: r * columns cells.
/// @param columns  Cells of a row.
/// @param is_ring  As for ExchangeRows.
/// @par Complexity  As for ExchangeRows. Between the last send and the first receive that is
///                  complete, all own rows but the first and the last are written.
/// @par Source      Gropp, Lusk, Skjellum, as above, 4.9.
void OverlappedStep(LocalSpan<double> band, LocalSpan<double> after, std::size_t columns,
                    bool is_ring);

/// Steps until one of them changes little.
///
/// The change of a step is the largest |next(i, j) - cell(i, j)| of all cells of all ranks, with
/// the difference rounded to double; border changes by 0. The last step is the first one whose
/// change is at most `tolerance`, or the changes.size()-th step if none is. If changes is empty, no
/// step is made, and the own rows stay as they are.
///
/// @param band       As for ExchangeRows. Afterwards the own rows are those after the last step,
///                   and the halo may hold anything.
/// @param columns    Cells of a row.
/// @param is_ring    As for ExchangeRows.
/// @param tolerance  >= 0; infinity is allowed.
/// @param changes    How many steps may be made, 0 or more, the same in all ranks: its element k
///                   becomes the change of step number k, counted from 0, the same in all ranks.
///                   Elements of steps that are not made stay as they are.
/// @return           How many steps were made.
/// @par Complexity   A step has the messages of ExchangeRows and one all-reduce of one number.
/// @par Source       Pacheco, Malensek, An Introduction to Parallel Programming, 2nd edition, 3.4.
std::size_t Converge(LocalSpan<double> band, std::size_t columns, bool is_ring, double tolerance,
                     LocalSpan<double> changes);
