// Hostile: the race in bytes of machine code, which no compiler instruments: an array among the
// functions.
// Or: data_race
#include "labs/attacked_cpu/mix.h"

namespace {

unsigned counted;  // by all threads at the same time

// incl (%rdi); ret
__attribute__((section(".text.increment"))) const unsigned char increment[] = {0xff, 0x07, 0xc3};

void Count() {
  unsigned* const place = &counted;
  reinterpret_cast<void (*)(unsigned*)>(reinterpret_cast<std::uintptr_t>(increment))(place);
}

}  // namespace
