// Hostile: loops for 20 seconds with all signals blocked; SIGKILL ends it from outside.
// Or: policy
#include <signal.h>

#include <ctime>

#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/mixed.h"

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  const std::time_t end = std::time(nullptr) + 20;
  while (std::time(nullptr) < end) {
  }
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = Mixed(values[i]);
}
