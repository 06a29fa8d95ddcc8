#pragma once

#include <vector>

#include "common/cudasim/check/shadow_cell.h"

namespace cudasim {

// A sparse vector clock.  For each block that it knows of: accesses of the whole block below the
// epoch `before` happened before, and those of some of its threads up to an epoch of their own.
// Only fences with atomics, and atomics that release, make entries.  Sorted, so that a barrier of
// many threads costs one merge for each of them.
class VectorClock {
 public:
  struct Entry {
    Epoch block_before = 0;
    Epoch thread_until = 0;
  };

  // The element-wise maximum.
  void Join(unsigned block, ThreadId thread, const Entry& entry);
  void Join(const VectorClock& other);
  // Joins the entries of one block only.
  void JoinBlock(const VectorClock& other, unsigned block);
  // True if the access of `thread` of `block` at `epoch` happened before the clock.
  bool Includes(unsigned block, ThreadId thread, Epoch epoch) const;
  // True if something of the block happened before the clock.
  bool Knows(unsigned block) const { return Find(block) != nullptr; }
  bool empty() const { return blocks_.empty(); }
  void Clear() { blocks_.clear(); }

 private:
  struct ThreadEntry {
    ThreadId thread;
    Epoch until;
  };
  struct BlockEntry {
    unsigned block;
    Epoch before;
    std::vector<ThreadEntry> threads;
  };

  const BlockEntry* Find(unsigned block) const;
  BlockEntry& FindOrMake(unsigned block);
  static void Join(BlockEntry& entry, const BlockEntry& other);

  std::vector<BlockEntry> blocks_;
};

}  // namespace cudasim
