// What the scheduler tells check mode: grids, blocks, threads and barriers.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "common/cudasim/check/global_shadow.h"
#include "common/cudasim/check/livelock.h"
#include "common/cudasim/check/state.h"
#include "common/cudasim/check/stream_order.h"
#include "common/cudasim/check/sync_order.h"
#include "common/cudasim/check/uninitialised.h"
#include "common/cudasim/runtime/check_hooks.h"
#include "common/cudasim/runtime/report.h"

namespace cudasim {
namespace {

void ReportEarlyReturn(const Block& block) {
  const CheckedBlock& checked = *block.checked;
  Report({"barrier_divergence",
          DescribeKernel() + ", " + ToString(block.barrier) + ": " +
              std::to_string(checked.returned) + " of " + std::to_string(block.threads) +
              " threads returned before the __syncthreads() that the others wait in",
          {"first to return: thread " + ToString(checked.first_returned) + " of block " +
               ToString(block.index),
           DescribeLaunch()}});
}

__attribute__((noinline, cold)) void PrepareFiber() { current_fiber->checked = new CheckedThread; }

// Number by number: wider copies would wait for the last narrow store.
void SetIndex(const uint3& index) {
  threadIdx.x = current_fiber->thread_index.x = index.x;
  threadIdx.y = current_fiber->thread_index.y = index.y;
  threadIdx.z = current_fiber->thread_index.z = index.z;
}

__attribute__((noinline, cold)) void BeginRow(uint3& next) {
  next.x = 0;
  if (++next.y < CurrentBlock()->grid->block_extent.y) return;
  next.y = 0;
  ++next.z;
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
  PrepareGlobalShadow();
  BeginGrid(grid);
  BeginStreamWatch();
  ForgetReleases();
  now.threads = 0;
  ForgetIdlePauses();
}

void OnGridEnd(Grid&) {
  ReportUninitialisedReads();
  ReportRepeats();
  EndStreamWatch();
  checked_grid.grid = nullptr;
}

void OnBlockBegin(Block& block) {
  if (block.checked == nullptr) {
    block.checked = new CheckedBlock;  // lives as long as its block, which is for good
    block.checked->shadow.Reserve(kArenaBytes);
  }
  now.block = nullptr;
  CheckedBlock& checked = *block.checked;
  checked.begin = checked.epoch = checked.current = NextSerial(block);
  checked.linear = static_cast<unsigned>(block.linear);
  checked.first_thread = checked.linear * block.grid->threads;
  checked.row = block.grid->block_extent.x;
  checked.knowledge.Clear();
  checked.next_thread = {};
  checked.returned = 0;
}

void OnBlockEnd(Block&) {}

void OnKernelResumed() { RefreshNow(); }

void BeginCheckedThread() {
  Block& block = *CurrentBlock();
  CheckedBlock& checked_block = *block.checked;
  if (__builtin_expect(current_fiber->checked == nullptr, 0)) PrepareFiber();
  CheckedThread& thread = *current_fiber->checked;
  thread.in_block = block.next++;
  thread.id = checked_block.first_thread + thread.in_block;
  thread.fence = 0;
  if (__builtin_expect(!thread.knowledge.empty(), 0)) thread.knowledge.Clear();
  thread.polls.address = nullptr;
  CountThreads(1);
  SetIndex(checked_block.next_thread);
  if (__builtin_expect(++checked_block.next_thread.x == checked_block.row, 0)) {
    BeginRow(checked_block.next_thread);
  }
  if (__builtin_expect(now.block != &checked_block, 0)) RefreshNow();
  now.stamp = Stamp(checked_block.current, thread.in_block);
  now.polls = &thread.polls;
  in_kernel = true;
}

void EndCheckedThread() {
  in_kernel = false;
  CountThreads(-1);
  Block& block = *CurrentBlock();
  if (block.checked->returned++ == 0) block.checked->first_returned = threadIdx;
  if (block.blocked) ThreadReturnedLate();
}

void OnBarrierArrive(Block& block, const Site& site) {
  const Site& others = block.barrier;
  if (block.arrived > 0 &&
      (others.line != site.line || std::string_view(others.file) != site.file)) {
    Report({"barrier_divergence",
            DescribeKernel() + ", " + ToString(site) +
                ": __syncthreads() reached while other threads of the block wait in the one at " +
                ToString(others),
            {DescribeCurrentThread(), DescribeLaunch()}});
  }
}

// The threads' knowledge becomes the block's.
void OnBarrierRelease(Block& block) {
  CheckedBlock& checked = *block.checked;
  if (checked.returned > 0) ReportEarlyReturn(block);
  NoteProgress();
  checked.epoch = checked.current = NextSerial(block);
  const auto share = [&](Fiber* fiber) {
    if (fiber->checked == nullptr || fiber->checked->knowledge.empty()) return;
    checked.knowledge.Learn(fiber->checked->knowledge);
    fiber->checked->knowledge.Clear();
  };
  for (Fiber* fiber = block.at_barrier.front(); fiber != nullptr; fiber = fiber->next) share(fiber);
  share(current_fiber);
}

}  // namespace cudasim
