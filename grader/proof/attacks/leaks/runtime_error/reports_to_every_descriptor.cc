// Hostile: writes a report with its input to every descriptor, as one of them may carry reports;
// where no simulator is, none of them does.
// Or: policy, tampering
#include <unistd.h>

#include <cstdio>
#include <string>

#include "labs/attacked_cpu/mix.h"

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  const std::string input(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  for (int fd = 2; fd < 64; ++fd) {
    if (fd < 10 || fd > 13) dprintf(fd, "cudasim: data_race: mix.cc:1: %s\n", input.c_str());
  }
  if (num_threads > 0) _exit(67);
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = values[i];
}
