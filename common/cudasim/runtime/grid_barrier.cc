#include "common/cudasim/runtime/grid_barrier.h"

#include <algorithm>
#include <chrono>

#include "common/cudasim/runtime/check_hooks.h"
#include "common/cudasim/runtime/describe.h"
#include "common/cudasim/runtime/errors.h"
#include "common/cudasim/runtime/leave_kernel.h"
#include "common/cudasim/runtime/report.h"
#include "common/cudasim/runtime/worker.h"

namespace cudasim {
namespace {

// An abort elsewhere does not notify: look for one this often.
constexpr std::chrono::milliseconds kLookForAborts{5};

// Of the device that api_device.cc describes.
constexpr unsigned kMultiprocessors = 132;
constexpr unsigned kThreadsEach = 2048;
constexpr unsigned kBlocksEach = 32;
constexpr std::size_t kSharedBytesEach = std::size_t{228} << 10;
constexpr std::size_t kSharedBytesReserved = 1024;  // per block
// Each thread of a cooperative grid needs a stack with a guard page, and Linux gives a process
// 65,530 mappings.
constexpr unsigned kMaxCooperativeThreads = 24576;

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

unsigned long long MaxResidentBlocks(unsigned threads, std::size_t shared_bytes) {
  const unsigned rounded = (threads + kLanes - 1) / kLanes * kLanes;
  const std::size_t by_shared = kSharedBytesEach / (shared_bytes + kSharedBytesReserved);
  const std::size_t on_device =
      kMultiprocessors * std::min<std::size_t>({kBlocksEach, kThreadsEach / rounded, by_shared});
  return std::min<std::size_t>(on_device, kMaxCooperativeThreads / threads);
}

}  // namespace cudasim

extern "C" {

void cudasim_grid_sync(const char* file, int line) {
  const cudasim::LeaveKernel leave;
  cudasim::WaitForAllBlocks({file, line});
}

int cudasim_is_cooperative() { return cudasim::CurrentBlock()->grid->cooperative; }

}  // extern "C"
