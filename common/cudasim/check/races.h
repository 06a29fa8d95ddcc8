// Accesses by different threads to the same word that nothing orders.
#pragma once

#include "common/cudasim/check/access.h"
#include "common/cudasim/check/shadow.h"

namespace cudasim {

// One word of an access.
struct WordAccess {
  const Access& access;
  unsigned mask;  // bytes of the word
  Shadow& shadow;
  std::size_t word;
  bool shared;  // shared memory
};

// Compares the access of the current thread with the word's earlier ones, reports a race, and
// remembers the access.  The word's latest cell says which of its bytes are initialised.
void CheckRace(const WordAccess& what);

// The same for a plain read of the bytes `mask` of a word whose cells from `floor` on, which are
// all that can matter, are plain reads as well.  False, and nothing is done, if it takes
// CheckRace() to decide.
bool AddReader(Shadow& shadow, std::size_t word, unsigned mask, ShadowCell floor, const void* pc);

// To be called before the access is checked.
void NoteCompareAndSwap(const Access& access);

// Reports detector.held_read, a plain read that no compare-and-swap has explained: when
// its thread is about to return or to wait.
void ReportHeldRead();

}  // namespace cudasim
