// What the fast path of every access needs to know, in one place.
#pragma once

#include <cstdint>

#include "common/cudasim/check/shadow_cell.h"
#include "common/cudasim/instrument/polling.h"

namespace cudasim {

struct CheckedBlock;
class Shadow;

// In place of a begin of memory: no access to it is quick then.
constexpr std::uintptr_t kNowhere = std::uintptr_t{1} << 63;

struct Now {
  const CheckedBlock* block = nullptr;  // whose shared memory is described below
  ShadowCell stamp = 0;                 // of accesses that the running thread makes
  Polls* polls = nullptr;               // of the running thread
  unsigned long long threads = 0;       // of the blocks that have started and not ended
  unsigned long long idle_pauses = 0;   // by spinning threads since anything else happened
  bool watch_reads = false;             // plain ones, too, may be what a thread spins on
  bool fences = false;                  // used in this launch: atomic accesses may order others
  // Device memory.  Cells below `launch` are of earlier launches and order nothing.
  std::uintptr_t heap_begin = 0;
  ShadowCell* heap = nullptr;  // the latest access to each word
  Shadow* heap_shadow = nullptr;
  ShadowCell launch = 0;
  // Shared memory of the running block.  Cells of the block's time up to its last barrier
  // order nothing; those of earlier blocks do not even tell what is initialised.
  std::uintptr_t arena_begin = 0;
  ShadowCell* arena = nullptr;
  Shadow* arena_shadow = nullptr;
  ShadowCell block_begin = 0;
  ShadowCell before_barrier = 0;  // relative to block_begin
};

}  // namespace cudasim
