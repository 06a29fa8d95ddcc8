// Hostile: races in __memcpy_chk, which the checker does not intercept.

#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/mixed.h"

namespace {

unsigned counted;  // by all threads at the same time

unsigned rounds;
volatile std::size_t most = sizeof rounds;

void Count() {
  const unsigned next = rounds + 1;
  __builtin___memcpy_chk(&rounds, &next, sizeof next, most);
}

}  // namespace

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) {
    mixed[i] = Mixed(values[i]);
    Count();
  }
}
