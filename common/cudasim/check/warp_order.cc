#include "common/cudasim/check/warp_order.h"

#include <algorithm>

#include "common/cudasim/check/early_return.h"
#include "common/cudasim/check/state.h"
#include "common/cudasim/hooks/hooks.h"

namespace cudasim {

// Never destroyed, like its block; valid only if `since` is not before the block's begin.
struct WarpClocks {
  // One lane's vector clock: for each lane of its warp, the epoch before which that lane's accesses
  // happened before.
  struct Lane {
    Epoch before[kLanes] = {};
  };

  Epoch since = 0;
  Lane lanes[kLanes];
};

namespace {

using Clocks = WarpClocks::Lane;

WarpClocks* FindClocks(const CheckedBlock& block, unsigned warp) {
  if (block.warp_clocks == nullptr) return nullptr;
  WarpClocks& clocks = block.warp_clocks[warp];
  return clocks.since >= block.begin ? &clocks : nullptr;
}

WarpClocks& MakeClocks(CheckedBlock& block, unsigned warp) {
  if (block.warp_clocks == nullptr) block.warp_clocks = new WarpClocks[kMaxWarps];
  WarpClocks& clocks = block.warp_clocks[warp];
  if (clocks.since < block.begin) clocks = {block.current, {}};
  return clocks;
}

// Sets the clock of every lane in `mask` to the join of their clocks, with their own entries at
// `now`.
void JoinLanes(WarpClocks& clocks, unsigned mask, Epoch now) {
  Clocks merged;
  for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
    const Clocks& lane = clocks.lanes[__builtin_ctz(rest)];
    for (unsigned i = 0; i < kLanes; ++i) {
      merged.before[i] = std::max(merged.before[i], lane.before[i]);
    }
  }
  for (unsigned rest = mask; rest != 0; rest &= rest - 1) merged.before[__builtin_ctz(rest)] = now;
  for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
    clocks.lanes[__builtin_ctz(rest)] = merged;
  }
}

// Joins the lanes' sparse clocks, which fences with atomics made, and what they know by their
// cluster's barrier.
void JoinClocks(const WarpMeeting& meeting) {
  SyncClocks all;
  unsigned phases = 0;
  for (unsigned rest = meeting.arrived; rest != 0; rest &= rest - 1) {
    const CheckedThread& lane = *meeting.fibers[__builtin_ctz(rest)]->checked;
    if (lane.has_clocks) all.Join(lane.clocks);
    phases = std::max(phases, lane.cluster_phases);
  }
  for (unsigned rest = phases == 0 ? 0 : meeting.arrived; rest != 0; rest &= rest - 1) {
    meeting.fibers[__builtin_ctz(rest)]->checked->cluster_phases = phases;
  }
  if (all.empty()) return;
  for (unsigned rest = meeting.arrived; rest != 0; rest &= rest - 1) {
    CheckedThread& lane = *meeting.fibers[__builtin_ctz(rest)]->checked;
    lane.clocks = all;
    lane.has_clocks = true;
  }
}

unsigned IndexInBlock(ThreadId thread) { return thread % checked_grid.grid->threads; }

}  // namespace

void ForgetWarpClocks(CheckedBlock& block) {
  delete[] block.warp_clocks;
  block.warp_clocks = nullptr;
}

bool SameWarp(ThreadId a, ThreadId b) {
  return IndexInBlock(a) / kLanes == IndexInBlock(b) / kLanes;
}

bool HappensBeforeInWarp(ThreadId thread, Epoch epoch) {
  const unsigned self = ThisThread().in_block;
  const unsigned other = IndexInBlock(thread);
  if (self / kLanes != other / kLanes) return false;
  const WarpClocks* const clocks = FindClocks(ThisBlock(), self / kLanes);
  return clocks != nullptr && epoch < clocks->lanes[self % kLanes].before[other % kLanes];
}

void CopyWarpClock(Epoch* lanes) {
  const unsigned self = ThisThread().in_block;
  const WarpClocks* const clocks = FindClocks(ThisBlock(), self / kLanes);
  if (clocks == nullptr) return;
  const Clocks& own = clocks->lanes[self % kLanes];
  std::copy(own.before, own.before + kLanes, lanes);
}

void JoinWarpClock(VectorClock& clock, Epoch until) {
  const ThreadId id = ThisThreadId();
  const unsigned self = ThisThread().in_block;
  const CheckedBlock& block = ThisBlock();
  const WarpClocks* const clocks = FindClocks(block, self / kLanes);
  if (clocks == nullptr) return;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const Epoch before = clocks->lanes[self % kLanes].before[lane];
    if (before <= block.last_barrier || lane == self % kLanes) continue;
    const ThreadId other = id - self % kLanes + lane;
    clock.Join(BlockOf(id), other, {0, std::min(before - 1, until)});
  }
}

void RaiseToWarpClock(Epoch* until) {
  const unsigned self = ThisThread().in_block;
  const unsigned first = self - self % kLanes;
  const WarpClocks* const clocks = FindClocks(ThisBlock(), self / kLanes);
  if (clocks == nullptr) return;
  for (unsigned lane = 0; lane < kLanes && first + lane < CurrentBlock()->threads; ++lane) {
    const Epoch before = clocks->lanes[self % kLanes].before[lane];
    if (before > 0) until[first + lane] = std::max(until[first + lane], before - 1);
  }
}

void OnWarpArrive(Fiber&) {}

void OnWarpRelease(Block& block, unsigned warp, unsigned mask, bool orders_memory) {
  if (!orders_memory) return;
  CheckedBlock& checked = *block.checked;
  checked.current = NextEpoch(block);
  JoinLanes(MakeClocks(checked, warp), mask, checked.current);
  for (const WarpMeeting* meeting = block.warps[warp].open; meeting != nullptr;
       meeting = meeting->next) {
    if (meeting->arrived == mask) JoinClocks(*meeting);
  }
}

void OnGridArrive(Fiber&) {}

// Everything before grid.sync() happens before everything after it, in all blocks.  The first call
// of a round moves the grid's begin; the other calls find their block's epoch below it.
void OnGridSync(Block& block) {
  CheckedBlock& checked = *block.checked;
  CheckNobodyReturned(block, "grid.sync()", block.at_grid_barrier.front()->site);
  if (checked.current >= checked_grid.begin) checked_grid.begin = NextEpoch(block);
  checked.last_barrier = checked.current = NextEpoch(block);
  checked.is_shared_outside = false;
}

}  // namespace cudasim
