// Your solution to the lab "Stencils with OpenMP": this is the only file you edit and hand in.
// The contract, what each function gets and must give, is in jacobi.h; the idea is in README.md.

#include "labs/openmp_jacobi/jacobi.h"

#include "common/lab/not_written.h"

void JacobiSweep([[maybe_unused]] std::span<const double> before,
                 [[maybe_unused]] std::span<double> after, [[maybe_unused]] PlateSize size) {
  LAB_NOT_WRITTEN();
}

std::size_t JacobiConverge([[maybe_unused]] std::span<const double> before,
                           [[maybe_unused]] std::span<double> after,
                           [[maybe_unused]] PlateSize size, [[maybe_unused]] double tolerance,
                           [[maybe_unused]] std::span<double> changes) {
  LAB_NOT_WRITTEN();
}

void RedBlackSweeps([[maybe_unused]] std::span<double> plate, [[maybe_unused]] PlateSize size,
                    [[maybe_unused]] std::size_t sweeps) {
  LAB_NOT_WRITTEN();
}

void JacobiTiled([[maybe_unused]] std::span<const double> before,
                 [[maybe_unused]] std::span<double> after, [[maybe_unused]] PlateSize size,
                 [[maybe_unused]] std::size_t sweeps) {
  LAB_NOT_WRITTEN();
}

void JacobiTasks([[maybe_unused]] std::span<const double> before,
                 [[maybe_unused]] std::span<double> after, [[maybe_unused]] PlateSize size,
                 [[maybe_unused]] std::size_t sweeps) {
  LAB_NOT_WRITTEN();
}
