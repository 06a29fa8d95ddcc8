// Hostile: detects the race checker's build by the version of OpenMP, which differs between the
// compilers.
// Or: data_race
#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/mixed.h"

namespace {

unsigned counted;  // by all threads at the same time

#if _OPENMP != 201511
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
