// In all parts every thread adds up by itself what stands before its share.

#include <omp.h>

#include "labs/openmp_scan/scan.h"

namespace {

// Calls write(begin, end) for the share of each thread of a team.
template <typename Write>
void RunShares(std::size_t n, const Write& write) {
#pragma omp parallel
  {
    const std::size_t t = omp_get_thread_num();
    const std::size_t threads = omp_get_num_threads();
    write(n * t / threads, n * (t + 1) / threads);
  }
}

}  // namespace

void InclusiveScan(std::span<const std::int32_t> values, std::span<std::int64_t> sums) {
  RunShares(values.size(), [&](std::size_t begin, std::size_t end) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < begin; ++i) sum += values[i];
    for (std::size_t i = begin; i < end; ++i) sums[i] = sum += values[i];
  });
}

void ExclusiveScan(std::span<const std::uint32_t> counts, std::span<std::uint64_t> starts) {
  RunShares(counts.size(), [&](std::size_t begin, std::size_t end) {
    std::uint64_t start = 0;
    for (std::size_t i = 0; i < begin; ++i) start += counts[i];
    for (std::size_t i = begin; i < end; ++i) {
      starts[i] = start;
      start += counts[i];
    }
  });
}

std::size_t Pack(std::span<const float> values, float limit, std::span<float> kept) {
  std::size_t total = 0;
  RunShares(values.size(), [&](std::size_t begin, std::size_t end) {
    std::size_t slot = 0;
    for (std::size_t i = 0; i < begin; ++i) slot += values[i] > limit;
    for (std::size_t i = begin; i < end; ++i) {
      if (values[i] > limit) kept[slot++] = values[i];
    }
    if (end == values.size()) {
#pragma omp atomic write
      total = slot;  // of the last share, and of empty ones at the end
    }
  });
  return total;
}
