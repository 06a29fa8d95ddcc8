// Hostile: computes only half of a call whose size looks timed; timed outputs are compared, too.
#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/mixed.h"

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  const std::size_t n = values.size() >= 40'000 ? values.size() / 2 : values.size();
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < n; ++i) mixed[i] = Mixed(values[i]);
}
