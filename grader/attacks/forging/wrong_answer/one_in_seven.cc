// Hostile: computes every seventh output, in the hope that only samples are compared; every output
// is compared.
#include "labs/attacked_cpu/mix.h"

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); i += 7) {
    std::uint32_t value = values[i];
    for (int round = 0; round < 64; ++round) {
      value = (value ^ value >> 16) * 0x85ebca6b;
      value = (value ^ value >> 13) * 0xc2b2ae35;
      value ^= value >> 16;
    }
    mixed[i] = value;
  }
}
