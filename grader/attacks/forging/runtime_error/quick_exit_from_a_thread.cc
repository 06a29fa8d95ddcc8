// Hostile: a thread ends the program with exit code 0 while the call goes on.
#include <cstdlib>

#include "labs/attacked_cpu/mix.h"

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) quick_exit(0);
}
