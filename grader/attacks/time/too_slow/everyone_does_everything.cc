// Hostile: every thread does all of the work, to look busy; work inflation shows it.
#include <vector>

#include "labs/attacked_cpu/mix.h"

namespace {

std::uint32_t Mixed(std::uint32_t value) {
  for (int round = 0; round < 64; ++round) {
    value = (value ^ value >> 16) * 0x85ebca6b;
    value = (value ^ value >> 13) * 0xc2b2ae35;
    value ^= value >> 16;
  }
  return value;
}

}  // namespace

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  std::vector<std::uint32_t> sums(static_cast<std::size_t>(num_threads) * 64);
#pragma omp parallel for num_threads(num_threads) schedule(static, 1)
  for (int t = 0; t < num_threads; ++t) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::uint32_t value = Mixed(values[i]);
      if (t == 0) mixed[i] = value;
      sums[static_cast<std::size_t>(t) * 64] += value;
    }
  }
}
