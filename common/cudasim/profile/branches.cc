#include "common/cudasim/profile/branches.h"

#include <algorithm>
#include <bit>

namespace cudasim {
namespace {

int SmallerSide(const std::array<std::uint32_t, 2>& sides) {
  return std::min(std::popcount(sides[0]), std::popcount(sides[1]));
}

}  // namespace

void BranchTracker::Clear() { runs_ = {}; }

void BranchTracker::Leave(Run& run, CodeOffset next, std::uint32_t lanes) {
  BlockRuns& block = *run.block;
  if (block.successor == 0) block.successor = next;
  if (block.successor != next) block.branches = true;
  if (run.next[0] == 0) run.next[0] = next;
  const unsigned side = run.next[0] == next ? 0 : 1;
  run.left[side] |= lanes;
  if (run.left[1] == 0) return;
  if (run.next[1] == 0) {
    run.next[1] = next;
    ++block.divergent;
  }
  if (SmallerSide(run.left) <= SmallerSide(block.sides)) return;
  block.sides = run.left;
  block.next = run.next;
}

unsigned BranchTracker::LeaveAll(CodeOffset next, std::uint32_t lanes) {
  unsigned free = 0;
  for (unsigned i = 0; i < kWarpLanes; ++i) {
    Run& run = runs_[i];
    if ((run.lanes & lanes) != 0) {
      Leave(run, next, run.lanes & lanes);
      run.lanes &= ~lanes;
    }
    if (run.lanes == 0) free = i;
  }
  return free;  // each run holds a lane of its own, so one is free
}

void BranchTracker::Enter(CodeOffset pc, std::uint32_t lanes, BlockTable& table) {
  if (runs_[last_].lanes == lanes) {  // as mostly: they have stayed together
    Leave(runs_[last_], pc, lanes);
  } else {
    last_ = LeaveAll(pc, lanes);
  }
  BlockRuns& block = table[pc];
  ++block.runs;
  block.lanes += static_cast<unsigned>(std::popcount(lanes));
  runs_[last_] = {&block, lanes, {}, {}};
}

}  // namespace cudasim
