// Thread block clusters: what their barrier orders, in shared memory of other blocks and elsewhere.
// PTX ISA, "barrier.cluster": an arrival releases and a wait acquires, for the cluster.
#include <cooperative_groups.h>
#include <cuda_pipeline_primitives.h>

#include <utility>

#include "common/cudasim/tests/memory_model/memory_model.h"

namespace cg = cooperative_groups;

namespace clusters {

constexpr int kThreads = 32;

// Launches two blocks, in clusters of `cluster` blocks.
template <void (*kKernel)(int*), int kCluster = 2, int kBlocks = 2>
void Run() {
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {kCluster, 1, 1};
  cudaLaunchConfig_t config = {};
  config.gridDim = kBlocks;
  config.blockDim = kThreads;
  config.attrs = &attribute;
  config.numAttrs = 1;
  int* const out = Zeros(256);
  cudaLaunchKernelEx(&config, kKernel, out);
  cudaDeviceSynchronize();
  cudaFree(out);
}

struct OfCluster {
  static __device__ void Sync() { cg::this_cluster().sync(); }
};
struct OfBlock {
  static __device__ void Sync() { __syncthreads(); }
};

template <class T>
__device__ T* OfOther(T* address) {
  return cg::this_cluster().map_shared_rank(address, 1 - cg::this_cluster().block_rank());
}

__device__ int Self() { return static_cast<int>(cg::this_cluster().thread_rank()); }

// Each block reads what the other one has written to its own shared memory.
template <class Barrier>
__global__ void Pull(int* out) {
  __shared__ int tile[kThreads];
  cg::this_cluster().sync();
  tile[threadIdx.x] = Self();
  Barrier::Sync();
  out[Self()] = OfOther(tile)[threadIdx.x];
  cg::this_cluster().sync();
}

// Each block reads what the other one has written there.
template <class Barrier>
__global__ void Push(int* out) {
  __shared__ int tile[kThreads];
  cg::this_cluster().sync();
  OfOther(tile)[threadIdx.x] = Self();
  Barrier::Sync();
  out[Self()] = tile[threadIdx.x];
  cg::this_cluster().sync();
}

// A block writes its shared memory again after the other one has read it.
template <class Barrier>
__global__ void Reuse(int* out) {
  __shared__ int tile[kThreads];
  tile[threadIdx.x] = Self();
  cg::this_cluster().sync();
  out[Self()] = OfOther(tile)[threadIdx.x];
  Barrier::Sync();
  tile[threadIdx.x] = 0;
  cg::this_cluster().sync();
}

template <bool kBefore>
__global__ void AroundArrival(int* out) {
  __shared__ int tile[kThreads];
  cg::cluster_group cluster = cg::this_cluster();
  if (kBefore) tile[threadIdx.x] = Self();
  auto token = cluster.barrier_arrive();
  if (!kBefore) tile[threadIdx.x] = Self();
  cluster.barrier_wait(std::move(token));
  out[Self()] = OfOther(tile)[threadIdx.x];
  cluster.sync();
}

template <bool kAfter>
__global__ void AroundWait(int* out) {
  __shared__ int tile[kThreads];
  cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  tile[threadIdx.x] = Self();
  int value = 0;
  auto token = cluster.barrier_arrive();
  if (!kAfter) value = OfOther(tile)[threadIdx.x];
  cluster.barrier_wait(std::move(token));
  if (kAfter) value = OfOther(tile)[threadIdx.x];
  out[Self()] = value;
  cluster.sync();
}

// A relaxed arrival says that the thread is there, not what it has written.
template <bool kReleases>
__global__ void Arrival(int* out) {
  __shared__ int tile[kThreads];
  tile[threadIdx.x] = Self();
  if (kReleases) {
    __cluster_barrier_arrive();
  } else {
    __cluster_barrier_arrive_relaxed();
  }
  __cluster_barrier_wait();
  out[Self()] = OfOther(tile)[threadIdx.x];
  cg::this_cluster().sync();
}

// One block hands a value over by a flag, both in its shared memory.
template <class Scope>
__global__ void HandOver(int* out) {
  __shared__ int value, flag;
  if (threadIdx.x == 0) flag = 0;
  cg::this_cluster().sync();
  if (threadIdx.x == 0 && cg::this_cluster().block_rank() == 0) {
    value = 42;
    Scope::Fence();
    atomicExch(&flag, 1);
  }
  if (threadIdx.x == 0 && cg::this_cluster().block_rank() == 1) {
    while (atomicAdd(OfOther(&flag), 0) == 0) continue;
    Scope::Fence();
    *out = *OfOther(&value);
  }
  cg::this_cluster().sync();
}

struct InDevice {
  static __device__ void Add(int* counter) { atomicAdd(counter, 1); }
};
struct InBlock {
  static __device__ void Add(int* counter) { atomicAdd_block(counter, 1); }
};

// Both blocks count in the first one's shared memory.
template <class Counter>
__global__ void Count(int* out) {
  __shared__ int counter;
  if (threadIdx.x == 0) counter = 0;
  cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  Counter::Add(cluster.map_shared_rank(&counter, 0));
  cluster.sync();
  if (Self() == 0) *out = counter;
}

// In device memory the barrier orders the blocks of one cluster.
__global__ void InDeviceMemory(int* out) {
  out[blockIdx.x * kThreads + threadIdx.x] = Self();
  cg::this_cluster().sync();
  out[128 + blockIdx.x * kThreads + threadIdx.x] = out[(1 - blockIdx.x) * kThreads + threadIdx.x];
}

// Block 1 tells block 2, which is in another cluster, what block 0 has written.
template <class Scope>
__global__ void Forward(int* out) {
  int* const flag = out + 100;
  if (blockIdx.x == 0 && threadIdx.x == 0) out[0] = 42;
  cg::this_cluster().sync();
  if (blockIdx.x == 1 && threadIdx.x == 0) {
    Scope::Fence();
    atomicExch(flag, 1);
  }
  if (blockIdx.x == 2 && threadIdx.x == 0) {
    while (atomicAdd(flag, 0) == 0) continue;
    __threadfence();
    out[1] = out[0];
  }
}

// A block reads what an asynchronous copy has brought to the other one.
template <bool kWaits>
__global__ void Copied(int* out) {
  __shared__ int tile[kThreads];
  cg::this_cluster().sync();
  __pipeline_memcpy_async(&tile[threadIdx.x], &out[threadIdx.x], sizeof(int));
  __pipeline_commit();
  if (kWaits) __pipeline_wait_prior(0);
  cg::this_cluster().sync();
  out[64 + Self()] = OfOther(tile)[threadIdx.x];
  if (!kWaits) __pipeline_wait_prior(0);
  cg::this_cluster().sync();
}

// In each round a block reads the other one's value, and writes its own for the next round.
template <bool kTwoBuffers>
__global__ void Rounds(int* out) {
  __shared__ int tile[2][kThreads];
  tile[0][threadIdx.x] = 0;
  cg::this_cluster().sync();
  for (int round = 0; round < 4; ++round) {
    const int from = kTwoBuffers ? round % 2 : 0, to = kTwoBuffers ? 1 - from : 0;
    const int value = OfOther(tile[from])[threadIdx.x];
    tile[to][threadIdx.x] = value + 1;
    cg::this_cluster().sync();
  }
  out[Self()] = tile[0][threadIdx.x];
}

// Another warp of the block has waited for the cluster, and hands on what it knows.
template <class Barrier>
__global__ void OneWarpWaits(int* out) {
  __shared__ int tile[kThreads];
  cg::cluster_group cluster = cg::this_cluster();
  tile[threadIdx.x] = Self();
  auto token = cluster.barrier_arrive();
  if (threadIdx.x < 16) cluster.barrier_wait(std::move(token));
  Barrier::Sync();
  if (threadIdx.x >= 16) out[Self()] = OfOther(tile)[threadIdx.x];
  if (threadIdx.x >= 16) cluster.barrier_wait();
  cluster.sync();
}
struct Nothing {
  static __device__ void Sync() {}
};

// One lane writes after it has arrived, and another one arrives after that.
template <class Barrier>
__global__ void LaneArrivesFirst(int* out) {
  __shared__ int value;
  cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  if (threadIdx.x == 1) {
    cluster.barrier_arrive();
    value = Self();
  }
  Barrier::Sync();
  if (threadIdx.x != 1) cluster.barrier_arrive();
  cluster.barrier_wait();
  out[Self()] = *OfOther(&value);
  cluster.sync();
}
struct OfWarp {
  static __device__ void Sync() { __syncwarp(); }
};

// Shared memory of the other block lives until its end.
template <bool kSyncs>
__global__ void AtTheEnd(int* out) {
  __shared__ int tile[kThreads];
  tile[threadIdx.x] = Self();
  cg::this_cluster().sync();
  out[Self()] = OfOther(tile)[threadIdx.x];
  if (kSyncs) cg::this_cluster().sync();
}

// And begins with its begin.
template <bool kSyncs>
__global__ void AtTheBegin(int* out) {
  __shared__ int tile[kThreads];
  if (kSyncs) cg::this_cluster().sync();
  OfOther(tile)[threadIdx.x] = Self();
  cg::this_cluster().sync();
  out[Self()] = tile[threadIdx.x];
}

// The reader's own arrival is enough: the owner waits for it before it returns.
template <bool kArrivesAfter>
__global__ void ArrivesAndReturns(int* out) {
  __shared__ int tile[kThreads];
  cg::cluster_group cluster = cg::this_cluster();
  tile[threadIdx.x] = Self();
  cluster.sync();
  if (kArrivesAfter) out[Self()] = OfOther(tile)[threadIdx.x];
  auto token = cluster.barrier_arrive();
  if (!kArrivesAfter) out[Self()] = OfOther(tile)[threadIdx.x];
  cluster.barrier_wait(std::move(token));
}

template <void (*kClean)(int*), void (*kRacy)(int*), int kCluster = 2, int kBlocks = 2>
Pair PairOf(const char* section, const char* clean, const char* racy) {
  return {section, {clean, Run<kClean, kCluster, kBlocks>}, {racy, Run<kRacy, kCluster, kBlocks>}};
}

const bool listed = AddPairs(
    {PairOf<Pull<OfCluster>, Pull<OfBlock>>(kCausality, "PullAfterCluster", "PullAfterBlock"),
     PairOf<Push<OfCluster>, Push<OfBlock>>(kCausality, "PushBeforeCluster", "PushBeforeBlock"),
     PairOf<Reuse<OfCluster>, Reuse<OfBlock>>(kCausality, "ReuseAfterCluster", "ReuseAfterBlock"),
     PairOf<AroundArrival<true>, AroundArrival<false>>(kPatterns, "WriteBeforeArrivalOfACluster",
                                                       "WriteAfterArrivalOfACluster"),
     PairOf<AroundWait<true>, AroundWait<false>>(kPatterns, "ReadAfterWait", "ReadBeforeWait"),
     PairOf<Arrival<true>, Arrival<false>>(kPatterns, "ArrivalReleases", "ArrivalIsRelaxed"),
     PairOf<HandOver<Device>, HandOver<Block>>(kScopes, "FenceOfDevice", "FenceOfBlock"),
     PairOf<Count<InDevice>, Count<InBlock>>(kScopes, "CountInDevice", "CountInBlock"),
     {kCausality, {"OneCluster", Run<InDeviceMemory>}, {"TwoClusters", Run<InDeviceMemory, 1>}},
     PairOf<Forward<Device>, Forward<None>, 2, 4>(kCausality, "ForwardWithFence",
                                                  "ForwardWithoutFence"),
     PairOf<Copied<true>, Copied<false>>(kAsynchronous, "CopyWaitedFor", "CopyUnderWay"),
     PairOf<LaneArrivesFirst<OfWarp>, LaneArrivesFirst<Nothing>>(
         kCausality, "SyncwarpBeforeAnArrival", "NoSyncwarpBeforeAnArrival"),
     PairOf<Rounds<true>, Rounds<false>>(kRaces, "TwoBuffers", "OneBuffer"),
     PairOf<OneWarpWaits<OfBlock>, OneWarpWaits<Nothing>>(kCausality, "SyncAfterOneWarpsWait",
                                                          "NoSyncAfterOneWarpsWait"),
     PairOf<AtTheEnd<true>, AtTheEnd<false>>(kCausality, "SyncAtTheEnd", "NoSyncAtTheEnd"),
     PairOf<AtTheBegin<true>, AtTheBegin<false>>(kCausality, "SyncAtTheBegin", "NoSyncAtTheBegin"),
     PairOf<ArrivesAndReturns<true>, ArrivesAndReturns<false>>(kCausality, "ReadBeforeLastArrival",
                                                               "ReadAfterLastArrival")});

}  // namespace clusters
