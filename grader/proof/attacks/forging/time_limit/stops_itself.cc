// Hostile: stops itself by a signal, so that the checker waits for ever; every call has a limit.
// Or: runtime_error, policy
#include <signal.h>
#include <unistd.h>

#include "labs/attacked_cpu/mix.h"

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  kill(getpid(), SIGSTOP);
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = values[i];
}
