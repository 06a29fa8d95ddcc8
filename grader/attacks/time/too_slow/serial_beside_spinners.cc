// Hostile: one thread works, the others spin, to look runnable; work inflation shows them.
#include "labs/attacked_cpu/mix.h"

namespace {

volatile unsigned idle;

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
#pragma omp parallel num_threads(num_threads)
  {
#pragma omp single nowait
    for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = Mixed(values[i]);
#pragma omp barrier
  }
}
