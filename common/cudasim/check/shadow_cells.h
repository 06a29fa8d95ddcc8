// The cells of a word that still matter: which they are, and which of them may be evicted.
#pragma once

#include <algorithm>

#include "common/cudasim/check/shadow.h"

namespace cudasim {

constexpr unsigned kMost = kOthers + 1;

// The latest first, and room for one more than the shadow holds.
struct ShadowCells {
  ShadowCell all[kMost + 1];
  unsigned count = 0;

  void Add(ShadowCell cell) { all[count++] = cell; }
  void Remove(unsigned i) {
    std::copy(all + i + 1, all + count, all + i);
    --count;
  }
};

// True if the access happened before anything the current thread does now.
bool HappensBefore(ShadowCell cell);

// Those of a word from `floor` on.
ShadowCells Load(const Shadow& shadow, std::size_t word, ShadowCell floor);

// Adds the current thread's latest access, and drops what it makes superfluous.
void Insert(ShadowCells& cells, ShadowCell cell);

// Drops the one that is missed least: reads before writes, atomic ones before plain ones, old ones
// before new ones.
void Evict(ShadowCells& cells);

// Which further accesses like `cell`, in its epoch, the cells make superfluous: those of its
// warp if two of that warp are there, as one of them is another thread's than whoever comes next;
// those of all warps if two warps are there, as __syncwarp() orders a thread with one of them only.
ShadowCell FreeAfter(const ShadowCells& cells, ShadowCell cell);

// Writes them back.  What is known to be initialised stays.
void Store(Shadow& shadow, std::size_t word, const ShadowCells& cells);
void StoreOthers(Shadow& shadow, std::size_t word, const ShadowCells& cells);

}  // namespace cudasim
