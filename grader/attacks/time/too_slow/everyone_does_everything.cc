// Hostile: every thread does all of the work, to look busy; work inflation reveals it.
#include <vector>

#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/mixed.h"

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
