// __syncthreads() as it is compiled into kernels.
//
// A barrier is a chain of switches, one for each thread of a block, and dominates the time of
// kernels with shared memory.  In plain mode the usual case, where another thread of the block has
// yet to arrive, is therefore done in place.  The first thread that waits and the last one to
// arrive go through the scheduler.
#pragma once

#include "cudasim/switch.h"

extern "C" void cudasim_syncthreads(const char* file, int line);

namespace cudasim {

#if CUDASIM_SWITCHES_IN_PLACE

// Another thread of the block that can run but has not arrived, so that this arrival is not the
// last; null if the scheduler has to look for one.
CUDASIM_INLINE CUDASIM_UNCHECKED Fiber* TakeNextToArrive(BlockCursor* block) {
  Fiber* next = block->ready.Pop();
  if (next != nullptr || !block->blocked || block->next == block->threads) return next;
  next = idle_fibers;
  if (next != nullptr) idle_fibers = next->next;
  return next;
}

CUDASIM_INLINE CUDASIM_UNCHECKED void SyncThreads(const char* file, int line) {
  BlockCursor* const block = current_block;
  Fiber* const next = TakeNextToArrive(block);
  if (__builtin_expect(next == nullptr, 0)) {
    ::cudasim_syncthreads(file, line);
    return;
  }
  Fiber* const self = current_fiber;
  self->site = {file, line};
  ++block->arrived;
  block->at_barrier.Push(self);
  SwitchToThread(next);
}

#else

CUDASIM_INLINE CUDASIM_UNCHECKED void SyncThreads(const char* file, int line) {
  ::cudasim_syncthreads(file, line);
}

#endif

}  // namespace cudasim
