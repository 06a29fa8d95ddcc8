// Asynchronous copies in flight.
//
// A copy's accesses enter the shadow memory when it is issued, as accesses of its thread.  Until it
// has been waited for, the thread's own later accesses do not follow them either; what a block has
// in flight is kept here, and each access of the block is compared with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "common/cudasim/check/shadow_cell.h"
#include "common/cudasim/instrument/access.h"

namespace cudasim {

struct PendingCopy {
  char* to;
  const char* from;
  std::size_t bytes;
  ShadowCell issued;  // epoch, thread and code
  const void* pc;
  std::uintptr_t owner;  // the thread in its block, or the address of a barrier
  unsigned batch;        // of the thread
};

// Those of a block.
class AsyncCopies {
 public:
  bool empty() const { return to_.empty(); }
  void Clear();
  void Add(const PendingCopy& copy);
  // The copy that touches the access's bytes and conflicts with it; null if there is none.
  const PendingCopy* FindConflict(const Access& access) const;

  unsigned Batch(unsigned thread) { return batches_[thread]; }
  void Commit(unsigned thread) { ++batches_[thread]; }
  // Removes the owner's copies of batches below `end`, and returns them.
  std::vector<PendingCopy> Take(std::uintptr_t owner, unsigned end);

 private:
  void Forget(const PendingCopy& copy);

  std::map<const char*, PendingCopy> to_;         // by destination
  std::multimap<const char*, const char*> from_;  // by source: the destination
  std::unordered_map<std::uintptr_t, std::vector<const char*>> owned_;  // by owner: destinations
  std::unordered_map<unsigned, unsigned> batches_;  // by thread: the batch that is open
  std::size_t longest_ = 0;                         // copy, in bytes
};

// The running thread's access; the copies are those in flight of the block whose memory it may be.
void CheckAgainstCopies(const Access& access, const AsyncCopies& copies);

}  // namespace cudasim
