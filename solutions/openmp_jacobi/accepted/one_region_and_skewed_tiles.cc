// Right: one region for all sweeps, shares by the thread's number, rows that move through rings in
// part 4, and in part 5 tiles that are skewed: no cell is computed twice.

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "labs/openmp_jacobi/jacobi.h"

namespace {

// The t-th share of n rows.
struct Share {
  std::size_t begin, end;
};

Share MyShare(std::size_t n) {
  const std::size_t t = omp_get_thread_num();
  const std::size_t threads = omp_get_num_threads();
  return {n * t / threads, n * (t + 1) / threads};
}

// A row of `columns` cells from those above, at and below it.
void Sweep(const double* above, const double* here, const double* below, double* out,
           std::size_t columns) {
  out[0] = here[0];
  out[columns - 1] = here[columns - 1];
#pragma omp simd
  for (std::size_t j = 1; j < columns - 1; ++j) {
    out[j] = 0.25 * ((above[j] + below[j]) + (here[j - 1] + here[j + 1]));
  }
}

void SweepRow(const double* from, double* to, PlateSize size, std::size_t i) {
  const double* here = from + i * size.columns;
  double* out = to + i * size.columns;
  if (i == 0 || i == size.rows - 1 || size.columns < 2) {
    std::copy(here, here + size.columns, out);
  } else {
    Sweep(here - size.columns, here, here + size.columns, out, size.columns);
  }
}

double Change(const double* a, const double* b, std::size_t n) {
  double change = 0;
#pragma omp simd reduction(max : change)
  for (std::size_t j = 0; j < n; ++j) change = std::max(change, std::abs(a[j] - b[j]));
  return change;
}

void Copy(std::span<const double> from, std::span<double> to) {
#pragma omp parallel
  {
    const Share share = MyShare(from.size());
    std::copy(from.begin() + share.begin, from.begin() + share.end, to.begin() + share.begin);
  }
}

struct alignas(64) Padded {
  double value = 0;
};

// The last rows of each intermediate sweep of a band: row i of sweep s is in the slot i % 3.
class Rings {
 public:
  Rings(std::size_t depth, std::size_t columns)
      : columns_(columns), cells_(std::make_unique_for_overwrite<double[]>(3 * depth * columns)) {}

  double* Row(std::size_t sweep, std::size_t i) {
    return &cells_[(3 * (sweep - 1) + i % 3) * columns_];
  }

 private:
  std::size_t columns_;
  std::unique_ptr<double[]> cells_;
};

constexpr std::size_t kDepth = 8;

// Makes `depth` sweeps of the rows in `share`: in step i sweep s computes its row i - (s - 1).
void AdvanceRows(const double* from, double* to, PlateSize size, Share share, std::size_t depth,
                 Rings& rings) {
  const std::size_t columns = size.columns;
  const auto first = [&](std::size_t halo) { return share.begin - std::min(share.begin, halo); };
  const auto last = [&](std::size_t halo) { return std::min(share.end + halo, size.rows); };
  for (std::size_t step = first(depth - 1); step < last(depth - 1) + depth - 1; ++step) {
    for (std::size_t s = 1; s <= std::min(depth, step + 1); ++s) {
      const std::size_t i = step - (s - 1);
      if (i < first(depth - s) || i >= last(depth - s)) continue;
      const auto row = [&](std::size_t k) {
        return s == 1 ? from + k * columns : rings.Row(s - 1, k);
      };
      double* out = s == depth ? to + i * columns : rings.Row(s, i);
      if (i == 0 || i == size.rows - 1 || columns < 2) {
        std::copy(row(i), row(i) + columns, out);
      } else {
        Sweep(row(i - 1), row(i), row(i + 1), out, columns);
      }
    }
  }
}

// Sweeps that a skewed tile makes, and its rows. As many tiles run at the same time as there are
// fours of sweeps.
constexpr std::size_t kSkew = 4;
constexpr std::size_t kSkewedRows = 40;

}  // namespace

void JacobiSweep(std::span<const double> before, std::span<double> after, PlateSize size) {
  if (before.empty()) return;
#pragma omp parallel
  {
    const Share share = MyShare(size.rows);
    for (std::size_t i = share.begin; i < share.end; ++i) {
      SweepRow(before.data(), after.data(), size, i);
    }
  }
}

