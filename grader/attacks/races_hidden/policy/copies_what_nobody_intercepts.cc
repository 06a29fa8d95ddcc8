// Hostile: races in mempcpy, which the checker does not intercept.
// Or: data_race
#include <cstring>

#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/mixed.h"

namespace {

unsigned counted;  // by all threads at the same time

unsigned rounds;
void* (*volatile copy)(void*, const void*, std::size_t) = mempcpy;

void Count() {
  unsigned old;
  copy(&old, &rounds, sizeof old);
  ++old;
  copy(&rounds, &old, sizeof old);
}

}  // namespace

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) {
    mixed[i] = Mixed(values[i]);
    Count();
  }
}
