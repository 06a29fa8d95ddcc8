// Hostile: prints its input like the last message of the C++ library and aborts; only fixed
// sentences of it are passed on.
// Or: policy
#include <cstdio>
#include <cstdlib>
#include <string>

#include "labs/attacked_cpu/mix.h"

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  const std::string input(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  fprintf(stderr, "terminate called after throwing an instance of 'std::%s'\n", input.c_str());
  fprintf(stderr, "free(): %s\n", input.c_str());
  if (num_threads > 0) abort();
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = values[i];
}
