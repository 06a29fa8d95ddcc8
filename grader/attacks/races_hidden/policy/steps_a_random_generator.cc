// Hostile: races in erand48, which the checker does not intercept.
#include <cstdlib>

#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/mixed.h"

namespace {

unsigned counted;  // by all threads at the same time

unsigned short state[3];

void Count() { erand48(state); }

}  // namespace

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) {
    mixed[i] = Mixed(values[i]);
    Count();
  }
}
