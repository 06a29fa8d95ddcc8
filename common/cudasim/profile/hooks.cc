// What the scheduler tells profile mode: grids, blocks, threads, barriers.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/cudasim/profile/on_access.h"
#include "common/cudasim/profile/report.h"
#include "common/cudasim/profile/tally.h"
#include "common/cudasim/runtime/check_hooks.h"

namespace cudasim {
namespace {

void WakeAll(Block& block) {
  CheckedBlock& checked = *block.checked;
  for (unsigned i = 0; i < checked.count; ++i) WakeLanes(checked.warps[i], ~0u);
}

}  // namespace

void OnGridBegin(Grid& grid) {
  ReportAtExit();
  current_profile = &ProfileOf(grid);
  launch_sectors.Clear();
  busiest_block_sectors = 0;
}

void OnGridEnd(Grid&) {
  ++current_profile->launches;
  current_profile->read_sectors += launch_sectors.read();
  current_profile->written_sectors += launch_sectors.written();
  current_profile->busiest_block_sectors += busiest_block_sectors;
  current_profile = nullptr;
}

void OnBlockBegin(Block& block) {
  if (block.checked == nullptr) block.checked = new CheckedBlock;  // lives as long as its block
  CheckedBlock& checked = *block.checked;
  checked.count = (block.threads + kWarpLanes - 1) / kWarpLanes;
  if (checked.warps.size() < checked.count) checked.warps.resize(checked.count);
  for (unsigned i = 0; i < checked.count; ++i) {
    ResetWarp(checked.warps[i], block.threads - i * kWarpLanes);
  }
}

void OnBlockEnd(Block& block) {
  std::uint64_t sectors = 0;
  for (unsigned i = 0; i < block.checked->count; ++i) sectors += block.checked->warps[i].sectors;
  busiest_block_sectors = std::max(busiest_block_sectors, sectors);
}

void BeginCheckedThread() {
  Block& block = *CurrentBlock();
  const unsigned thread = block.next++;
  const dim3& extent = block.grid->block_extent;
  threadIdx = {thread % extent.x, thread / extent.x % extent.y, thread / extent.x / extent.y};
  if (current_fiber->checked == nullptr) current_fiber->checked = new CheckedThread;
  StartLane(block.checked->warps[thread / kWarpLanes], thread % kWarpLanes,
            *current_fiber->checked);
  in_kernel = true;
}

void EndCheckedThread() {
  in_kernel = false;
  EndLane(*current_fiber->checked);
  if (CurrentBlock()->blocked) ThreadReturnedLate();
}

void OnBarrierArrive(Block&, const Site&) { QuietLane(*current_fiber->checked); }

void OnBarrierRelease(Block& block) {
  ++current_profile->barriers;
  WakeAll(block);
}

void OnWarpArrive(Fiber& fiber) { QuietLane(*fiber.checked); }

void OnWarpRelease(Block& block, unsigned warp, unsigned mask, bool orders_memory) {
  if (orders_memory) ++current_profile->warp_barriers;
  WakeLanes(block.checked->warps[warp], mask);
}

void OnGridSync(Block& block) {
  ++current_profile->barriers;
  WakeAll(block);
}

void OnFence() {}
void OnKernelResumed() {}
void OnStandstill() {}
void OnHostWrite(const void*, std::size_t) {}
void OnAllocate(const Allocation&) {}
void OnFree(const Allocation&) {}

void LetOthersRun(Polls&, const Access&) { cudasim_pause(); }

}  // namespace cudasim
