// Cooperative groups: clusters (CUDA C++ Programming Guide, section "Cluster Group").
#pragma once

#include "cudasim/cluster.h"
#include "cudasim/groups.h"

namespace cooperative_groups {

// The blocks of the calling thread's cluster; one block in a launch without clusters.
class cluster_group {
 public:
  // Of a phase of the barrier.
  class arrival_token {};

  // All threads of the cluster that have not returned meet.  Orders what they did before.
  CUDASIM_INLINE static void sync(CUDASIM_HERE) { cudasim_cluster_sync(file, line); }

  // The two halves of sync(): each thread calls them in turn.
  CUDASIM_INLINE static arrival_token barrier_arrive(CUDASIM_HERE) {
    cudasim_cluster_arrive(file, line, 1);
    return {};
  }
  CUDASIM_INLINE static void barrier_wait(CUDASIM_HERE) { cudasim_cluster_wait(file, line); }
  CUDASIM_INLINE static void barrier_wait(arrival_token&&, CUDASIM_HERE) {
    cudasim_cluster_wait(file, line);
  }

  // The same variable in the shared memory of the block with this rank.  That block must run: a
  // sync() orders its begin before the access, and the access before its end.
  template <class T>
  CUDASIM_INLINE static T* map_shared_rank(T* address, int rank, CUDASIM_HERE) {
    return static_cast<T*>(cudasim_map_shared_rank(const_cast<const std::remove_cv_t<T>*>(address),
                                                   static_cast<unsigned>(rank), file, line));
  }
  // The rank of the block whose shared memory has this address.
  CUDASIM_INLINE static unsigned query_shared_rank(const void* address, CUDASIM_HERE) {
    return cudasim_query_shared_rank(address, file, line);
  }

  CUDASIM_INLINE static dim3 block_index() { return cudasim::BlockInCluster(); }
  CUDASIM_INLINE static unsigned block_rank() { return cudasim::RankInCluster(); }
  CUDASIM_INLINE static dim3 dim_blocks() { return cudasim::ClusterDim(); }
  CUDASIM_INLINE static unsigned num_blocks() { return cudasim::BlocksOfCluster(); }

  CUDASIM_INLINE static dim3 thread_index() {
    const dim3 block = block_index();
    return {block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
            block.z * blockDim.z + threadIdx.z};
  }
  CUDASIM_INLINE static unsigned thread_rank() {
    return block_rank() * details::Volume(blockDim) + details::ThreadInBlock();
  }
  CUDASIM_INLINE static dim3 dim_threads() {
    const dim3 blocks = dim_blocks();
    return {blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z};
  }
  CUDASIM_INLINE static unsigned num_threads() { return num_blocks() * details::Volume(blockDim); }
  CUDASIM_INLINE static unsigned size() { return num_threads(); }

 private:
  CUDASIM_INLINE cluster_group() = default;
  friend cluster_group this_cluster();
};

CUDASIM_INLINE cluster_group this_cluster() { return {}; }

}  // namespace cooperative_groups
