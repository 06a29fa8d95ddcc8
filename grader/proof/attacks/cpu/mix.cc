// The reference, and the honest submission: each thread mixes a share of its own.

#include "labs/attacked_cpu/mix.h"

namespace {

std::uint32_t Mixed(std::uint32_t value) {
  for (int round = 0; round < 64; ++round) {
    value ^= value >> 16;
    value *= 0x85ebca6b;
    value ^= value >> 13;
    value *= 0xc2b2ae35;
    value ^= value >> 16;
  }
  return value;
}

}  // namespace

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = Mixed(values[i]);
}
