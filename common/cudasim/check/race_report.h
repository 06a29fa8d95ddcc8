// What is said of two accesses that race.
#pragma once

#include "common/cudasim/check/access.h"
#include "common/cudasim/check/state.h"

namespace cudasim {

// An access, and an earlier one that nothing orders with it.
struct Race {
  Access access;
  ThreadId self;
  Record earlier;
  std::size_t word;
  bool shared;  // shared memory
};

// Races between the same two places, of the same kinds, are one finding: which one is remembered,
// so that a kernel that races a million times can go on.
void ReportRace(const Race& race);

}  // namespace cudasim
