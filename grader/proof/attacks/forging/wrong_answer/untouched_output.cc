// Hostile: leaves its output unchanged, in the hope that it holds an earlier result; outputs are
// poisoned.
#include "labs/attacked_cpu/mix.h"

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) {
  }
}
