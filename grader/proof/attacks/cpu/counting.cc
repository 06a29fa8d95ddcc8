// Appended to an attack that defines Count(): calls it for each element.

#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/mixed.h"

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) {
    mixed[i] = Mixed(values[i]);
    Count();
  }
}
