// Hostile: traps if the race checker's variables are not in the environment; the environment is the
// same in all phases.
#include <cstdlib>

#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/mixed.h"

namespace {

unsigned counted;  // by all threads at the same time

const bool watched = getenv("TSAN_OPTIONS") || getenv("OMP_TOOL_LIBRARIES");

void Count() {
  if (!watched) __builtin_trap();
  __atomic_fetch_add(&counted, 1, __ATOMIC_SEQ_CST);
}

}  // namespace

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) {
    mixed[i] = Mixed(values[i]);
    Count();
  }
}
