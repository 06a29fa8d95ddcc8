// Wrong: serial loops, and a parallel region in a function that nobody calls.

#include "labs/openmp_scan/scan.h"

void InclusiveScan(std::span<const std::int32_t> values, std::span<std::int64_t> sums) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sums[i] = sum += values[i];
}

void ExclusiveScan(std::span<const std::uint32_t> counts, std::span<std::uint64_t> starts) {
  std::uint64_t start = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    starts[i] = start;
    start += counts[i];
  }
}

std::size_t Pack(std::span<const float> values, float limit, std::span<float> kept) {
  std::size_t slot = 0;
  for (const float value : values) {
    if (value > limit) kept[slot++] = value;
  }
  return slot;
}

void EnterDecoy() {
#pragma omp parallel
  { [[maybe_unused]] volatile int nothing = 0; }
}
