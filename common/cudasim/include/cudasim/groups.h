// Cooperative groups: any group, blocks and grids.
#pragma once

#include "cudasim/barriers.h"
#include "cudasim/cluster.h"
#include "cudasim/registers.h"
#include "cudasim/warp.h"

namespace cooperative_groups {
namespace details {

enum class Kind { kBlock, kGrid, kLanes };

CUDASIM_INLINE unsigned Volume(const dim3& extent) { return extent.x * extent.y * extent.z; }

// Linear index with x fastest.
CUDASIM_INLINE unsigned Flatten(const uint3& index, const dim3& extent) {
  return index.x + extent.x * (index.y + extent.y * index.z);
}

CUDASIM_INLINE unsigned ThreadInBlock() { return Flatten(threadIdx, blockDim); }
CUDASIM_INLINE unsigned Lane() { return ThreadInBlock() % 32; }
CUDASIM_INLINE unsigned LanesBelow(unsigned lane) { return (1u << lane) - 1; }

}  // namespace details

// A group of any kind.  Copies are of the same group.
class thread_group {
 public:
  CUDASIM_INLINE void sync(CUDASIM_HERE) const {
    if (kind_ == details::Kind::kBlock) return cudasim_syncthreads(file, line);
    if (kind_ == details::Kind::kGrid) return cudasim_grid_sync(file, line);
    cudasim_warp(file, line, cudasim::WarpOperation::kGroupSync, mask_, 0, 0);
  }

  CUDASIM_INLINE unsigned long long size() const {
    if (kind_ == details::Kind::kLanes) return static_cast<unsigned>(__builtin_popcount(mask_));
    const unsigned long long blocks =
        kind_ == details::Kind::kGrid ? 1ull * gridDim.x * gridDim.y * gridDim.z : 1;
    return blocks * details::Volume(blockDim);
  }
  CUDASIM_INLINE unsigned long long num_threads() const { return size(); }

  CUDASIM_INLINE unsigned long long thread_rank() const {
    if (kind_ == details::Kind::kLanes) {
      return static_cast<unsigned>(
          __builtin_popcount(mask_ & details::LanesBelow(details::Lane())));
    }
    const unsigned thread = details::ThreadInBlock();
    if (kind_ == details::Kind::kBlock) return thread;
    return 1ull * details::Flatten(blockIdx, gridDim) * details::Volume(blockDim) + thread;
  }

  CUDASIM_INLINE bool is_valid() const {
    return kind_ != details::Kind::kGrid || cudasim_is_cooperative() != 0;
  }

 protected:
  CUDASIM_INLINE explicit thread_group(details::Kind kind, unsigned mask = 0)
      : kind_(kind), mask_(mask) {}

  details::Kind kind_;
  unsigned mask_;  // kLanes: of the caller's warp

  friend thread_group tiled_partition(const thread_group& group, unsigned size);
};

class thread_block : public thread_group {
 public:
  CUDASIM_INLINE unsigned size() const { return details::Volume(blockDim); }
  CUDASIM_INLINE unsigned num_threads() const { return size(); }
  CUDASIM_INLINE unsigned thread_rank() const { return details::ThreadInBlock(); }
  CUDASIM_INLINE dim3 group_index() const { return blockIdx; }
  CUDASIM_INLINE dim3 thread_index() const { return threadIdx; }
  CUDASIM_INLINE dim3 group_dim() const { return blockDim; }
  CUDASIM_INLINE dim3 dim_threads() const { return blockDim; }

 private:
  CUDASIM_INLINE thread_block() : thread_group(details::Kind::kBlock) {}
  friend thread_block this_thread_block();
};

CUDASIM_INLINE thread_block this_thread_block() { return {}; }

// All threads of a grid that cudaLaunchCooperativeKernel() launched.
class grid_group : public thread_group {
 public:
  CUDASIM_INLINE dim3 group_dim() const { return gridDim; }
  CUDASIM_INLINE dim3 dim_blocks() const { return gridDim; }
  CUDASIM_INLINE dim3 block_index() const { return blockIdx; }
  CUDASIM_INLINE unsigned long long num_blocks() const { return details::Volume(gridDim); }
  CUDASIM_INLINE unsigned long long block_rank() const {
    return details::Flatten(blockIdx, gridDim);
  }
  CUDASIM_INLINE dim3 dim_clusters() const { return cudasim::GridInClusters(); }
  CUDASIM_INLINE dim3 cluster_index() const { return cudasim::ClusterIdx(); }
  CUDASIM_INLINE unsigned long long num_clusters() const { return details::Volume(dim_clusters()); }
  CUDASIM_INLINE unsigned long long cluster_rank() const {
    return details::Flatten(cluster_index(), dim_clusters());
  }

 private:
  CUDASIM_INLINE grid_group() : thread_group(details::Kind::kGrid) {}
  friend grid_group this_grid();
};

CUDASIM_INLINE grid_group this_grid() { return {}; }

__attribute__((noinline, error("cudasim: groups of several GPUs are not simulated; "
                               "see common/cudasim/README.md"))) void
this_multi_grid();

// Would hold what tiles of several warps exchange.
template <unsigned kThreads = 1024>
struct block_tile_memory {
  static_assert(kThreads == 0, "cudasim: tiles of more than 32 threads are not simulated");
};

template <class Group>
CUDASIM_INLINE void sync(const Group& group, CUDASIM_HERE) {
  group.sync(file, line);
}
template <class Group>
CUDASIM_INLINE auto thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
CUDASIM_INLINE auto group_size(const Group& group) {
  return group.size();
}

}  // namespace cooperative_groups
