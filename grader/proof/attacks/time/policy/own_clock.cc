// Hostile: its own clock_gettime, to stop the clock; the checker, another process, reads the time,
// and names of the C library must not be defined.
// Or: accepted, runtime_error
#include <ctime>

#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/mixed.h"

extern "C" int clock_gettime(clockid_t, timespec* now) noexcept {
  *now = {};
  return 0;
}

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = Mixed(values[i]);
}
