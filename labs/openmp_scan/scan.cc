// Your solution to the lab "Scan with OpenMP": this is the only file you edit and hand in.
// The contract, what each function gets and must give, is in scan.h; the idea is in README.md.

#include "labs/openmp_scan/scan.h"

#include "common/lab/not_written.h"

void InclusiveScan([[maybe_unused]] std::span<const std::int32_t> values,
                   [[maybe_unused]] std::span<std::int64_t> sums) {
  LAB_NOT_WRITTEN();
}

void ExclusiveScan([[maybe_unused]] std::span<const std::uint32_t> counts,
                   [[maybe_unused]] std::span<std::uint64_t> starts) {
  LAB_NOT_WRITTEN();
}

std::size_t Pack([[maybe_unused]] std::span<const float> values, [[maybe_unused]] float limit,
                 [[maybe_unused]] std::span<float> kept) {
  LAB_NOT_WRITTEN();
}
