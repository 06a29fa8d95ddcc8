// Check mode's hooks of the scheduler: grids, blocks, threads and barriers.
#include "common/cudasim/hooks/hooks.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "common/cudasim/check/cluster_order.h"
#include "common/cudasim/check/early_return.h"
#include "common/cudasim/check/epoch_reset.h"
#include "common/cudasim/check/family_order.h"
#include "common/cudasim/check/global_shadow.h"
#include "common/cudasim/check/livelock.h"
#include "common/cudasim/check/now.h"
#include "common/cudasim/check/races.h"
#include "common/cudasim/check/schedule.h"
#include "common/cudasim/check/state.h"
#include "common/cudasim/check/stream_order.h"
#include "common/cudasim/check/survive.h"
#include "common/cudasim/check/sync_order.h"
#include "common/cudasim/check/uninitialised.h"
#include "common/cudasim/check/volatile_order.h"
#include "common/cudasim/runtime/diagnostics/report.h"

namespace cudasim {
namespace {

// The fiber's first thread ever, or its first of this block.
__attribute__((noinline, cold)) void BeginFirstThread() {
  if (current_fiber->checked == nullptr) current_fiber->checked = new CheckedThread;
  RefreshNow();
  BeginCheckedThread();
}

// Clears the vector clock that the fiber's previous thread has left.
__attribute__((noinline, cold)) void ForgetAndBegin(CheckedThread& thread) {
  thread.clocks.Clear();
  thread.has_clocks = false;
  BeginCheckedThread();
}

__attribute__((noinline, cold)) void ReportWhatIsHeld() {
  if (invalid_write.bytes != 0) UndoInvalidWrite();
  if (held_read.is_held) ReportHeldRead();
  if (held_write.bytes != 0) ReportHeldWrite();
  SettleStaleWrite();
}

// To be called before other threads run.
void ReportHeld() {
  const bool any = held_read.is_held || held_write.bytes != 0 || invalid_write.bytes != 0 ||
                   schedule.stale.thread != kNoThread;
  if (__builtin_expect(any, 0)) ReportWhatIsHeld();
}

}  // namespace

void OnGridBegin(Grid& grid) {
  if (grid.blocks * grid.threads >= kNoThread) {
    std::fprintf(stderr,
                 "error: launch too large for check mode: %s:%d: %llu threads, limit %u\n"
                 "  next: check it with a smaller grid\n",
                 grid.launched_at.file, grid.launched_at.line, grid.blocks * grid.threads,
                 kNoThread);
    std::exit(1);
  }
  running.watch_reads = false;
  PrepareGlobalShadow();
  ResetEpochsIfLow();
  BeginGrid(grid);
  BeginFamilyGrid(grid);
  BeginStreamWatch();
  ForgetReleases();
  BeginSchedule();
  running.threads = 0;
  ForgetIdlePauses();
}

void OnGridEnd(Grid& grid) {
  ReportHeld();
  ReportUninitialisedReads();
  ReportRepeats();
  EndStreamWatch();
  EndFamilyGrid(grid);
  latest_launch = {checked_grid.first, grid.extent, grid.block_extent};
  checked_grid.grid = nullptr;
}

void OnBlockBegin(Block& block) {
  if (block.checked == nullptr) block.checked = NewCheckedBlock();
  running.block = nullptr;
  CheckedBlock& checked = *block.checked;
  checked.begin = checked.last_barrier = checked.current = NextEpoch(block);
  checked.passed = {};
  checked.linear = static_cast<unsigned>(block.linear);
  checked.first_thread = checked.linear * block.grid->threads;
  checked.clocks.Clear();
  checked.fenced.Clear();
  checked.copies.Clear();
  checked.cluster_phases = checked.waits_in_cluster = 0;
  checked.is_shared_outside = false;
  checked.outside.clear();
  if (block.rank == 0) BeginCheckedCluster(*block.cluster);
  std::fill(checked.sync_reads, checked.sync_reads + CheckedBlock::kSyncReads, SyncRead{});
  checked.next_thread.Begin(block.grid->block_extent);
  checked.first_returned = {};
  running.threads += block.threads;
}

void OnBlockEnd(Block& block) {
  if (!block.checked->outside.empty()) ReportLateOutsideAccesses(block);
  running.threads -= block.threads;
}

void OnKernelResumed() { RefreshNow(); }
void OnSweep(SweepEvent) {}

void BeginCheckedThread() {
  Block& block = *CurrentBlock();
  CheckedBlock& checked = *block.checked;
  CheckedThread* const thread = current_fiber->checked;
  if (__builtin_expect(thread == nullptr || running.block != &checked, 0))
    return BeginFirstThread();
  if (__builtin_expect(thread->has_clocks, 0)) return ForgetAndBegin(*thread);
  const unsigned index = block.next++;
  thread->in_block = index;
  thread->fence = thread->device_fence = thread->cluster_phases = thread->looks_made = 0;
  thread->latest_read = thread->volatile_write = nullptr;
  thread->polls.Forget();
  thread->polls.gives_way_soon = schedule.pauses != 0;
  running.stamp = Stamp(checked.current, index);
  running.polls = &thread->polls;
  in_kernel = true;
  checked.next_thread.StartNext();
}

// If a thread returned before any waited, thread (0, 0, 0) returned first, as `first_returned` says
// from the block's start.
void EndCheckedThread() {
  in_kernel = false;
  ReportHeld();
  NoteProgress();
  Block& block = *CurrentBlock();
  if (__builtin_expect(!block.checked->outside.empty(), 0)) {
    ForgetOrderedOutsideAccesses(*block.checked);
  }
  if (__builtin_expect(!block.blocked, 1)) return;
  if (block.live == block.threads) block.checked->first_returned = threadIdx;
  ThreadReturnedLate();
}

void OnBarrierArrive(Block& block, const Site& site) {
  ReportHeld();
  const Site& others = block.barrier;
  if (block.arrived > 0 &&
      (others.line != site.line ||
       (others.file != site.file && std::string_view(others.file) != site.file))) {
    Report({"barrier_divergence",
            DescribeKernel() + ", " + ToString(site) +
                ": __syncthreads() reached while other threads of the block wait in the one at " +
                ToString(others),
            {DescribeCurrentThread(), DescribeLaunch()}});
  }
}

// Joins the threads' vector clocks into the block's.
void OnBarrierRelease(Block& block) {
  CheckedBlock& checked = *block.checked;
  CheckNobodyReturned(block, "__syncthreads()", block.barrier);
  NoteProgress();
  if (running.fences) ShareFences(block);
  checked.last_barrier = checked.current = NextEpoch(block);
  checked.passed = block.barrier;
  // Without fences, and without a barrier of the cluster, no thread has anything to share.
  if (!running.fences && !block.uses_cluster) return;
  const auto share = [&](Fiber* fiber) {
    if (fiber->checked == nullptr) return;
    checked.cluster_phases = std::max(checked.cluster_phases, fiber->checked->cluster_phases);
    if (!fiber->checked->has_clocks) return;
    checked.clocks.Join(fiber->checked->clocks);
    fiber->checked->clocks.Clear();
    fiber->checked->has_clocks = false;
  };
  for (Fiber* fiber = block.at_barrier.front(); fiber != nullptr; fiber = fiber->next) share(fiber);
  share(current_fiber);
}

}  // namespace cudasim
