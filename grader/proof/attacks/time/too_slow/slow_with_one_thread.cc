// Hostile: serial work that is deliberately slow on one thread, to seem to scale; the one-thread
// time counts only up to a multiple of the reference's.
#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/mixed.h"

namespace {

volatile std::uint32_t burnt;

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
