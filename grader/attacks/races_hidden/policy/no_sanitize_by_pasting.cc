// Hostile: the attribute that switches the race checker off, pasted from two tokens.
// Or: data_race
#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/mixed.h"

namespace {

unsigned counted;  // by all threads at the same time

#define PASTE(a, b) a##b
__attribute__((PASTE(no_, sanitize)("thread"))) void Count() { ++counted; }

}  // namespace

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) {
    mixed[i] = Mixed(values[i]);
    Count();
  }
}
