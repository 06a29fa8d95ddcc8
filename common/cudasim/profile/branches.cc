#include "common/cudasim/profile/branches.h"

namespace cudasim {

void BranchTracker::Clear() { runs_ = {}; }

void BranchTracker::Leave(Run& run, CodeOffset next) {
  BlockRuns& block = *run.block;
  if (block.successor == 0) block.successor = next;
  if (block.successor != next) block.branches = true;
  if (run.successor == 0) run.successor = next;
  if (run.successor == next || run.diverged) return;
  run.diverged = true;
  ++block.divergent;
}

unsigned BranchTracker::LeaveAll(CodeOffset next, std::uint32_t lanes) {
  unsigned free = 0;
  for (unsigned i = 0; i < kWarpLanes; ++i) {
    Run& run = runs_[i];
    if ((run.lanes & lanes) != 0) {
      Leave(run, next);
      run.lanes &= ~lanes;
    }
    if (run.lanes == 0) free = i;
  }
  return free;  // each run holds a lane of its own, so one is free
}

void BranchTracker::Enter(CodeOffset pc, std::uint32_t lanes, BlockTable& table) {
  if (runs_[last_].lanes == lanes) {  // as mostly: they have stayed together
    Leave(runs_[last_], pc);
  } else {
    last_ = LeaveAll(pc, lanes);
  }
  BlockRuns& block = table[pc];
  ++block.runs;
  runs_[last_] = {&block, 0, lanes, false};
}

}  // namespace cudasim
