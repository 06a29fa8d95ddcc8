// All threads work, but each row under one lock, in part 5 as a task.

#include <algorithm>
#include <cmath>
#include <vector>

#include "labs/openmp_jacobi/jacobi.h"

namespace {

// One sweep of all rows by the team that calls it; `change` grows to the largest one.
void SweepLocked(const double* before, double* after, PlateSize size, double& change) {
  const std::size_t columns = size.columns;
#pragma omp for schedule(dynamic)
  for (std::size_t i = 0; i < size.rows; ++i) {
#pragma omp critical
    {
      const double* cell = before + i * columns;
      double* out = after + i * columns;
      std::copy(cell, cell + columns, out);
      if (i > 0 && i + 1 < size.rows) {
        for (std::size_t j = 1; j + 1 < columns; ++j) {
          out[j] = 0.25 * ((cell[j - columns] + cell[j + columns]) + (cell[j - 1] + cell[j + 1]));
          change = std::max(change, std::abs(out[j] - cell[j]));
        }
      }
    }
  }
}

}  // namespace

void JacobiSweep(std::span<const double> before, std::span<double> after, PlateSize size) {
  double change = 0;
#pragma omp parallel
  SweepLocked(before.data(), after.data(), size, change);
}

std::size_t JacobiConverge(std::span<const double> before, std::span<double> after, PlateSize size,
                           double tolerance, std::span<double> changes) {
  std::vector<double> from(before.begin(), before.end());
  std::copy(before.begin(), before.end(), after.begin());
  std::size_t sweeps = 0;
  for (bool done = changes.empty(); !done;) {
    double change = 0;
#pragma omp parallel
    SweepLocked(from.data(), after.data(), size, change);
    std::copy(after.begin(), after.end(), from.begin());
    changes[sweeps++] = change;
    done = change <= tolerance || sweeps == changes.size();
  }
  return sweeps;
}

void RedBlackSweeps(std::span<double> plate, PlateSize size, std::size_t sweeps) {
  const std::size_t columns = size.columns;
  if (size.rows < 3) return;
#pragma omp parallel
  for (std::size_t half = 0; half < 2 * sweeps; ++half) {
#pragma omp for schedule(dynamic)
    for (std::size_t i = 1; i < size.rows - 1; ++i) {
#pragma omp critical
      for (std::size_t j = 1 + (i + half + 1) % 2; j + 1 < columns; j += 2) {
        double* cell = &plate[i * columns + j];
        *cell = 0.25 * ((*(cell - columns) + cell[columns]) + (*(cell - 1) + cell[1]));
      }
    }
  }
}

void JacobiTiled(std::span<const double> before, std::span<double> after, PlateSize size,
                 std::size_t sweeps) {
  std::vector<double> from(before.begin(), before.end());
  std::copy(before.begin(), before.end(), after.begin());
  double change = 0;
#pragma omp parallel
  for (std::size_t sweep = 0; sweep < sweeps; ++sweep) {
    SweepLocked(from.data(), after.data(), size, change);
#pragma omp single
    std::copy(after.begin(), after.end(), from.begin());
  }
}

void JacobiTasks(std::span<const double> before, std::span<double> after, PlateSize size,
                 std::size_t sweeps) {
  constexpr std::size_t kRows = 32;
  std::vector<double> from(before.begin(), before.end());
  std::copy(before.begin(), before.end(), after.begin());
  const std::size_t columns = size.columns;
#pragma omp parallel
#pragma omp single
  for (std::size_t sweep = 0; sweep < sweeps; ++sweep) {
    for (std::size_t top = 1; top + 1 < size.rows; top += kRows) {
#pragma omp task shared(from)
#pragma omp critical
      for (std::size_t i = top; i < std::min(top + kRows, size.rows - 1); ++i) {
        const double* cell = &from[i * columns];
        for (std::size_t j = 1; j + 1 < columns; ++j) {
          after[i * columns + j] =
              0.25 * ((cell[j - columns] + cell[j + columns]) + (cell[j - 1] + cell[j + 1]));
        }
      }
    }
#pragma omp taskwait
    std::copy(after.begin(), after.end(), from.begin());
  }
}
