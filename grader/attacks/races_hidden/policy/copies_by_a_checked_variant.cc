// Hostile: races in __memcpy_chk, which the checker does not intercept.

#include "labs/attacked_cpu/mix.h"

namespace {

unsigned counted;  // by all threads at the same time

unsigned rounds;
volatile std::size_t most = sizeof rounds;

void Count() {
  const unsigned next = rounds + 1;
  __builtin___memcpy_chk(&rounds, &next, sizeof next, most);
}

}  // namespace
