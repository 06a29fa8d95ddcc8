// Hostile: the race in bytes of machine code, which no compiler instruments: an array among the
// functions.
// Or: data_race
#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/mixed.h"

namespace {

unsigned counted;  // by all threads at the same time

// incl (%rdi); ret
__attribute__((section(".text.increment"))) const unsigned char increment[] = {0xff, 0x07, 0xc3};

void Count() {
  unsigned* const place = &counted;
  reinterpret_cast<void (*)(unsigned*)>(reinterpret_cast<std::uintptr_t>(increment))(place);
}

}  // namespace

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) {
    mixed[i] = Mixed(values[i]);
    Count();
  }
}
