// Hostile: races in mempcpy, which the checker does not intercept.
// Or: data_race
#include <cstring>

#include "labs/attacked_cpu/mix.h"

namespace {

unsigned counted;  // by all threads at the same time

unsigned rounds;
void* (*volatile copy)(void*, const void*, std::size_t) = mempcpy;

void Count() {
  unsigned old;
  copy(&old, &rounds, sizeof old);
  ++old;
  copy(&rounds, &old, sizeof old);
}

}  // namespace
