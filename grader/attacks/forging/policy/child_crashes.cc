// Hostile: a forked child crashes in the call and reports its fault on the shared pipe, so that the
// parent is blamed; fork is not allowed.
#include <unistd.h>

#include <csignal>

#include "labs/attacked_cpu/mix.h"

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  if (fork() == 0) raise(SIGSEGV);
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = values[i];
}
