// Hostile: prints its input after the simulator's prefix and ends with its exit code; reports use
// their own descriptor.
// Or: policy
#include <unistd.h>

#include <cstdio>
#include <string>

#include "labs/attacked_cpu/mix.h"

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  const std::string input(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  fprintf(stderr, "cudasim: data_race: mix.cc:1: %s\n", input.c_str());
  if (num_threads > 0) _exit(67);
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = values[i];
}
