// What the scheduler tells check mode: grids, blocks, threads and barriers.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "common/cudasim/check/state.h"
#include "common/cudasim/check/sync_order.h"
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
  BeginGrid(grid);
  ForgetReleases();
}

void OnGridEnd(Grid&) { checked_grid.grid = nullptr; }

void OnBlockBegin(Block& block) {
  if (block.checked == nullptr) {
    block.checked = new CheckedBlock;  // lives as long as its block, which is for good
    block.checked->shared_cells = ReserveCells(kArenaBytes);
  }
  CheckedBlock& checked = *block.checked;
  checked.begin = checked.epoch = checked.current = NextSerial(block);
  checked.knowledge.Clear();
  checked.returned = 0;
}

void OnBlockEnd(Block&) {}

void OnKernelResumed() {}

void OnHostWrite(const void*, std::size_t) {}

void BeginCheckedThread() {
  Block& block = *CurrentBlock();
  const unsigned thread = block.next++;
  const Grid& grid = *block.grid;
  const dim3& extent = grid.block_extent;
  threadIdx = {thread % extent.x, thread / extent.x % extent.y, thread / extent.x / extent.y};
  if (current_fiber->checked == nullptr) current_fiber->checked = new CheckedThread;
  CheckedThread& checked = *current_fiber->checked;
  checked.id = static_cast<ThreadId>(block.linear * grid.threads + thread);
  checked.fence = 0;
  checked.knowledge.Clear();
  checked.polled = nullptr;
  checked.polls = 0;
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
