// Asynchronous copies of cooperative groups.
#pragma once

#include "cudasim/async_copies.h"
#include "cudasim/lane_groups.h"

namespace cooperative_groups {

// Each call is a batch.  All threads of the group make it; each copies a share.
template <class Group, class To, class From>
CUDASIM_INLINE void memcpy_async(const Group& group, To* to, const From* from,
                                 unsigned long bytes) {
  ::cudasim::CopyShare(to, from, bytes, group.thread_rank(), group.size(), nullptr);
  ::cudasim::CommitCopies();
}

// Copies the elements that both arrays have.
template <class Group, class T, class Count, class OtherCount>
CUDASIM_INLINE void memcpy_async(const Group& group, T* to, const Count& to_count, const T* from,
                                 const OtherCount& from_count) {
  const unsigned long here = to_count;
  const unsigned long there = from_count;
  memcpy_async(group, to, from, (here < there ? here : there) * sizeof(T));
}

// Waits for the group's batches but the last kBut.
template <unsigned kBut, class Group>
CUDASIM_INLINE void wait_prior(const Group& group, CUDASIM_HERE) {
  ::cudasim::WaitForCopies(kBut);
  group.sync(file, line);
}

template <class Group>
CUDASIM_INLINE void wait(const Group& group, CUDASIM_HERE) {
  ::cudasim::WaitForCopies(0);
  group.sync(file, line);
}

}  // namespace cooperative_groups
