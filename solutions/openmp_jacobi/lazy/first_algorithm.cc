// In all parts the sweep of the first one, again and again: what follows a sweep is done by one
// thread, and nothing is kept in a cache from one sweep to the next.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "labs/openmp_jacobi/jacobi.h"

namespace {

void SweepRow(const double* before, double* after, PlateSize size, std::size_t i) {
  const std::size_t columns = size.columns;
  const double* cell = before + i * columns;
  double* out = after + i * columns;
  if (i == 0 || i + 1 == size.rows || columns < 3) {
    std::copy(cell, cell + columns, out);
    return;
  }
  out[0] = cell[0];
  out[columns - 1] = cell[columns - 1];
#pragma omp simd
  for (std::size_t j = 1; j < columns - 1; ++j) {
    out[j] = 0.25 * ((cell[j - columns] + cell[j + columns]) + (cell[j - 1] + cell[j + 1]));
  }
}

}  // namespace

void JacobiSweep(std::span<const double> before, std::span<double> after, PlateSize size) {
#pragma omp parallel for
  for (std::size_t i = 0; i < size.rows; ++i) SweepRow(before.data(), after.data(), size, i);
}

std::size_t JacobiConverge(std::span<const double> before, std::span<double> after, PlateSize size,
                           double tolerance, std::span<double> changes) {
  std::vector<double> from(before.begin(), before.end());
  std::copy(before.begin(), before.end(), after.begin());
  std::size_t sweeps = 0;
  for (bool done = changes.empty(); !done;) {
    JacobiSweep(from, after, size);
    double change = 0;
    for (std::size_t k = 0; k < after.size(); ++k) {
      change = std::max(change, std::abs(after[k] - from[k]));
    }
    std::copy(after.begin(), after.end(), from.begin());
    changes[sweeps++] = change;
    done = change <= tolerance || sweeps == changes.size();
  }
  return sweeps;
}

void RedBlackSweeps(std::span<double> plate, PlateSize size, std::size_t sweeps) {
  std::vector<double> means(plate.size());
  const std::size_t columns = size.columns;
  for (std::size_t half = 0; half < 2 * sweeps; ++half) {
    JacobiSweep(plate, means, size);
    for (std::size_t i = 1; i + 1 < size.rows; ++i) {
      for (std::size_t j = 1 + (i + half + 1) % 2; j + 1 < columns; j += 2) {
        plate[i * columns + j] = means[i * columns + j];
      }
    }
  }
}

void JacobiTiled(std::span<const double> before, std::span<double> after, PlateSize size,
                 std::size_t sweeps) {
  std::vector<double> from(before.begin(), before.end());
  std::vector<double> to(before.begin(), before.end());
  for (std::size_t sweep = 0; sweep < sweeps; ++sweep) {
    JacobiSweep(from, to, size);
    std::swap(from, to);
  }
  std::copy(from.begin(), from.end(), after.begin());
}

void JacobiTasks(std::span<const double> before, std::span<double> after, PlateSize size,
                 std::size_t sweeps) {
  std::vector<double> from(before.begin(), before.end());
  std::vector<double> to(before.begin(), before.end());
  for (std::size_t sweep = 0; sweep < sweeps; ++sweep) {
#pragma omp parallel
#pragma omp single
    for (std::size_t i = 0; i < size.rows; ++i) {
#pragma omp task shared(from, to, size)
      SweepRow(from.data(), to.data(), size, i);
    }
    std::swap(from, to);
  }
  std::copy(from.begin(), from.end(), after.begin());
}
