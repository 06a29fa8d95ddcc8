// Hostile: traps if the race checker's variables are not in the environment; the environment is the
// same in all phases.
#include <cstdlib>

unsigned counted;  // by all threads at the same time

const bool watched = getenv("TSAN_OPTIONS") || getenv("OMP_TOOL_LIBRARIES");

void Count() {
  if (!watched) __builtin_trap();
  __atomic_fetch_add(&counted, 1, __ATOMIC_SEQ_CST);
}
