#include "common/cudasim/check/sync_order.h"

#include <unordered_map>

#include "common/cudasim/check/now.h"
#include "common/cudasim/check/state.h"
#include "common/cudasim/check/warp_order.h"
#include "common/cudasim/hooks/hooks.h"

namespace cudasim {
namespace {

// What was known, by address, when it was last written with release.
std::unordered_map<const void*, Knowledge>& Releases() {
  static auto* const releases = new std::unordered_map<const void*, Knowledge>;
  return *releases;
}

}  // namespace

void ForgetReleases() {
  Releases().clear();
  now.fences = false;
}

void OnFence() {
  in_kernel = false;  // what it allocates is the simulator's
  now.fences = true;
  CheckedBlock& block = ThisBlock();
  ThisThread().fence = block.current;
  block.current = NextSerial(*CurrentBlock());
  RefreshNow();
  in_kernel = true;
}

void SynchroniseThrough(const Access& access) {
  if (!now.fences) return;
  CheckedThread& thread = ThisThread();
  CheckedBlock& block = ThisBlock();
  if (access.operation != Operation::kWrite) {
    const auto released = Releases().find(access.address);
    if (released != Releases().end()) thread.knowledge.Learn(released->second);
  }
  if (!access.writes() || thread.fence < block.begin) return;
  Knowledge& released = Releases()[access.address];
  released.Learn(block.linear, ThisThreadId(), {block.epoch, thread.fence});
  // As with __syncthreads(): lanes may each fence, meet, and leave the flag to one of them.
  LearnFromWarp(released, block.current);
  released.Learn(thread.knowledge);
  released.Learn(block.knowledge);
}

}  // namespace cudasim
