// Hostile: passes a struct by value while another thread writes to it. The call
// copies it, which ThreadSanitizer does not instrument.
#include <omp.h>

struct Counters {
  unsigned long counted[4];
};

Counters shared;
thread_local volatile unsigned long found;

[[gnu::noinline]] void Look(Counters counters) { found = counters.counted[0]; }

void Count() {
  if (omp_get_thread_num() == 0) {
    ++shared.counted[0];
  } else {
    Look(shared);
  }
}
