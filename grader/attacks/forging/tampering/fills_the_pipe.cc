// Hostile: fills the pipe of replies until it blocks, bounded by the pipe; the first frame is a
// forgery.

#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/send.h"

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  const char ones[4096] = {1};
  for (int i = 0; i < 20; ++i) {
    if (Send(13, ones, sizeof ones) < 0) break;
  }
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = values[i];
}