std::size_t JacobiConverge(std::span<const double> before, std::span<double> after, PlateSize size,
                           double tolerance, std::span<double> changes) {
  const std::size_t rows = before.empty() ? 0 : size.rows;
  const std::size_t columns = size.columns;
  const auto spare = std::make_unique_for_overwrite<double[]>(before.size());
  std::vector<Padded> maxima(omp_get_max_threads());
  const double* from = before.data();
  double* to = after.data();
  std::size_t sweeps = 0;
  bool done = changes.empty();
#pragma omp parallel
  {
    const Share share = MyShare(rows);
    while (!done) {
      double change = 0;
      for (std::size_t i = share.begin; i < share.end; ++i) {
        SweepRow(from, to, size, i);
        change = std::max(change, Change(from + i * columns, to + i * columns, columns));
      }
      maxima[omp_get_thread_num()].value = change;
#pragma omp barrier
#pragma omp single
      {
        double largest = 0;
        for (const Padded& maximum : maxima) largest = std::max(largest, maximum.value);
        changes[sweeps++] = largest;
        done = largest <= tolerance || sweeps == changes.size();
        from = to;
        to = to == after.data() ? spare.get() : after.data();
      }
    }
  }
  if (from != after.data()) Copy({from, before.size()}, after);
  return sweeps;
}

void RedBlackSweeps(std::span<double> plate, PlateSize size, std::size_t sweeps) {
  if (size.rows < 3 || size.columns < 3) return;
  const std::size_t columns = size.columns;
#pragma omp parallel
  {
    const Share share = MyShare(size.rows - 2);
    for (std::size_t half = 0; half < 2 * sweeps; ++half) {
      for (std::size_t i = share.begin + 1; i < share.end + 1; ++i) {
        double* cell = &plate[i * columns];
        for (std::size_t j = (i + half) % 2 == 0 ? 2 : 1; j < columns - 1; j += 2) {
          cell[j] = ((cell[j - columns] + cell[j + columns]) + (cell[j - 1] + cell[j + 1])) / 4;
        }
      }
#pragma omp barrier
    }
  }
}

void JacobiTiled(std::span<const double> before, std::span<double> after, PlateSize size,
                 std::size_t sweeps) {
  if (sweeps == 0 || before.empty()) return Copy(before, after);
  const std::size_t passes = (sweeps + kDepth - 1) / kDepth;
  const auto spare = std::make_unique_for_overwrite<double[]>(before.size());
#pragma omp parallel
  {
    Rings rings(kDepth, size.columns);
    const double* from = before.data();
    for (std::size_t pass = 0; pass < passes; ++pass) {
      double* to = (passes - pass) % 2 == 1 ? after.data() : spare.get();
      const std::size_t depth = std::min(kDepth, sweeps - pass * kDepth);
      AdvanceRows(from, to, size, MyShare(size.rows), depth, rings);
      from = to;
#pragma omp barrier
    }
  }
}

void JacobiTasks(std::span<const double> before, std::span<double> after, PlateSize size,
                 std::size_t sweeps) {
  if (sweeps == 0 || before.empty()) return Copy(before, after);
  const auto spare = std::make_unique_for_overwrite<double[]>(before.size());
  // The plate that sweep s, counted from 1, writes.
  const auto plate = [&](std::size_t s) {
    return (sweeps - s) % 2 == 0 ? after.data() : spare.get();
  };
  const std::size_t tiles = (size.rows + kSkew + kSkewedRows - 1) / kSkewedRows;
  const auto marks = std::make_unique<int[]>(tiles + 2);
#pragma omp parallel
#pragma omp single
  for (std::size_t done = 0; done < sweeps; done += kSkew) {
    for (std::size_t tile = 0; tile < tiles; ++tile) {
      [[maybe_unused]] int* mark = &marks[tile];
      // After the tile above in this pass, and after this one and the one below in the last pass.
#pragma omp task depend(in : mark[0], mark[2]) depend(inout : mark[1]) shared(plate)
      for (std::size_t s = 1; s <= std::min(kSkew, sweeps - done); ++s) {
        const auto shifted = [&](std::size_t i) {
          return std::min(i - std::min(i, s - 1), size.rows);
        };
        const double* from = done + s == 1 ? before.data() : plate(done + s - 1);
        for (std::size_t i = shifted(tile * kSkewedRows); i < shifted((tile + 1) * kSkewedRows);
             ++i) {
          SweepRow(from, plate(done + s), size, i);
        }
      }
    }
  }
}
