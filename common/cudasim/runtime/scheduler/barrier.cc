// __syncthreads() and its relatives.
#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/hooks/mode.h"
#include "common/cudasim/runtime/scheduler/leave_kernel.h"
#include "common/cudasim/runtime/scheduler/spinning.h"
#include "common/cudasim/runtime/scheduler/worker.h"

namespace cudasim {
namespace {

bool Complete(const Block& block) {
  return block.arrived == block.live && block.next == block.threads;
}

void Release(Block& block) {
  if (__builtin_expect(kInstrumented, 0)) OnBarrierRelease(block);
  CountProgress();
  block.arrived = 0;
  block.ready.Append(block.at_barrier);
}

void WaitAtBarrier(Block& block, const Site& site) {
  NoteWait(block);
  Fiber* const self = current_fiber;
  self->site = site;
  if (__builtin_expect(kInstrumented, 0)) OnBarrierArrive(block, site);
  block.barrier = site;
  ++block.arrived;
  if (Complete(block)) {
    Release(block);
    return;
  }
  block.at_barrier.Push(self);
  Worker::Current().Switch();
}

}  // namespace

void NoteFirstWait(Block& block) {
  const unsigned returned = block.next - 1;
  block.live = block.threads - returned;
  block.warps.Reset(block.threads, returned);
  block.meetings = 0;
  current_fiber->thread_index = threadIdx;
  block.blocked = 1;
}

void ThreadReturnedLate() {
  Block& block = *CurrentBlock();
  --block.live;
  CountProgress();
  LaneReturned(block, CurrentThread());
  LeaveCluster(block, CurrentThread());
  if (block.live > 0 && Complete(block)) Release(block);
}

// First those that have not started, then the block's others, then other blocks.
void YieldThread(bool to_other_blocks) {
  const LeaveKernel leave;
  Block& block = *CurrentBlock();
  NoteWait(block);
  const bool alone = block.ready.empty();
  block.ready.Push(current_fiber);
  ++block.pauses;
  if (to_other_blocks) {
    Worker::Current().SwitchToWorker();
  } else if (block.next < block.threads) {
    Worker::Current().SwitchToNewThread();
  } else if (alone || block.pauses > block.live) {
    Worker::Current().SwitchToWorker();
  } else {
    Worker::Current().Switch();
  }
}

}  // namespace cudasim

extern "C" {

void cudasim_syncthreads(const char* file, int line) {
  const cudasim::LeaveKernel leave;
  cudasim::WaitAtBarrier(*cudasim::CurrentBlock(), {file, line});
}

// Two barriers: one after all have contributed, one after all have read.  The last reader clears
// the result, so that the next reduction starts afresh.
int cudasim_syncthreads_reduce(const char* file, int line, int predicate, int operation) {
  const cudasim::LeaveKernel leave;
  cudasim::Block& block = *cudasim::CurrentBlock();
  block.reduced[0] += predicate;
  block.reduced[1] &= predicate;
  block.reduced[2] |= predicate;
  cudasim::WaitAtBarrier(block, {file, line});
  const int result = block.reduced[operation];
  if (++block.readers == block.live) {
    block.reduced[0] = block.reduced[2] = 0;
    block.reduced[1] = 1;
    block.readers = 0;
  }
  cudasim::WaitAtBarrier(block, {file, line});
  return result;
}

void cudasim_fence(int block_only) {
  if (cudasim::current_fiber != nullptr) cudasim::OnFence(block_only != 0);
}

void cudasim_pause() {
  if (cudasim::current_fiber != nullptr) cudasim::YieldThread(false);
}

}  // extern "C"
