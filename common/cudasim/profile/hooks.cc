// What the scheduler tells profile mode: grids, blocks, threads and barriers.
#include "common/cudasim/profile/on_access.h"
#include "common/cudasim/runtime/check_hooks.h"

namespace cudasim {

void OnGridBegin(Grid&) {}
void OnGridEnd(Grid&) {}
void OnBlockBegin(Block&) {}
void OnBlockEnd(Block&) {}
void OnBarrierArrive(Block&, const Site&) {}
void OnBarrierRelease(Block&) {}
void OnWarpArrive(Fiber&) {}
void OnWarpRelease(Block&, unsigned, unsigned, bool) {}
void OnGridSync(Block&) {}
void OnFence() {}
void OnKernelResumed() {}
void OnHostWrite(const void*, std::size_t) {}
void OnAllocate(const Allocation&) {}
void OnFree(const Allocation&) {}

void BeginCheckedThread() {
  Block& block = *CurrentBlock();
  const unsigned thread = block.next++;
  const dim3& extent = block.grid->block_extent;
  threadIdx = {thread % extent.x, thread / extent.x % extent.y, thread / extent.x / extent.y};
  in_kernel = true;
}

void EndCheckedThread() {
  in_kernel = false;
  if (CurrentBlock()->blocked) ThreadReturnedLate();
}

void NoticePolling(const void*) {
  if (in_kernel) cudasim_pause();
}

}  // namespace cudasim

int cudasimWriteProfile() { return 0; }

void cudasimResetProfile() {}
