#include "common/cudasim/check/warp_order.h"

#include <algorithm>

#include "common/cudasim/check/early_return.h"
#include "common/cudasim/hooks/hooks.h"

namespace cudasim {

// Lives as long as its block, which is for good; valid if made since the block began.
struct WarpClocks {
  // Of one lane: for each lane of its warp, the serial before which that lane's accesses are known.
  struct Lane {
    Serial before[kLanes] = {};
  };

  Serial since = 0;
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

// Every lane in `mask` learns what any of them knew, and that all of them are here.
void MergeClocks(WarpClocks& clocks, unsigned mask, Serial now) {
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

// What one lane learned from other blocks, by fences and atomics, all of them know now.
void ShareKnowledge(const WarpMeeting& meeting) {
  Knowledge all;
  for (unsigned rest = meeting.arrived; rest != 0; rest &= rest - 1) {
    const Knowledge& own = meeting.fibers[__builtin_ctz(rest)]->checked->knowledge;
    if (!own.empty()) all.Learn(own);
  }
  if (all.empty()) return;
  for (unsigned rest = meeting.arrived; rest != 0; rest &= rest - 1) {
    meeting.fibers[__builtin_ctz(rest)]->checked->knowledge = all;
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

bool WarpOrders(ThreadId thread, Serial serial) {
  const unsigned self = ThisThread().in_block;
  const unsigned other = IndexInBlock(thread);
  if (self / kLanes != other / kLanes) return false;
  const WarpClocks* const clocks = FindClocks(ThisBlock(), self / kLanes);
  return clocks != nullptr && serial < clocks->lanes[self % kLanes].before[other % kLanes];
}

void LearnFromWarp(Knowledge& knowledge, Serial until) {
  const ThreadId id = ThisThreadId();
  const unsigned self = ThisThread().in_block;
  const CheckedBlock& block = ThisBlock();
  const WarpClocks* const clocks = FindClocks(block, self / kLanes);
  if (clocks == nullptr) return;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const Serial before = clocks->lanes[self % kLanes].before[lane];
    if (before <= block.epoch || lane == self % kLanes) continue;
    const ThreadId other = id - self % kLanes + lane;
    knowledge.Learn(BlockOf(id), other, {0, std::min(before - 1, until)});
  }
}

void OnWarpArrive(Fiber&) {}

void OnWarpRelease(Block& block, unsigned warp, unsigned mask, bool orders_memory) {
  if (!orders_memory) return;
  CheckedBlock& checked = *block.checked;
  checked.current = NextSerial(block);
  MergeClocks(MakeClocks(checked, warp), mask, checked.current);
  for (const WarpMeeting* meeting = block.warps[warp].open; meeting != nullptr;
       meeting = meeting->next) {
    if (meeting->arrived == mask) ShareKnowledge(*meeting);
  }
}

void OnGridArrive(Fiber&) {}

// Everything that any block did lies before everything that any block does from now on.  The first
// call of a round moves the grid's begin; the others find their block's serial below it.
void OnGridSync(Block& block) {
  CheckedBlock& checked = *block.checked;
  CheckNobodyReturned(block, "grid.sync()", block.at_grid_barrier.front()->site);
  if (checked.current >= checked_grid.begin) checked_grid.begin = NextSerial(block);
  checked.epoch = checked.current = NextSerial(block);
}

}  // namespace cudasim
