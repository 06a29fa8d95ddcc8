// Hostile: one thread works, the others sleep; sleeping threads do not count as parallelism.
#include <unistd.h>

#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/mixed.h"

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
#pragma omp parallel num_threads(num_threads)
  {
#pragma omp single
    for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = Mixed(values[i]);
    usleep(100);
  }
}
