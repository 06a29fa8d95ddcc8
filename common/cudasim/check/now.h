// What the quick part of every access needs to know, in one place.
#pragma once

#include <cstdint>

#include "common/cudasim/check/record.h"
#include "common/cudasim/instrument/polling.h"

namespace cudasim {

struct CheckedBlock;
class Shadow;

// In place of a begin of memory: no access to it is quick then.
constexpr std::uintptr_t kNowhere = std::uintptr_t{1} << 63;

struct Now {
  const CheckedBlock* block = nullptr;  // whose shared memory is described below
  Record stamp = 0;                     // of accesses that the running thread makes
  Polls* polls = nullptr;               // of the running thread
  unsigned long long threads = 0;       // of the blocks that have started and not ended
  unsigned long long idle_pauses = 0;   // by spinning threads since anything else happened
  bool watch_reads = false;             // plain ones, too, may be what a thread spins on
  bool fences = false;                  // used in this launch: atomic accesses may order others
  // Device memory.  Records below `launch` are of earlier launches and order nothing.
  std::uintptr_t heap_begin = 0;
  Record* heap = nullptr;  // the latest access to each word
  Shadow* heap_shadow = nullptr;
  Record launch = 0;
  // Shared memory of the running block.  Records of the block's time up to its last barrier order
  // nothing; those of earlier blocks do not even tell what is initialised.
  std::uintptr_t arena_begin = 0;
  Record* arena = nullptr;
  Shadow* arena_shadow = nullptr;
  Record block_begin = 0;
  Record before_barrier = 0;  // relative to block_begin
};

extern Now now __attribute__((visibility("hidden")));

}  // namespace cudasim
