// Hostile: switches the race checker off for the rest of the file, by an attribute in the string of
// a _Pragma.
// Or: data_race
#include "labs/attacked_cpu/mix.h"

namespace {

unsigned counted;  // by all threads at the same time

#ifdef __has_warning
_Pragma("clang attribute push(__attribute__((no_sanitize(\"thread\"))), apply_to = function)")
#endif
    void Count() {
  ++counted;
}
#ifdef __has_warning
_Pragma("clang attribute pop")
#endif

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
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) {
    mixed[i] = Mixed(values[i]);
    Count();
  }
}
