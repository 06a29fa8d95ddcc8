// Reference: paired sends and receives, a derived type for columns, requests around the interior.
#include "labs/mpi_stencil/stencil.h"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace {

// Directions in which a message goes: two ranks of a ring are each other's neighbours on both
// sides.
enum Tag : int { kUp, kDown, kLeft, kRight };

struct Neighbours {
  int before;
  int behind;
};

// Of number `place` of `count` in a row, of which rank_of tells the ranks.
template <typename RankOf>
Neighbours NeighboursOf(std::size_t place, std::size_t count, bool is_ring, const RankOf& rank_of) {
  const bool is_first = place == 0 && !is_ring;
  const bool is_last = place + 1 == count && !is_ring;
  return {is_first ? MPI_PROC_NULL : rank_of((place + count - 1) % count),
          is_last ? MPI_PROC_NULL : rank_of((place + 1) % count)};
}

// Of this rank's band.
Neighbours AboveAndBelow(bool is_ring) {
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return NeighboursOf(static_cast<std::size_t>(rank), static_cast<std::size_t>(size), is_ring,
                      [](std::size_t place) { return static_cast<int>(place); });
}

struct Place {
  std::size_t row;
  std::size_t column;
};

Place PlaceIn(RankGrid grid) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const auto number = static_cast<std::size_t>(rank);
  return {number / grid.columns, number % grid.columns};
}

std::size_t SizeOf(std::size_t part, std::size_t parts, std::size_t total) {
  return BeginOf(part + 1, parts, total) - BeginOf(part, parts, total);
}

void Exchange(const double* sent, int to, double* received, int from, std::size_t count,
              MPI_Datatype type, int tag) {
  MPI_Sendrecv(sent, static_cast<int>(count), type, to, tag, received, static_cast<int>(count),
               type, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void ExchangeRow(const double* sent, int to, double* received, int from, std::size_t count,
                 int tag) {
  Exchange(sent, to, received, from, count, MPI_DOUBLE, tag);
}

void UpdateRow(const double* above, const double* row, const double* below, double* next,
               std::size_t columns) {
  next[0] = row[0];
  next[columns - 1] = row[columns - 1];
  for (std::size_t j = 1; j + 1 < columns; ++j) {
    next[j] = 0.25 * ((above[j] + below[j]) + (row[j - 1] + row[j + 1]));
  }
}

// A step of the band's rows `first` to `last`; `after` begins with row 1.
void UpdateRows(const double* band, double* after, std::size_t first, std::size_t last,
                std::size_t columns) {
  for (std::size_t i = first; i <= last; ++i) {
    const double* const row = band + i * columns;
    UpdateRow(row - columns, row, row + columns, after + (i - 1) * columns, columns);
  }
}

double LargestChange(std::span<const double> from, std::span<const double> to) {
  double change = 0;
  for (std::size_t i = 0; i < from.size(); ++i)
    change = std::max(change, std::abs(to[i] - from[i]));
  return change;
}

void FillHalo(double* band, std::size_t rows, std::size_t columns, bool is_ring) {
  const auto [above, below] = AboveAndBelow(is_ring);
  ExchangeRow(band + columns, above, band + (rows + 1) * columns, below, columns, kUp);
  ExchangeRow(band + rows * columns, below, band, above, columns, kDown);
}

}  // namespace

void ExchangeRows(LocalSpan<double> band, std::size_t columns, bool is_ring) {
  FillHalo(band.data(), band.size() / columns - 2, columns, is_ring);
}

void ExchangeBlocks(LocalSpan<double> block, PlateSize size, RankGrid grid, bool is_torus) {
  const Place place = PlaceIn(grid);
  const auto [above, below] = NeighboursOf(place.row, grid.rows, is_torus, [&](std::size_t row) {
    return static_cast<int>(row * grid.columns + place.column);
  });
  const auto [left, right] = NeighboursOf(
      place.column, grid.columns, is_torus,
      [&](std::size_t column) { return static_cast<int>(place.row * grid.columns + column); });
  const std::size_t rows = SizeOf(place.row, grid.rows, size.rows);
  const std::size_t columns = SizeOf(place.column, grid.columns, size.columns);
  const std::size_t width = columns + 2;
  const auto at = [&](std::size_t i, std::size_t j) { return block.data() + i * width + j; };
  ExchangeRow(at(1, 1), above, at(rows + 1, 1), below, columns, kUp);
  ExchangeRow(at(rows, 1), below, at(0, 1), above, columns, kDown);
  // Columns of the whole height, with the rows that have just come: so the corners arrive, too.
  MPI_Datatype column;
  MPI_Type_vector(static_cast<int>(rows + 2), 1, static_cast<int>(width), MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  Exchange(at(0, 1), left, at(0, columns + 1), right, 1, column, kLeft);
  Exchange(at(0, columns), right, at(0, 0), left, 1, column, kRight);
  MPI_Type_free(&column);
}

void OverlappedStep(LocalSpan<double> band, LocalSpan<double> after, std::size_t columns,
                    bool is_ring) {
  const std::size_t rows = band.size() / columns - 2;
  const auto [above, below] = AboveAndBelow(is_ring);
  const int count = static_cast<int>(columns);
  double* const top = band.data();
  double* const bottom = top + (rows + 1) * columns;
  MPI_Request requests[4];
  MPI_Irecv(top, count, MPI_DOUBLE, above, kDown, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(bottom, count, MPI_DOUBLE, below, kUp, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(top + columns, count, MPI_DOUBLE, above, kUp, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(bottom - columns, count, MPI_DOUBLE, below, kDown, MPI_COMM_WORLD, &requests[3]);
  UpdateRows(top, after.data(), 2, rows - 1, columns);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  UpdateRows(top, after.data(), 1, 1, columns);
  if (rows > 1) UpdateRows(top, after.data(), rows, rows, columns);
}

std::size_t Converge(LocalSpan<double> band, std::size_t columns, bool is_ring, double tolerance,
                     LocalSpan<double> changes) {
  const std::size_t rows = band.size() / columns - 2;
  std::vector<double> other(band.begin(), band.end());
  double* now = band.data();
  double* next = other.data();
  std::size_t steps = 0;
  while (steps < changes.size()) {
    FillHalo(now, rows, columns, is_ring);
    UpdateRows(now, next + columns, 1, rows, columns);
    const std::size_t own = rows * columns;
    const double change = LargestChange({now + columns, own}, {next + columns, own});
    MPI_Allreduce(&change, &changes[steps], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    std::swap(now, next);
    if (changes[steps++] <= tolerance) break;
  }
  if (now != band.data()) std::copy(other.begin(), other.end(), band.begin());
  return steps;
}
