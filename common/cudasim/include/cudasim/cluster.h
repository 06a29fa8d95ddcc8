// Thread block clusters: the functions that CUDA declares without a header of their own.
#pragma once

#include "cudasim/barriers.h"
#include "cudasim/registers.h"
#include "cudasim/vector_types.h"

namespace cudasim {

// A cluster's extent divides the grid's.
CUDASIM_INLINE dim3 ClusterDim() { return cudasim_cluster_dim; }
CUDASIM_INLINE dim3 ClusterIdx() {
  const dim3 cluster = ClusterDim();
  return {blockIdx.x / cluster.x, blockIdx.y / cluster.y, blockIdx.z / cluster.z};
}
CUDASIM_INLINE dim3 BlockInCluster() {
  const dim3 cluster = ClusterDim();
  return {blockIdx.x % cluster.x, blockIdx.y % cluster.y, blockIdx.z % cluster.z};
}
CUDASIM_INLINE unsigned BlocksOfCluster() {
  const dim3 cluster = ClusterDim();
  return cluster.x * cluster.y * cluster.z;
}
CUDASIM_INLINE unsigned RankInCluster() {
  const dim3 cluster = ClusterDim();
  const dim3 block = BlockInCluster();
  return block.x + cluster.x * (block.y + cluster.y * block.z);
}
CUDASIM_INLINE dim3 GridInClusters() {
  const dim3 cluster = ClusterDim();
  return {gridDim.x / cluster.x, gridDim.y / cluster.y, gridDim.z / cluster.z};
}

}  // namespace cudasim

CUDASIM_INLINE unsigned __clusterDimIsSpecified() { return cudasim_has_cluster() != 0; }
CUDASIM_INLINE dim3 __clusterDim() { return cudasim::ClusterDim(); }
CUDASIM_INLINE dim3 __clusterIdx() { return cudasim::ClusterIdx(); }
CUDASIM_INLINE dim3 __clusterRelativeBlockIdx() { return cudasim::BlockInCluster(); }
CUDASIM_INLINE unsigned __clusterRelativeBlockRank() { return cudasim::RankInCluster(); }
CUDASIM_INLINE dim3 __clusterGridDimInClusters() { return cudasim::GridInClusters(); }
CUDASIM_INLINE unsigned __clusterSizeInBlocks() { return cudasim::BlocksOfCluster(); }

CUDASIM_INLINE void __cluster_barrier_arrive(CUDASIM_HERE) {
  cudasim_cluster_arrive(file, line, 1);
}
CUDASIM_INLINE void __cluster_barrier_arrive_relaxed(CUDASIM_HERE) {
  cudasim_cluster_arrive(file, line, 0);
}
CUDASIM_INLINE void __cluster_barrier_wait(CUDASIM_HERE) { cudasim_cluster_wait(file, line); }
CUDASIM_INLINE void* __cluster_map_shared_rank(const void* address, unsigned rank, CUDASIM_HERE) {
  return cudasim_map_shared_rank(address, rank, file, line);
}
CUDASIM_INLINE unsigned __cluster_query_shared_rank(const void* address, CUDASIM_HERE) {
  return cudasim_query_shared_rank(address, file, line);
}

// Programmatic dependent launch: a kernel begins when the one before it has ended, so there is
// nothing to wait for.
CUDASIM_INLINE void cudaGridDependencySynchronize() {}
CUDASIM_INLINE void cudaTriggerProgrammaticLaunchCompletion() {}
