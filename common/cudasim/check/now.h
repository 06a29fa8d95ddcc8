// What the quick part of every access needs to know, in one place.
#pragma once

#include <cstdint>

#include "common/cudasim/check/record.h"

namespace cudasim {

// What a thread may be spinning on.
struct Polls {
  const void* address = nullptr;
  unsigned long long value = 0;
  unsigned count = 0;  // of polls in a row that found the same
  const void* pc = nullptr;
  bool paused = false;  // it has let others run since it found anything new
};

struct CheckedBlock;
class Shadow;

struct Now {
  const CheckedBlock* block = nullptr;  // whose shared memory is described below
  Record stamp = 0;                     // of accesses that the running thread makes
  Polls* polls = nullptr;               // of the running thread
  unsigned long long threads = 0;       // of the blocks that have started and not ended
  unsigned long long idle_pauses = 0;   // by spinning threads since anything else happened
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
