// Hostile: races in wmemcpy, which the checker does not intercept.
#include <cwchar>

#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/mixed.h"

namespace {

unsigned counted;  // by all threads at the same time

wchar_t rounds;

void Count() {
  const wchar_t next = rounds + 1;
  wmemcpy(&rounds, &next, 1);
}

}  // namespace

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) {
    mixed[i] = Mixed(values[i]);
    Count();
  }
}
