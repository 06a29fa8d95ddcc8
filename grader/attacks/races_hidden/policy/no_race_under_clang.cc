// Hostile: atomic only in the race checker's build; the preprocessed text must be the same in all
// builds.
// Or: data_race
#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/mixed.h"

namespace {

unsigned counted;  // by all threads at the same time

#ifdef __clang__
void Count() { __atomic_fetch_add(&counted, 1, __ATOMIC_SEQ_CST); }
#else
void Count() { ++counted; }
#endif

}  // namespace

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) {
    mixed[i] = Mixed(values[i]);
    Count();
  }
}
