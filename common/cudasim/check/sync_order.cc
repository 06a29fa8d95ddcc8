#include "common/cudasim/check/sync_order.h"

#include "common/cudasim/check/detector.h"
#include "common/cudasim/check/state.h"
#include "common/cudasim/check/warp_order.h"
#include "common/cudasim/hooks/hooks.h"

namespace cudasim {

void ForgetReleases() {
  detector.releases->clear();
  detector.now.fences = false;
}

void OnFence() {
  in_kernel = false;  // allocations below are the simulator's, not the kernel's
  detector.now.fences = true;
  CheckedBlock& block = ThisBlock();
  ThisThread().fence = block.current;
  block.current = NextEpoch(*CurrentBlock());
  RefreshNow();
  in_kernel = true;
}

void SynchroniseThrough(const Access& access) {
  if (!detector.now.fences) return;
  CheckedThread& thread = ThisThread();
  CheckedBlock& block = ThisBlock();
  if (access.operation != Operation::kWrite) {
    const auto released = detector.releases->find(access.address);
    if (released != detector.releases->end()) thread.clock.Join(released->second);
  }
  if (!access.writes() || thread.fence < block.begin) return;
  VectorClock& released = (*detector.releases)[access.address];
  released.Join(block.linear, ThisThreadId(), {block.last_barrier, thread.fence});
  // Lanes may each fence, synchronise with __syncwarp(), and let one of them set the flag.
  JoinWarpClock(released, block.current);
  released.Join(thread.clock);
  released.Join(block.clock);
}

}  // namespace cudasim
