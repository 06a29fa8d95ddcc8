// Detects data races: conflicting accesses to a word that happens-before does not order.
//
// A happens-before detector like FastTrack (Flanagan and Freund, PLDI 2009) with the shadow
// cells of ThreadSanitizer (Serebryany and Iskhodzhanov, WBIA 2009; its second version): each
// 4-byte word of device and shared memory has up to four cells, each with the epoch and thread of
// an access (FastTrack's c@t).  Threads have no vector clock of their own until they need one:
// the epoch of a block's last barrier orders its threads; __syncwarp() gives lanes vector clocks of
// 32 entries; fences with atomics give threads sparse ones.
#pragma once

#include "common/cudasim/check/check_access.h"
#include "common/cudasim/check/race.h"
#include "common/cudasim/check/shadow.h"

namespace cudasim {

// One word of an access.
struct WordAccess {
  const Access& access;
  unsigned mask;  // bytes of the word
  Shadow& shadow;
  std::size_t word;
  bool shared;       // shared memory
  ShadowCell floor;  // accesses in cells below it happened before
};

// A plain read whose race is held back until a compare-and-swap explains it.
struct HeldRead {
  bool is_held = false;
  Race race{};
};

extern HeldRead held_read __attribute__((visibility("hidden")));

// Compares the running thread's access with the word's cells, reports a race, and stores the
// access.  The initialised bytes in the word's latest cell stay.
void CheckRace(const WordAccess& what);

// Fast path of CheckRace() for a plain read of the bytes `mask` of a word whose cells from `floor`
// on are all plain reads; those below `floor` happened before.  Returns false and does nothing if
// CheckRace() must decide.
bool AddReader(Shadow& shadow, std::size_t word, unsigned mask, ShadowCell floor, const void* pc);

// To be called before the access is checked.
void NoteCompareAndSwap(const Access& access);

// Reports the held read, a plain read that no compare-and-swap has explained.  Called when its
// thread is about to return or to wait.
void ReportHeldRead();

}  // namespace cudasim
