// What the scheduler tells check mode: grids, blocks, threads and barriers.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "common/cudasim/check/global_shadow.h"
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
  CheckedBlock& checked = *block.checked;
  checked.begin = checked.epoch = checked.current = NextSerial(block);
  checked.linear = static_cast<unsigned>(block.linear);
  checked.knowledge.Clear();
  checked.next_thread = {};
  checked.returned = 0;
}

void OnBlockEnd(Block&) {}

void OnKernelResumed() { RefreshNow(); }

void BeginCheckedThread() {
  Block& block = *CurrentBlock();
  CheckedBlock& checked_block = *block.checked;
  const Grid& grid = *block.grid;
  if (current_fiber->checked == nullptr) current_fiber->checked = new CheckedThread;
  CheckedThread& thread = *current_fiber->checked;
  thread.in_block = block.next++;
  thread.id = checked_block.linear * grid.threads + thread.in_block;
  thread.fence = 0;
  if (!thread.knowledge.empty()) thread.knowledge.Clear();
  thread.polled = nullptr;
  thread.polls = 0;
  uint3& next = checked_block.next_thread;
  threadIdx = current_fiber->thread_index = next;
  if (++next.x == grid.block_extent.x) {
    next.x = 0;
    if (++next.y == grid.block_extent.y) next = {0, 0, next.z + 1};
  }
  RefreshNow();
  in_kernel = true;
}

void EndCheckedThread() {
  in_kernel = false;
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
