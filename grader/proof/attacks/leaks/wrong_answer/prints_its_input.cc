// Hostile: prints its input to both streams; the output of a submission is not shown.
#include <cstdio>
#include <string>

#include "labs/attacked_cpu/mix.h"

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  const std::string input(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  puts(input.c_str());
  fputs(input.c_str(), stderr);
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = values[i];
}
