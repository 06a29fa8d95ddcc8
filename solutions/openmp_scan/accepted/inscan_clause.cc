// Right: the inscan clause. The variable starts at 0, is not looked at after the loop, and the loop
// has two iterations at least: compilers of today get the rest wrong.

#include "labs/openmp_scan/scan.h"

void InclusiveScan(std::span<const std::int32_t> values, std::span<std::int64_t> sums) {
  const std::size_t n = values.size();
  if (n == 1) sums[0] = values[0];
  if (n < 2) return;
  std::int64_t sum = 0;
#pragma omp parallel for reduction(inscan, + : sum)
  for (std::size_t i = 0; i < n; ++i) {
    sum += values[i];
#pragma omp scan inclusive(sum)
    sums[i] = sum;
  }
}

void ExclusiveScan(std::span<const std::uint32_t> counts, std::span<std::uint64_t> starts) {
  const std::size_t n = counts.size();
  if (n == 1) starts[0] = 0;
  if (n < 2) return;
  std::uint64_t start = 0;
#pragma omp parallel for reduction(inscan, + : start)
  for (std::size_t i = 0; i < n; ++i) {
    starts[i] = start;
#pragma omp scan exclusive(start)
    start += counts[i];
  }
}

std::size_t Pack(std::span<const float> values, float limit, std::span<float> kept) {
  const std::size_t n = values.size();
  if (n == 1 && values[0] > limit) kept[0] = values[0];
  if (n < 2) return n == 1 && values[0] > limit;
  std::uint32_t slot = 0;
  std::size_t total = 0;
#pragma omp parallel for reduction(inscan, + : slot)
  for (std::size_t i = 0; i < n; ++i) {
    if (values[i] > limit) kept[slot] = values[i];
    if (i + 1 == n) total = slot + (values[i] > limit);
#pragma omp scan exclusive(slot)
    slot += values[i] > limit;
  }
  return total;
}
