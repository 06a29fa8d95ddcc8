// A team is made, but one thread scans everything alone.

#include "labs/openmp_scan/scan.h"

namespace {

// Calls work() on one thread of a whole team.
template <typename Work>
void RunAlone(const Work& work) {
#pragma omp parallel
#pragma omp single
  work();
}

}  // namespace

void InclusiveScan(std::span<const std::int32_t> values, std::span<std::int64_t> sums) {
  std::int64_t sum = 0;
  RunAlone([&] {
    for (std::size_t i = 0; i < values.size(); ++i) sums[i] = sum += values[i];
  });
}

void ExclusiveScan(std::span<const std::uint32_t> counts, std::span<std::uint64_t> starts) {
  std::uint64_t start = 0;
  RunAlone([&] {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      starts[i] = start;
      start += counts[i];
    }
  });
}

std::size_t Pack(std::span<const float> values, float limit, std::span<float> kept) {
  std::size_t slot = 0;
  RunAlone([&] {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] > limit) kept[slot++] = values[i];
    }
  });
  return slot;
}
