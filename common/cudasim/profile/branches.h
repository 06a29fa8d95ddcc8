// Counts branches and their divergence, from the basic blocks that each lane of a warp runs.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

#include "common/cudasim/profile/code.h"
#include "common/cudasim/profile/model.h"

namespace cudasim {

// How often warps ran a basic block of the kernel, and how often their lanes left it for different
// ones.
struct BlockRuns {
  std::uint64_t runs = 0;
  std::uint64_t lanes = 0;  // of all runs
  std::uint64_t divergent = 0;
  CodeOffset successor = 0;  // 0: none seen yet
  bool branches = false;     // more than one successor was seen
  // Of the first run of those that divided the warp most evenly: the lanes of each side.
  std::array<std::uint32_t, 2> sides{};
  std::array<CodeOffset, 2> next{};
};

using BlockTable = std::unordered_map<CodeOffset, BlockRuns>;

// Tracks one warp.  A lane stays in its block when it returns, and while it waits at a barrier.
class BranchTracker {
 public:
  // The lanes `lanes` enter the block at `pc` together.
  void Enter(CodeOffset pc, std::uint32_t lanes, BlockTable& table);
  void Clear();

 private:
  // A block that lanes of the warp entered together and some have not left.
  struct Run {
    BlockRuns* block = nullptr;
    std::uint32_t lanes = 0;  // still there; 0: this entry is free
    // The successor and one of the others, 0: none, and the lanes that went there or elsewhere.
    std::array<CodeOffset, 2> next{};
    std::array<std::uint32_t, 2> left{};
  };

  // `lanes` of the run, some or all of those that are still there, go on at `next`.
  static void Leave(Run& run, CodeOffset next, std::uint32_t lanes);
  // The lanes leave their runs. Returns the index of a free run.
  unsigned LeaveAll(CodeOffset next, std::uint32_t lanes);

  std::array<Run, kWarpLanes> runs_{};
  unsigned last_ = 0;  // index of the last one entered
};

}  // namespace cudasim
