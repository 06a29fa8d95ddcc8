// Hostile: ends the worker's own thread, so that no thread replies; no reply is a failure.
// Or: time_limit
#include <pthread.h>

#include "labs/attacked_cpu/mix.h"

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  if (num_threads > 0) pthread_exit(nullptr);
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = values[i];
}
