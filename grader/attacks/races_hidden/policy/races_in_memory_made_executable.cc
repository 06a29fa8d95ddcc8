// Hostile: the race in machine code, in memory that it makes executable when it is loaded.
// Or: data_race
#include <sys/mman.h>

#include <cstring>

#include "labs/attacked_cpu/mix.h"

namespace {

unsigned counted;  // by all threads at the same time

void (*const increment)(unsigned*) = [] {
  const unsigned char code[] = {0xff, 0x07, 0xc3};  // incl (%rdi); ret
  void* const page =
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memcpy(page, code, sizeof code);
  return reinterpret_cast<void (*)(unsigned*)>(page);
}();

void Count() { increment(&counted); }

}  // namespace
