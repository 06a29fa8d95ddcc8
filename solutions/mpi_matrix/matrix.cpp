// Reference: an allgather, a reduce-scatter, and Cannon's algorithm.
#include "labs/mpi_matrix/matrix.h"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace {

constexpr int kTag = 0;

int RankIn(MPI_Comm communicator) {
  int rank;
  MPI_Comm_rank(communicator, &rank);
  return rank;
}

int SizeOf(MPI_Comm communicator) {
  int size;
  MPI_Comm_size(communicator, &size);
  return size;
}

// How n elements are cut into the shares of all ranks.
struct Shares {
  std::vector<int> sizes;
  std::vector<int> begins;

  explicit Shares(int n) {
    const int p = SizeOf(MPI_COMM_WORLD);
    for (int rank = 0; rank < p; ++rank) {
      sizes.push_back(ShareSize(n, p, rank));
      begins.push_back(ShareBegin(n, p, rank));
    }
  }
};

// y += A x for a matrix of as many rows as y and columns as x has elements.
void AddProduct(const double* a, const double* x, std::size_t columns, double* y,
                std::size_t rows) {
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) y[i] += a[i * columns + j] * x[j];
  }
}

struct Block {
  int rows;
  int columns;
  std::vector<double> elements;

  Block(int row_count, int column_count)
      : rows(row_count),
        columns(column_count),
        elements(static_cast<std::size_t>(row_count) * static_cast<std::size_t>(column_count)) {}
};

// c += a b.
void AddProduct(const Block& a, const Block& b, LocalSpan<double> c) {
  const auto inner = static_cast<std::size_t>(a.columns);
  const auto columns = static_cast<std::size_t>(b.columns);
  for (std::size_t i = 0; i < static_cast<std::size_t>(a.rows); ++i) {
    for (std::size_t k = 0; k < inner; ++k) {
      const double factor = a.elements[i * inner + k];
      for (std::size_t j = 0; j < columns; ++j) {
        c[i * columns + j] += factor * b.elements[k * columns + j];
      }
    }
  }
}

// Ranks as a grid of q by q.
class Grid {
 public:
  Grid() {
    while (q_ * q_ < SizeOf(MPI_COMM_WORLD)) ++q_;
    const int rank = RankIn(MPI_COMM_WORLD);
    row_ = rank / q_;
    column_ = rank % q_;
    MPI_Comm_split(MPI_COMM_WORLD, row_, column_, &row_ranks_);
    MPI_Comm_split(MPI_COMM_WORLD, column_, row_, &column_ranks_);
  }
  ~Grid() {
    MPI_Comm_free(&row_ranks_);
    MPI_Comm_free(&column_ranks_);
  }
  Grid(const Grid&) = delete;
  Grid& operator=(const Grid&) = delete;

  int Side() const { return q_; }
  int Row() const { return row_; }
  int Column() const { return column_; }
  // The ranks of this one's row, numbered by their columns, and those of its column by their rows.
  MPI_Comm RowRanks() const { return row_ranks_; }
  MPI_Comm ColumnRanks() const { return column_ranks_; }

 private:
  int q_ = 1;
  int row_;
  int column_;
  MPI_Comm row_ranks_;
  MPI_Comm column_ranks_;
};

// Every rank passes its block to the one that is `distance` before it, and gets the block of the
// one that is as far behind it, which has that many rows and columns.
void Shift(Block& block, int rows, int columns, int distance, MPI_Comm ranks) {
  const int size = SizeOf(ranks);
  if (distance % size == 0) return;
  const int rank = RankIn(ranks);
  Block received(rows, columns);
  MPI_Sendrecv(block.elements.data(), static_cast<int>(block.elements.size()), MPI_DOUBLE,
               (rank - distance + size) % size, kTag, received.elements.data(),
               static_cast<int>(received.elements.size()), MPI_DOUBLE, (rank + distance) % size,
               kTag, ranks, MPI_STATUS_IGNORE);
  block = std::move(received);
}

}  // namespace

void MultiplyByRows(LocalSpan<const double> a, LocalSpan<const double> x, LocalSpan<double> y,
                    int /*rows*/, int columns) {
  const Shares shares(columns);
  std::vector<double> whole(static_cast<std::size_t>(columns));
  MPI_Allgatherv(x.data(), static_cast<int>(x.size()), MPI_DOUBLE, whole.data(),
                 shares.sizes.data(), shares.begins.data(), MPI_DOUBLE, MPI_COMM_WORLD);
  std::fill(y.begin(), y.end(), 0.0);
  AddProduct(a.data(), whole.data(), whole.size(), y.data(), y.size());
}

void MultiplyByColumns(LocalSpan<const double> a, LocalSpan<const double> x, LocalSpan<double> y,
                       int rows, int /*columns*/) {
  const Shares shares(rows);
  // What this rank's columns add to every element of the result.
  std::vector<double> sums(static_cast<std::size_t>(rows));
  AddProduct(a.data(), x.data(), x.size(), sums.data(), sums.size());
  MPI_Reduce_scatter(sums.data(), y.data(), shares.sizes.data(), MPI_DOUBLE, MPI_SUM,
                     MPI_COMM_WORLD);
}

void MultiplyOnGrid(LocalSpan<const double> a, LocalSpan<const double> b, LocalSpan<double> c,
                    int n) {
  const Grid grid;
  const int q = grid.Side();
  const auto size = [&](int share) { return ShareSize(n, q, share % q); };
  const int rows = size(grid.Row());
  const int columns = size(grid.Column());
  Block left(rows, columns);
  Block upper(rows, columns);
  std::copy(a.begin(), a.end(), left.elements.begin());
  std::copy(b.begin(), b.end(), upper.elements.begin());
  // Row i of A moves i places to the left and column j of B j places up, so that every rank has
  // blocks that fit.
  int inner = grid.Row() + grid.Column();
  Shift(left, rows, size(inner), grid.Row(), grid.RowRanks());
  Shift(upper, size(inner), columns, grid.Column(), grid.ColumnRanks());
  std::fill(c.begin(), c.end(), 0.0);
  for (int step = 0; step < q; ++step) {
    AddProduct(left, upper, c);
    if (step == q - 1) break;
    ++inner;
    Shift(left, rows, size(inner), 1, grid.RowRanks());
    Shift(upper, size(inner), columns, 1, grid.ColumnRanks());
  }
}
