// Rings by hand; Cannon's algorithm in a Cartesian communicator, with padded blocks of one size.
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "labs/mpi_matrix/matrix.h"

namespace {

constexpr int kTag = 7;

struct Ring {
  int p;
  int rank;
  int left;
  int right;

  Ring() {
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    left = (rank + p - 1) % p;
    right = (rank + 1) % p;
  }
  // The share that a rank so many places to the left has.
  int Behind(int distance) const { return ((rank - distance) % p + p) % p; }
};

void Pass(const Ring& ring, const double* sent, int sent_count, double* received, int count) {
  MPI_Sendrecv(sent, sent_count, MPI_DOUBLE, ring.right, kTag, received, count, MPI_DOUBLE,
               ring.left, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// A square block of `side` rows, with zeros behind the block's own rows and columns.
std::vector<double> Padded(LocalSpan<const double> block, int columns, int side) {
  std::vector<double> padded(static_cast<size_t>(side * side), 0.0);
  for (size_t i = 0; i < block.size(); ++i) {
    const size_t row = i / static_cast<size_t>(columns);
    padded[row * static_cast<size_t>(side) + i % static_cast<size_t>(columns)] = block[i];
  }
  return padded;
}

// Moves a block `distance` places towards lower coordinates of the dimension, with wrap-around.
void Roll(std::vector<double>& block, MPI_Comm grid, int dimension, int distance) {
  int from = 0;
  int to = 0;
  MPI_Cart_shift(grid, dimension, -distance, &from, &to);
  MPI_Sendrecv_replace(block.data(), static_cast<int>(block.size()), MPI_DOUBLE, to, kTag, from,
                       kTag, grid, MPI_STATUS_IGNORE);
}

}  // namespace

void MultiplyByRows(LocalSpan<const double> a, LocalSpan<const double> x, LocalSpan<double> y,
                    int /*rows*/, int columns) {
  const Ring ring;
  std::vector<double> whole(static_cast<size_t>(columns));
  const auto at = [&](int share) { return whole.data() + ShareBegin(columns, ring.p, share); };
  std::copy(x.begin(), x.end(), at(ring.rank));
  for (int step = 0; step < ring.p - 1; ++step) {
    const int out = ring.Behind(step);
    const int in = ring.Behind(step + 1);
    Pass(ring, at(out), ShareSize(columns, ring.p, out), at(in), ShareSize(columns, ring.p, in));
  }
  for (size_t i = 0; i < y.size(); ++i) {
    double sum = 0;
    for (size_t j = 0; j < whole.size(); ++j) sum += a[i * whole.size() + j] * whole[j];
    y[i] = sum;
  }
}

void MultiplyByColumns(LocalSpan<const double> a, LocalSpan<const double> x, LocalSpan<double> y,
                       int rows, int /*columns*/) {
  const Ring ring;
  // What this rank adds to a share of the result.
  const auto own_sums = [&](int share) {
    std::vector<double> sums;
    for (int i = ShareBegin(rows, ring.p, share); i < ShareBegin(rows, ring.p, share + 1); ++i) {
      double sum = 0;
      for (size_t j = 0; j < x.size(); ++j) sum += a[static_cast<size_t>(i) * x.size() + j] * x[j];
      sums.push_back(sum);
    }
    return sums;
  };
  // A share's sums begin one rank behind its owner, and each rank on the way adds its own.
  std::vector<double> sums = own_sums(ring.Behind(1));
  for (int step = 1; step < ring.p; ++step) {
    std::vector<double> next = own_sums(ring.Behind(step + 1));
    std::vector<double> received(next.size());
    Pass(ring, sums.data(), static_cast<int>(sums.size()), received.data(),
         static_cast<int>(received.size()));
    for (size_t i = 0; i < next.size(); ++i) next[i] += received[i];
    sums.swap(next);
  }
  std::copy(sums.begin(), sums.end(), y.begin());
}

void MultiplyOnGrid(LocalSpan<const double> a, LocalSpan<const double> b, LocalSpan<double> c,
                    int n) {
  int p = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  const int q = static_cast<int>(std::lround(std::sqrt(p)));
  const int sides[] = {q, q};
  const int wraps[] = {1, 1};
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 2, sides, wraps, 0, &grid);
  int rank = 0;
  int place[2];
  MPI_Comm_rank(grid, &rank);
  MPI_Cart_coords(grid, rank, 2, place);
  const int rows = ShareSize(n, q, place[0]);
  const int columns = ShareSize(n, q, place[1]);
  const int side = (n + q - 1) / q;
  std::vector<double> left = Padded(a, columns, side);
  std::vector<double> upper = Padded(b, columns, side);
  Roll(left, grid, 1, place[0]);
  Roll(upper, grid, 0, place[1]);
  std::vector<double> sums(left.size(), 0.0);
  for (int step = 0; step < q; ++step) {
    for (int i = 0; i < side; ++i) {
      for (int k = 0; k < side; ++k) {
        const double factor = left[static_cast<size_t>(i * side + k)];
        for (int j = 0; j < side; ++j) {
          sums[static_cast<size_t>(i * side + j)] +=
              factor * upper[static_cast<size_t>(k * side + j)];
        }
      }
    }
    Roll(left, grid, 1, 1);
    Roll(upper, grid, 0, 1);
  }
  for (int i = 0; i < rows; ++i) {
    std::copy_n(sums.begin() + i * side, columns, c.begin() + i * columns);
  }
  MPI_Comm_free(&grid);
}
