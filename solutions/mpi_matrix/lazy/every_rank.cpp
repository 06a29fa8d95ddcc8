// Correct, but every rank collects both whole matrices, and computes all.
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "labs/mpi_matrix/matrix.h"

namespace {

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

// How many ranks share the rows of a matrix and how many its columns.
struct Cut {
  int of_rows;
  int of_columns;
};

// A matrix of which each rank has a part.
struct Distributed {
  int rows;
  int columns;
  Cut cut;

  int SizeOfPart(int rank) const {
    return ShareSize(rows, cut.of_rows, rank / cut.of_columns) *
           ShareSize(columns, cut.of_columns, rank % cut.of_columns);
  }
  // Calls visit(index) for each element of the rank's part, in order.
  template <typename Visit>
  void ForPart(int rank, const Visit& visit) const {
    const int i_share = rank / cut.of_columns;
    const int j_share = rank % cut.of_columns;
    for (int i = ShareBegin(rows, cut.of_rows, i_share);
         i < ShareBegin(rows, cut.of_rows, i_share + 1); ++i) {
      for (int j = ShareBegin(columns, cut.of_columns, j_share);
           j < ShareBegin(columns, cut.of_columns, j_share + 1); ++j) {
        visit(static_cast<std::size_t>(i * columns + j));
      }
    }
  }
};

// The parts of all ranks, one after another.
struct Packed {
  std::vector<int> sizes;
  std::vector<int> begins;
  std::vector<double> elements;

  explicit Packed(const Distributed& matrix) {
    int all = 0;
    for (int rank = 0; rank < SizeOf(MPI_COMM_WORLD); ++rank) {
      sizes.push_back(matrix.SizeOfPart(rank));
      begins.push_back(all);
      all += sizes.back();
    }
    elements.resize(static_cast<std::size_t>(all));
  }
};

std::vector<double> Unpack(const Distributed& matrix, const std::vector<double>& packed) {
  std::vector<double> whole(packed.size());
  std::size_t next = 0;
  for (int rank = 0; rank < SizeOf(MPI_COMM_WORLD); ++rank) {
    matrix.ForPart(rank, [&](std::size_t index) { whole[index] = packed[next++]; });
  }
  return whole;
}

std::vector<double> Product(const std::vector<double>& a, const std::vector<double>& b, int rows,
                            int inner, int columns) {
  std::vector<double> c(static_cast<std::size_t>(rows * columns));
  for (int i = 0; i < rows; ++i) {
    for (int k = 0; k < inner; ++k) {
      for (int j = 0; j < columns; ++j) {
        c[static_cast<std::size_t>(i * columns + j)] +=
            a[static_cast<std::size_t>(i * inner + k)] *
            b[static_cast<std::size_t>(k * columns + j)];
      }
    }
  }
  return c;
}

// The whole matrix, in every rank.
std::vector<double> Collect(LocalSpan<const double> part, const Distributed& matrix) {
  Packed packed(matrix);
  MPI_Allgatherv(part.data(), static_cast<int>(part.size()), MPI_DOUBLE, packed.elements.data(),
                 packed.sizes.data(), packed.begins.data(), MPI_DOUBLE, MPI_COMM_WORLD);
  return Unpack(matrix, packed.elements);
}

void TakeOwn(const std::vector<double>& whole, const Distributed& matrix, LocalSpan<double> part) {
  std::size_t next = 0;
  matrix.ForPart(RankIn(MPI_COMM_WORLD), [&](std::size_t index) { part[next++] = whole[index]; });
}

void Multiply(LocalSpan<const double> a, const Distributed& a_cut, LocalSpan<const double> b,
              const Distributed& b_cut, LocalSpan<double> c, const Distributed& c_cut) {
  const std::vector<double> whole_a = Collect(a, a_cut);
  const std::vector<double> whole_b = Collect(b, b_cut);
  TakeOwn(Product(whole_a, whole_b, a_cut.rows, a_cut.columns, b_cut.columns), c_cut, c);
}

}  // namespace

void MultiplyByRows(LocalSpan<const double> a, LocalSpan<const double> x, LocalSpan<double> y,
                    int rows, int columns) {
  const int p = SizeOf(MPI_COMM_WORLD);
  Multiply(a, {rows, columns, {p, 1}}, x, {columns, 1, {p, 1}}, y, {rows, 1, {p, 1}});
}

void MultiplyByColumns(LocalSpan<const double> a, LocalSpan<const double> x, LocalSpan<double> y,
                       int rows, int columns) {
  const int p = SizeOf(MPI_COMM_WORLD);
  Multiply(a, {rows, columns, {1, p}}, x, {columns, 1, {p, 1}}, y, {rows, 1, {p, 1}});
}

void MultiplyOnGrid(LocalSpan<const double> a, LocalSpan<const double> b, LocalSpan<double> c,
                    int n) {
  int q = 1;
  while (q * q < SizeOf(MPI_COMM_WORLD)) ++q;
  const Distributed matrix{n, n, {q, q}};
  Multiply(a, matrix, b, matrix, c, matrix);
}
