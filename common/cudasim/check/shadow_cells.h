// The cells of a word whose accesses may still race, and the choice of those to evict.
#pragma once

#include <algorithm>

#include "common/cudasim/check/shadow.h"

namespace cudasim {

constexpr unsigned kMaxCells = kOthers + 1;

// The latest cell comes first.  There is room for one more than the shadow holds.
struct ShadowCells {
  ShadowCell all[kMaxCells + 1];
  unsigned count = 0;

  const ShadowCell* begin() const { return all; }
  const ShadowCell* end() const { return all + count; }
  void Add(ShadowCell cell) { all[count++] = cell; }
  void Remove(unsigned i) {
    std::copy(all + i + 1, all + count, all + i);
    --count;
  }
};

// True if the access happened before anything the current thread does now.
bool HappensBefore(ShadowCell cell);

// The word's cells that are not below `floor`, a run as the single reads.
ShadowCells Load(const Shadow& shadow, std::size_t word, ShadowCell floor);

// Adds the current thread's latest access and removes the cells that it makes redundant.
void Insert(ShadowCells& cells, ShadowCell cell);

// Removes the least useful cell: reads before writes, atomic accesses before plain ones, older ones
// before newer ones.
void Evict(ShadowCells& cells);

// The flags for accesses like `cell`, in its epoch, that need no cell.  Those of its warp need none
// if the cells hold two of that warp, as at least one is of another thread than the next access.
// Those of all warps need none if the cells hold two warps, as __syncwarp() orders a thread with
// only one of them.
ShadowCell RedundantAfter(const ShadowCells& cells, ShadowCell cell);

// Writes the cells back to the shadow.  Which bytes are initialised stays.
void Store(Shadow& shadow, std::size_t word, const ShadowCells& cells);
void StoreOthers(Shadow& shadow, std::size_t word, const ShadowCells& cells);

}  // namespace cudasim
