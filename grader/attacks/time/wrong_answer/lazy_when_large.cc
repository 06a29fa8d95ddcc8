// Hostile: computes half of what it takes for a timed call by its size; timed outputs are compared,
// too.
#include "labs/attacked_cpu/mix.h"

namespace {

std::uint32_t Mixed(std::uint32_t value) {
  for (int round = 0; round < 64; ++round) {
    value = (value ^ value >> 16) * 0x85ebca6b;
    value = (value ^ value >> 13) * 0xc2b2ae35;
    value ^= value >> 16;
  }
  return value;
}

}  // namespace

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  const std::size_t n = values.size() >= 40'000 ? values.size() / 2 : values.size();
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < n; ++i) mixed[i] = Mixed(values[i]);
}
