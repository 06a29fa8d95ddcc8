// What the quick part of every access needs to know, in one place.
#pragma once

#include <cstdint>

#include "common/cudasim/check/record.h"

namespace cudasim {

struct Now {
  Record stamp = 0;     // of accesses that the running thread makes
  bool fences = false;  // used in this launch: atomic accesses may order others
  // Device memory.  Records below `launch` are of earlier launches and order nothing.
  std::uintptr_t heap_begin = 0;
  Record* heap = nullptr;  // the latest access to each word
  Record launch = 0;
  // Shared memory of the running block.  Records of the block's time up to its last barrier order
  // nothing; those of earlier blocks do not even tell what is initialised.
  std::uintptr_t arena_begin = 0;
  Record* arena = nullptr;
  Record block_begin = 0;
  Record before_barrier = 0;  // relative to block_begin
};

extern Now now __attribute__((visibility("hidden")));

}  // namespace cudasim
