// Hostile: dies with 64 MB in memory, to leave a core file; none is written.
#include <cstdlib>
#include <cstring>

#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/mixed.h"

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  char* const memory = static_cast<char*>(malloc(64 << 20));
  memset(memory, 7, 64 << 20);
  if (memory[num_threads] == 7) abort();
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = Mixed(values[i]);
}
