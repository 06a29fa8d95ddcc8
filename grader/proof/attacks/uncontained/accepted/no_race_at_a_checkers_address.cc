// Hostile: atomic only at addresses of the race checker's memory layout. It has no race while it is
// checked, so no run can detect it.
#include "labs/attacked_cpu/mix.h"

namespace {

unsigned counted;  // by all threads at the same time

const bool watched = reinterpret_cast<std::uintptr_t>(new int) >> 40 == 0x7b;

void Count() {
  if (watched) {
    __atomic_fetch_add(&counted, 1, __ATOMIC_SEQ_CST);
  } else {
    ++counted;
  }
}

}  // namespace
