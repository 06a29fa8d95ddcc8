#include "common/cudasim/runtime/scheduler/cluster.h"

#include <algorithm>

#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/runtime/scheduler/grid.h"
#include "common/cudasim/runtime/scheduler/leave_kernel.h"
#include "common/cudasim/runtime/scheduler/spinning.h"
#include "common/cudasim/runtime/scheduler/worker.h"

namespace cudasim {
namespace {

[[noreturn]] void Misuse(const Site& site, const char* what, const char* advice) {
  cudasim_misuse("invalid_cluster", site.file, site.line, what, advice);
}

ClusterCalls& CallsOfThread(Block& block) {
  if (!block.uses_cluster) {
    block.cluster_calls.assign(block.threads, {});
    block.uses_cluster = true;
  }
  return block.cluster_calls[CurrentThread()];
}

bool HasArrived(const Block& block) {
  if (block.Finished()) return true;
  return block.blocked && block.arrived_in_cluster == block.live;
}

void Arrive(const Site& site, bool releases, bool then_waits) {
  Block& block = *CurrentBlock();
  NoteWait(block);  // the scheduler must notice when its threads return
  ClusterCalls& calls = CallsOfThread(block);
  if (calls.arrivals != calls.waits) {
    Misuse(site, "a thread arrives twice at the cluster's barrier without a wait between",
           "each barrier_arrive() needs a barrier_wait() before the next arrival");
  }
  ++calls.arrivals;
  ++block.arrived_in_cluster;
  OnClusterArrive(block, releases, then_waits);
  ReleaseClusterIfComplete(*block.cluster);
}

void Wait(const Site& site) {
  Block& block = *CurrentBlock();
  ClusterCalls& calls = CallsOfThread(block);
  if (calls.arrivals == calls.waits) {
    Misuse(site, "a thread waits at the cluster's barrier without having arrived",
           "call barrier_arrive() first");
  }
  const unsigned phase = ++calls.waits;
  if (block.cluster->phases < phase) {
    current_fiber->site = site;
    OnClusterSuspend(*current_fiber);
    block.at_cluster_barrier.Push(current_fiber);
    Worker::Current().Switch();
  }
  OnClusterResume(block);
}

}  // namespace

void Cluster::Begin(Block* first) {
  blocks.clear();
  running = phases = 0;
  Add(first);
}

void Cluster::Add(Block* block) {
  block->cluster = this;
  block->rank = static_cast<unsigned>(blocks.size());
  blocks.push_back(block);
  ++running;
}

void ReleaseClusterIfComplete(Cluster& cluster) {
  unsigned arrived = 0;
  for (const Block* const block : cluster.blocks) {
    if (!HasArrived(*block)) return;
    arrived += block->arrived_in_cluster;
  }
  if (arrived == 0) return;
  OnClusterRelease(cluster);
  CountProgress();
  ++cluster.phases;
  for (Block* const block : cluster.blocks) {
    block->arrived_in_cluster = 0;
    if (block->at_cluster_barrier.empty()) continue;
    block->ready.Append(block->at_cluster_barrier);
    Worker::Current().NoteClusterRelease();
  }
}

void LeaveCluster(Block& block, unsigned thread) {
  if (!block.uses_cluster) return;
  // Whoever has arrived and returns is not waited for, nor counted as one who waits.
  if (block.cluster_calls[thread].arrivals > block.cluster->phases) --block.arrived_in_cluster;
  ReleaseClusterIfComplete(*block.cluster);
}

bool IsClusterStuck(const Cluster& cluster) {
  return std::all_of(cluster.blocks.begin(), cluster.blocks.end(),
                     [](const Block* block) { return block->Finished() || block->Stuck(); });
}

SharedAddress FindShared(const void* address) {
  const auto offset_in = [address](const char* arena) {
    return static_cast<std::size_t>(static_cast<const char*>(address) - arena);
  };
  Block* const own = CurrentBlock();
  if (own == nullptr) return {nullptr, 0};
  if (const std::size_t offset = offset_in(own->arena); offset < kArenaBytes) return {own, offset};
  for (Block* const block : own->cluster->blocks) {
    if (const std::size_t offset = offset_in(block->arena); offset < kArenaBytes) {
      return {block, offset};
    }
  }
  return {nullptr, 0};
}

}  // namespace cudasim

extern "C" {

void cudasim_cluster_sync(const char* file, int line) {
  const cudasim::LeaveKernel leave;
  cudasim::Arrive({file, line}, true, true);
  cudasim::Wait({file, line});
}

void cudasim_cluster_arrive(const char* file, int line, int releases) {
  const cudasim::LeaveKernel leave;
  cudasim::Arrive({file, line}, releases != 0, false);
}

void cudasim_cluster_wait(const char* file, int line) {
  const cudasim::LeaveKernel leave;
  cudasim::Wait({file, line});
}

int cudasim_has_cluster() { return cudasim::CurrentBlock()->grid->has_cluster; }

// The same place in the shared memory of the block with this rank.
void* cudasim_map_shared_rank(const void* address, unsigned rank, const char* file, int line) {
  const cudasim::LeaveKernel leave;
  const cudasim::SharedAddress shared = cudasim::FindShared(address);
  const std::vector<cudasim::Block*>& blocks = cudasim::CurrentBlock()->cluster->blocks;
  if (shared.owner == nullptr) {
    cudasim::Misuse({file, line}, "map_shared_rank() of an address outside shared memory",
                    "give it the address of a __shared__ variable");
  }
  if (rank >= blocks.size()) {
    cudasim::Misuse({file, line}, "map_shared_rank() with a rank that no block of the cluster has",
                    "ranks are 0 to num_blocks() - 1; launch the kernel with a cluster dimension");
  }
  return blocks[rank]->arena + shared.offset;
}

unsigned cudasim_query_shared_rank(const void* address, const char* file, int line) {
  const cudasim::LeaveKernel leave;
  const cudasim::SharedAddress shared = cudasim::FindShared(address);
  if (shared.owner == nullptr) {
    cudasim::Misuse({file, line}, "query_shared_rank() of an address outside shared memory",
                    "give it an address in shared memory of the cluster");
  }
  return shared.owner->rank;
}

}  // extern "C"
