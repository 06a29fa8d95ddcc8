// Programs that misuse thread block clusters and distributed shared memory.
#include <cooperative_groups.h>

#include "common/cudasim/tests/bugs/bugs.h"

namespace cg = cooperative_groups;

namespace clusters {

constexpr int kThreads = 32;

cudaError_t Launch(void (*kernel)(int*), int blocks, int cluster, std::size_t bytes = 0) {
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = blocks;
  config.blockDim = kThreads;
  config.dynamicSmemBytes = bytes;
  config.attrs = &attribute;
  config.numAttrs = 1;
  int* argument = Allocate(1024);
  void* arguments[] = {&argument};
  return cudaLaunchKernelExC(&config, reinterpret_cast<void*>(kernel), arguments);
}

template <class T>
__device__ T* OfNext(T* address) {
  const cg::cluster_group cluster = cg::this_cluster();
  return cluster.map_shared_rank(address, (cluster.block_rank() + 1) % cluster.num_blocks());
}

__global__ void HaloOfOneTooMany(int* out) {
  __shared__ int tile[kThreads];
  tile[threadIdx.x] = 1;
  cg::this_cluster().sync();
  out[blockIdx.x * kThreads + threadIdx.x] = OfNext(tile)[threadIdx.x + 1];
  cg::this_cluster().sync();
}

PROGRAM(PastTheNeighboursTile) { Launch(HaloOfOneTooMany, 2, 2); }

__global__ void WriteDynamic(int*) {
  extern __shared__ int values[];
  cg::this_cluster().sync();
  OfNext(values)[threadIdx.x] = 1;
  cg::this_cluster().sync();
}

PROGRAM(PastTheNeighboursDynamicMemory) { Launch(WriteDynamic, 2, 2, 20 * sizeof(int)); }

__global__ void ReadUnset(int* out) {
  __shared__ int tile[kThreads];
  if (cg::this_cluster().block_rank() == 0) tile[threadIdx.x] = 1;
  cg::this_cluster().sync();
  out[blockIdx.x * kThreads + threadIdx.x] = OfNext(tile)[threadIdx.x];
  cg::this_cluster().sync();
}

PROGRAM(OneBlockSetsNothing) { Launch(ReadUnset, 4, 4); }

__global__ void Arrives(int*) {
  cg::this_cluster().barrier_arrive();
  cg::this_cluster().barrier_arrive();
}

PROGRAM(ArrivesTwice) { Launch(Arrives, 2, 2); }

__global__ void Waits(int*) { cg::this_cluster().barrier_wait(); }

PROGRAM(WaitsOnly) { Launch(Waits, 2, 2); }

__global__ void MapRank(int* out) {
  __shared__ int value;
  out[blockIdx.x] = *cg::this_cluster().map_shared_rank(&value, 2);
}

PROGRAM(NoSuchRank) { Launch(MapRank, 2, 2); }

__global__ void MapGlobal(int* out) { *cg::this_cluster().map_shared_rank(out, 0) = 1; }

PROGRAM(MapsDeviceMemory) { Launch(MapGlobal, 2, 2); }

__global__ void QueryGlobal(int* out) { *out = cg::this_cluster().query_shared_rank(out); }

PROGRAM(QueriesDeviceMemory) { Launch(QueryGlobal, 2, 2); }

__global__ void MixBarriers(int*) {
  if (cg::this_cluster().block_rank() == 1 && threadIdx.x == 7) {
    __syncthreads();
  } else {
    cg::this_cluster().sync();
  }
}

PROGRAM(OneThreadWaitsForItsBlock) { Launch(MixBarriers, 2, 2); }

__global__ void PollNext(int*) {
  __shared__ int flag;
  if (threadIdx.x == 0) flag = 0;
  cg::this_cluster().sync();
  if (threadIdx.x == 0) {
    while (atomicAdd(OfNext(&flag), 0) == 0) continue;
  }
  cg::this_cluster().sync();
}

PROGRAM(NobodySetsTheFlag) { Launch(PollNext, 2, 2); }

__global__ void ReadLate(int* out) {
  __shared__ int tile[kThreads];
  tile[threadIdx.x] = 1;
  cg::this_cluster().sync();
  if (cg::this_cluster().block_rank() == 0) return;
  out[threadIdx.x] = OfNext(tile)[threadIdx.x];
}

PROGRAM(ReadsABlockThatHasReturned) { Launch(ReadLate, 2, 2); }

// A pointer to shared memory reaches a block of another cluster.
__global__ void Leak(int** pointer) {
  __shared__ int value;
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    value = 1;
    *pointer = &value;
    __threadfence();
    atomicExch(reinterpret_cast<int*>(pointer + 1), 1);
    while (atomicAdd(reinterpret_cast<int*>(pointer + 1), 0) == 1) continue;  // it stays resident
  }
  if (blockIdx.x == 2 && threadIdx.x == 0) {
    while (atomicAdd(reinterpret_cast<int*>(pointer + 1), 0) == 0) continue;
    __threadfence();
    **pointer = 2;
    atomicExch(reinterpret_cast<int*>(pointer + 1), 2);
  }
}

PROGRAM(ReachesAnotherCluster) {
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 2;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = 4;
  config.blockDim = kThreads;
  config.attrs = &attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, Leak, Zeros<int*>(2));
}

__global__ void Nothing(int*) {}

PROGRAM(GridIsNoMultiple) { (void)Launch(Nothing, 9, 4); }
PROGRAM(NinePerCluster) { (void)Launch(Nothing, 9, 9); }

}  // namespace clusters
