#include "common/cudasim/profile/memory_barriers.h"

#include <algorithm>
#include <utility>

#include "common/cudasim/include/cuda_runtime.h"
#include "common/cudasim/include/cudasim/instrumented.h"
#include "common/cudasim/profile/lanes.h"

namespace cudasim {

CUDASIM_BEFORE_THE_PROGRAM MemoryBarriers memory_barriers;

void MemoryBarriers::Arrive(const void* barrier, std::uint64_t block, CheckedThread& thread) {
  thread.awaited = nullptr;
  std::uint64_t& latest = At(barrier, block).latest;
  latest = std::max(latest, thread.clock());
}

void MemoryBarriers::CompletePhase(const void* barrier, std::uint64_t block) {
  Barrier& b = At(barrier, block);
  b.floor = std::max(b.floor, b.latest);
  b.arrived.Add(std::exchange(b.bound, {}));
}

std::uint64_t MemoryBarriers::Wait(const void* barrier, std::uint64_t block,
                                   CheckedThread& thread) {
  if (thread.awaited != barrier || !UndoWait(thread)) {
    thread.awaited = barrier;
    thread.awaited_at = thread.operations;
  }
  Barrier& b = At(barrier, block);
  if (thread.clock() < b.floor) thread.AdvanceTo(b.floor);
  return std::exchange(b.arrived, {}).TimeUntil(thread.clock());
}

void MemoryBarriers::Bind(const void* barrier, std::uint64_t block, const CopyBatch& copies) {
  At(barrier, block).bound.Add(copies);
}

}  // namespace cudasim
