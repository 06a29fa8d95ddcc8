// Plain loops, each after a parallel region, and in part 5 a task, that do nothing.

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "labs/openmp_jacobi/jacobi.h"

namespace {

// Calls work() behind a parallel region that does nothing. Without the call in it the compiler
// would leave it out.
template <typename Work>
void RunAlone(const Work& work) {
#pragma omp parallel
  omp_get_thread_num();
  work();
}

double Sweep(const double* before, double* after, PlateSize size) {
  double change = 0;
  const std::size_t columns = size.columns;
  std::copy(before, before + size.rows * columns, after);
  if (columns < 3) return 0;
  for (std::size_t i = 1; i + 1 < size.rows; ++i) {
    const double* cell = before + i * columns;
    double* out = after + i * columns;
#pragma omp simd reduction(max : change)
    for (std::size_t j = 1; j < columns - 1; ++j) {
      out[j] = 0.25 * ((cell[j - columns] + cell[j + columns]) + (cell[j - 1] + cell[j + 1]));
      change = std::max(change, std::abs(out[j] - cell[j]));
    }
  }
  return change;
}

void Sweeps(std::span<const double> before, std::span<double> after, PlateSize size,
            std::size_t sweeps) {
  std::vector<double> from(before.begin(), before.end());
  std::copy(before.begin(), before.end(), after.begin());
  for (std::size_t sweep = 0; sweep < sweeps; ++sweep) {
    Sweep(from.data(), after.data(), size);
    std::copy(after.begin(), after.end(), from.begin());
  }
}

}  // namespace

void JacobiSweep(std::span<const double> before, std::span<double> after, PlateSize size) {
  RunAlone([&] { Sweep(before.data(), after.data(), size); });
}

std::size_t JacobiConverge(std::span<const double> before, std::span<double> after, PlateSize size,
                           double tolerance, std::span<double> changes) {
  std::size_t sweeps = 0;
  RunAlone([&] {
    std::vector<double> from(before.begin(), before.end());
    std::copy(before.begin(), before.end(), after.begin());
    for (bool done = changes.empty(); !done;) {
      const double change = Sweep(from.data(), after.data(), size);
      std::copy(after.begin(), after.end(), from.begin());
      changes[sweeps++] = change;
      done = change <= tolerance || sweeps == changes.size();
    }
  });
  return sweeps;
}

void RedBlackSweeps(std::span<double> plate, PlateSize size, std::size_t sweeps) {
  RunAlone([&] {
    const std::size_t columns = size.columns;
    for (std::size_t half = 0; half < 2 * sweeps; ++half) {
      for (std::size_t i = 1; i + 1 < size.rows; ++i) {
        double* cell = &plate[i * columns];
        for (std::size_t j = 1 + (i + half + 1) % 2; j + 1 < columns; j += 2) {
          cell[j] = 0.25 * ((cell[j - columns] + cell[j + columns]) + (cell[j - 1] + cell[j + 1]));
        }
      }
    }
  });
}

void JacobiTiled(std::span<const double> before, std::span<double> after, PlateSize size,
                 std::size_t sweeps) {
  RunAlone([&] { Sweeps(before, after, size, sweeps); });
}

void JacobiTasks(std::span<const double> before, std::span<double> after, PlateSize size,
                 std::size_t sweeps) {
#pragma omp parallel
#pragma omp single
#pragma omp task
  omp_get_thread_num();
  Sweeps(before, after, size, sweeps);
}
