// All threads scan, but `ordered` lets one block begin when the one before it is done.

#include <algorithm>

#include "labs/openmp_scan/scan.h"

namespace {

constexpr std::size_t kBlock = 4096;

// Calls scan(begin, end) for one block after the other, by the threads in turn.
template <typename Scan>
void RunInOrder(std::size_t n, const Scan& scan) {
#pragma omp parallel for ordered schedule(static, 1)
  for (std::size_t begin = 0; begin < n; begin += kBlock) {
#pragma omp ordered
    scan(begin, std::min(begin + kBlock, n));
  }
}

}  // namespace

void InclusiveScan(std::span<const std::int32_t> values, std::span<std::int64_t> sums) {
  std::int64_t sum = 0;
  RunInOrder(values.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) sums[i] = sum += values[i];
  });
}

void ExclusiveScan(std::span<const std::uint32_t> counts, std::span<std::uint64_t> starts) {
  std::uint64_t start = 0;
  RunInOrder(counts.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      starts[i] = start;
      start += counts[i];
    }
  });
}

std::size_t Pack(std::span<const float> values, float limit, std::span<float> kept) {
  std::size_t slot = 0;
  RunInOrder(values.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (values[i] > limit) kept[slot++] = values[i];
    }
  });
  return slot;
}
