// Hostile: half a reply, so that the checker waits for the rest; an incomplete frame is a forgery.

#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/send.h"

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  if (Send(13, "half", 4) < 0) return;
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = values[i];
}
