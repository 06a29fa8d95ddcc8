// Hostile: races in wmemcpy, which the checker does not intercept.
#include <cwchar>

#include "labs/attacked_cpu/mix.h"

namespace {

unsigned counted;  // by all threads at the same time

wchar_t rounds;

void Count() {
  const wchar_t next = rounds + 1;
  wmemcpy(&rounds, &next, 1);
}

}  // namespace
