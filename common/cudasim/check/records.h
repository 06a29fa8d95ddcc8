// The records of a word that still matter: which they are, and which of them may be forgotten.
#pragma once

#include <algorithm>

#include "common/cudasim/check/shadow.h"

namespace cudasim {

constexpr unsigned kMost = kOthers + 1;

// The latest first, and room for one more than the shadow holds.
struct Records {
  Record all[kMost + 1];
  unsigned count = 0;

  void Add(Record record) { all[count++] = record; }
  void Remove(unsigned i) {
    std::copy(all + i + 1, all + count, all + i);
    --count;
  }
};

// True if the access happened before anything the current thread does now.
bool IsOrdered(Record record);

// Those of a word from `floor` on.
Records Load(const Shadow& shadow, std::size_t word, Record floor);

// Adds the current thread's latest access, and drops what it makes superfluous.
void Insert(Records& records, Record record);

// Drops the one that is missed least: reads before writes, atomic ones before plain ones, old ones
// before new ones.
void Evict(Records& records);

// Which further accesses like `record`, in its serial, the records make superfluous: those of its
// warp if two of that warp are there, as one of them is another thread's than whoever comes next;
// those of all warps if two warps are there, as __syncwarp() orders a thread with one of them only.
Record FreeAfter(const Records& records, Record record);

// Writes them back.  What is known to be initialised stays.
void Store(Shadow& shadow, std::size_t word, const Records& records);
void StoreOthers(Shadow& shadow, std::size_t word, const Records& records);

}  // namespace cudasim
