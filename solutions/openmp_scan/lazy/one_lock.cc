// All threads scan, but each takes the next block and scans it under one lock.

#include <algorithm>

#include "labs/openmp_scan/scan.h"

namespace {

constexpr std::size_t kBlock = 4096;

// Calls scan(begin, end) for one block after the other, while its thread holds the one lock.
template <typename Scan>
void RunLocked(std::size_t n, const Scan& scan) {
  std::size_t next = 0;
#pragma omp parallel
  for (bool more = true; more;) {
#pragma omp critical
    {
      const std::size_t end = std::min(next + kBlock, n);
      scan(next, end);
      next = end;
      more = next < n;
    }
  }
}

}  // namespace

void InclusiveScan(std::span<const std::int32_t> values, std::span<std::int64_t> sums) {
  std::int64_t sum = 0;
  RunLocked(values.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) sums[i] = sum += values[i];
  });
}

void ExclusiveScan(std::span<const std::uint32_t> counts, std::span<std::uint64_t> starts) {
  std::uint64_t start = 0;
  RunLocked(counts.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      starts[i] = start;
      start += counts[i];
    }
  });
}

std::size_t Pack(std::span<const float> values, float limit, std::span<float> kept) {
  std::size_t slot = 0;
  RunLocked(values.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (values[i] > limit) kept[slot++] = values[i];
    }
  });
  return slot;
}
