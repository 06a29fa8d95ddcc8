// Races between accesses of which at least one is volatile and the other volatile or atomic.
//
// By the PTX memory model a volatile access is relaxed: it orders nothing, and two of them are no
// data race by themselves.  They are reported where the program takes volatile for more than that:
//
//   lost update    two threads read a word and write it back, d[0] = d[0] + 1
//   lockstep       a thread updates a word from another one that its thread updates in the same
//                  place, as in a tree reduction or a scan without barriers
//   overwriting    a thread replaces a different value that another thread has written, and that
//                  it has not read
//   handing over   a flag passes the word on, but one side's fence is missing or too narrow; in a
//                  launch without fences, a flag for which threads wait
//
// What remains, a flag or a hint that some threads write and others read, is no race.
#pragma once

#include "common/cudasim/check/race.h"
#include "common/cudasim/check/races.h"

namespace cudasim {

// A volatile write whose race is held back until the value is known that it writes.
struct HeldWrite {
  Race race{};
  unsigned bytes = 0;  // 0: none
  unsigned long long value = 0;
};

extern HeldWrite held_write __attribute__((visibility("hidden")));

// True if the access and the earlier one, which nothing orders, are such a race.  May hold back the
// race until the value is known that the access writes.
bool IsVolatileRace(const WordAccess& what, ShadowCell earlier);

// To be called for each volatile access, before its races are looked for.
void NoteVolatile(const Access& access, unsigned code);

// Reports the held write if the write that it is about has changed the value.
void ReportHeldWrite();

}  // namespace cudasim
