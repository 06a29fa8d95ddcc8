// Hostile: serial work that is made slow for one thread only, to seem to scale; one thread is
// believed up to a multiple of the reference.
#include "labs/attacked_cpu/mix.h"

namespace {

volatile std::uint32_t burnt;

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
  const int repeats = num_threads == 1 ? 4 : 1;
  for (int r = 1; r < repeats; ++r) {
    for (const std::uint32_t value : values) burnt = Mixed(value);
  }
#pragma omp parallel num_threads(num_threads)
  {
#pragma omp master
    for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = Mixed(values[i]);
  }
}
