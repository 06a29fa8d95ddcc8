// Thread block clusters (CUDA C++ Programming Guide, section "Thread Block Clusters"): blocks that
// are resident together, reach each other's shared memory and meet at a barrier.
//
// All blocks of a cluster run on one OS thread, so nothing here is locked.  A block of a launch
// without clusters is the only one of its cluster, as in CUDA.
//
// The barrier is that of PTX (PTX ISA, section "barrier.cluster"): it has phases; each thread
// arrives and waits in turn, and a phase is complete when all threads that have not returned have
// arrived.
#pragma once

#include <cstddef>
#include <vector>

#include "common/cudasim/include/cuda_runtime.h"

namespace cudasim {

struct Block;
struct CheckedCluster;

// What one thread has done with its cluster's barrier.
struct ClusterCalls {
  unsigned arrivals = 0;
  unsigned waits = 0;
};

struct Cluster {
  std::vector<Block*> blocks;         // by rank; they stay until all of them have returned
  unsigned running = 0;               // blocks that have not been retired
  unsigned phases = 0;                // of the barrier, that are complete
  CheckedCluster* checked = nullptr;  // a mode's state, kept from launch to launch

  void Begin(Block* first);
  void Add(Block* block);
};

// A block has returned, or one of its threads has: the others may be complete now.
void ReleaseClusterIfComplete(Cluster& cluster);

// The running thread returns from the kernel.
void LeaveCluster(Block& block, unsigned thread);

// True if no thread of the cluster can go on.
bool IsClusterStuck(const Cluster& cluster);

// Shared memory of one block of the running thread's cluster.
struct SharedAddress {
  Block* owner;        // null: the address is not in shared memory of the cluster
  std::size_t offset;  // in its arena
};
SharedAddress FindShared(const void* address);

}  // namespace cudasim
