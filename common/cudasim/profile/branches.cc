#include "common/cudasim/profile/branches.h"

namespace cudasim {

void BranchTracker::Clear() { runs_ = {}; }

void BranchTracker::Leave(Run& run, CodeOffset next, BlockTable& table) {
  BlockRuns& block = table[run.pc];
  if (block.successor == 0) block.successor = next;
  if (block.successor != next) block.branches = true;
  if (run.successor == 0) run.successor = next;
  if (run.successor == next || run.diverged) return;
  run.diverged = true;
  ++block.divergent;
}

void BranchTracker::Enter(CodeOffset pc, std::uint32_t lanes, BlockTable& table) {
  Run* free = nullptr;
  for (Run& run : runs_) {
    if ((run.lanes & lanes) != 0) {
      Leave(run, pc, table);
      run.lanes &= ~lanes;
    }
    if (run.lanes == 0) free = &run;
  }
  ++table[pc].runs;
  *free = {pc, 0, lanes, false};  // each run holds a lane of its own, so one entry is free
}

}  // namespace cudasim
