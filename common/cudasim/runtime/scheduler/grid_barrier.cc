#include "common/cudasim/runtime/scheduler/grid_barrier.h"

#include <chrono>

#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/memory/describe.h"
#include "common/cudasim/runtime/scheduler/leave_kernel.h"
#include "common/cudasim/runtime/scheduler/worker.h"

namespace cudasim {
namespace {

// An abort notifies no waiter, so waiters poll for it at this interval.
constexpr std::chrono::milliseconds kLookForAborts{5};

void WaitForAllBlocks(const Site& site) {
  Block& block = *CurrentBlock();
  const Grid& grid = *block.grid;
  if (!grid.cooperative) {
    Report({"invalid_grid_sync",
            "kernel " + std::string(grid.source.name) + ", " + ToString(site) +
                ": grid.sync() in a launch that is not cooperative",
            {DescribeCurrentThread(), DescribeLaunch(grid),
             "launch the kernel with cudaLaunchCooperativeKernel()"}});
    MakeSticky(cudaErrorLaunchFailure);
    Worker::Current().Abandon();
  }
  NoteWait(block);
  current_fiber->site = site;
  OnGridArrive(*current_fiber);
  block.at_grid_barrier.Push(current_fiber);
  ++block.arrived_at_grid;
  Worker::Current().Switch();
}

}  // namespace

void GridBarrier::Settle(const Grid& grid) {
  if (arrived_ == 0 || arrived_ + left_ != grid.blocks) return;
  if (left_ > 0) {
    stuck_ = true;
  } else {
    arrived_ = 0;
    ++round_;
  }
  changed_.notify_all();
}

unsigned long long GridBarrier::Arrive(const Grid& grid) {
  const std::lock_guard lock(mutex_);
  const unsigned long long round = round_;
  ++arrived_;
  Settle(grid);
  return round;
}

void GridBarrier::Leave(const Grid& grid) {
  const std::lock_guard lock(mutex_);
  ++left_;
  Settle(grid);
}

bool GridBarrier::Wait(const Grid& grid, unsigned long long round) {
  std::unique_lock lock(mutex_);
  while (round_ == round && !stuck_ && !grid.aborted) changed_.wait_for(lock, kLookForAborts);
  return round_ != round;
}

}  // namespace cudasim

extern "C" {

void cudasim_grid_sync(const char* file, int line) {
  const cudasim::LeaveKernel leave;
  cudasim::WaitForAllBlocks({file, line});
}

int cudasim_is_cooperative() { return cudasim::CurrentBlock()->grid->cooperative; }

}  // extern "C"
