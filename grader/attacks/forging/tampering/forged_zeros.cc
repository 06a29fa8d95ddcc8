// Hostile: frames of zeros to every descriptor, as replies that report success; replies must repeat
// a nonce.

#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/send.h"

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  const char zeros[4096] = {};
  for (int fd = 3; fd < 64; ++fd) {
    if (Send(fd, zeros, sizeof zeros) < 0) continue;
  }
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = values[i];
}
