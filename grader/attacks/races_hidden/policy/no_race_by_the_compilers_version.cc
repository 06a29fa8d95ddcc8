// Hostile: detects the race checker's build at run time, by __VERSION__.
// Or: data_race
#include "labs/attacked_cpu/mix.h"

namespace {

unsigned counted;  // by all threads at the same time

void Count() {
  if (__VERSION__[0] == 'D' || __VERSION__[0] == 'C') {
    __atomic_fetch_add(&counted, 1, __ATOMIC_SEQ_CST);
  } else {
    ++counted;
  }
}

}  // namespace
