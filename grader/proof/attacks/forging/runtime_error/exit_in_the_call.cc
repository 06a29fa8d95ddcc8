// Hostile: exit(0) in the call, as if all tests had passed; the checker waits for a reply.
#include <cstdlib>

#include "labs/attacked_cpu/mix.h"

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  if (num_threads > 0) exit(0);
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = values[i];
}
