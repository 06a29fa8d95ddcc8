// A resident block: which of its threads run, wait, or are still to start.
#pragma once

#include <memory>
#include <vector>

#include "common/cudasim/runtime/scheduler/cluster.h"
#include "common/cudasim/runtime/scheduler/fiber.h"
#include "common/cudasim/runtime/scheduler/warp.h"

namespace cudasim {

struct CheckedBlock;
struct Grid;

struct Block : BlockCursor {
  Grid* grid = nullptr;
  unsigned long long linear = 0;  // x fastest, as blockIdx counts
  uint3 index{};
  char* arena = nullptr;  // shared memory, kArenaBytes
  Site barrier;           // of the threads in at_barrier
  FiberQueue at_grid_barrier;
  unsigned arrived_at_grid = 0;  // threads in at_grid_barrier
  bool waits_for_grid = false;   // all live threads arrived, and the grid's barrier counts it
  Cluster* cluster = nullptr;    // that of its first block
  Cluster as_first;              // the cluster, if the block is the first one of it
  unsigned rank = 0;             // in the cluster
  FiberQueue at_cluster_barrier;
  unsigned arrived_in_cluster = 0;          // live threads that have arrived in the current phase
  bool uses_cluster = false;                // some thread has arrived at its barrier
  std::vector<ClusterCalls> cluster_calls;  // by thread, while it does
  Warps warps;                              // exact while `blocked`
  unsigned meetings = 0;                    // collectives completed since others were let run
  unsigned pauses = 0;                      // by spinning threads since the block was last rotated
  int reduced[3] = {0, 1, 0};               // __syncthreads_count, _and, _or
  unsigned readers = 0;                     // threads that have read them
  CheckedBlock* checked = nullptr;

  // No thread can go on without progress of other blocks.
  bool Stuck() const { return ready.empty() && next == threads; }
  bool Finished() const { return blocked ? live == 0 : next == threads; }
};

// A block with shared memory of its own.
std::unique_ptr<Block> NewBlock();

// Makes it the block of the grid that starts as number `position`: cluster by cluster.
void BeginBlock(Block& block, Grid& grid, unsigned long long position);

// To be called when a thread of the block is about to wait.  If it is the first one, all that were
// started before it have returned.
void NoteFirstWait(Block& block);
inline void NoteWait(Block& block) {
  if (__builtin_expect(!block.blocked, 0)) NoteFirstWait(block);
}

inline Block* CurrentBlock() { return static_cast<Block*>(current_block); }

// threadIdx as a linear index in the current block.
inline unsigned CurrentThread() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

// The reverse.
inline uint3 ThreadIndex(unsigned linear) {
  return {linear % blockDim.x, linear / blockDim.x % blockDim.y, linear / blockDim.x / blockDim.y};
}

}  // namespace cudasim
