// Hostile: sleeps for just less than the limit in every call; all calls together have a limit, too.
#include <unistd.h>

#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/mixed.h"

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  usleep(600'000);
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = Mixed(values[i]);
}
