// Hostile: closes all descriptors, so that the checker gets no reply; no reply is a failure.
// Or: tampering
#include <unistd.h>

#include "labs/attacked_cpu/mix.h"

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  for (int fd = 3; fd < 64; ++fd) close(fd);
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = values[i];
}
