// Thread block clusters and distributed shared memory: CUDA C++ Programming Guide, sections "Thread
// Block Clusters" and "Distributed Shared Memory".
#include <cooperative_groups.h>

#include <utility>

#include "common/cudasim/tests/features/test.h"

namespace cg = cooperative_groups;

namespace {

template <class... P, class... A>
cudaError_t Launch(void (*kernel)(P...), dim3 grid, dim3 block, dim3 cluster, std::size_t bytes,
                   A... arguments) {
  cudaLaunchAttribute attributes[2];
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim.x = cluster.x;
  attributes[0].val.clusterDim.y = cluster.y;
  attributes[0].val.clusterDim.z = cluster.z;
  attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[1].val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = bytes;
  config.attrs = attributes;
  config.numAttrs = 2;
  return cudaLaunchKernelEx(&config, kernel, arguments...);
}

// Each block of a cluster owns `own` of the bins, and all of them count into each other's.
__global__ void Histogram(const int* values, int count, int own, unsigned* bins) {
  extern __shared__ unsigned counts[];
  const cg::cluster_group cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < own; i += blockDim.x) counts[i] = 0;
  cluster.sync();  // all blocks run, and their bins are zero
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
    unsigned* const theirs = cluster.map_shared_rank(counts, values[i] / own);
    atomicAdd(&theirs[values[i] % own], 1u);
  }
  cluster.sync();  // all counts are in, and no other block uses this one's bins any more
  unsigned* const mine = bins + cluster.block_rank() * own;
  for (int i = threadIdx.x; i < own; i += blockDim.x) atomicAdd(&mine[i], counts[i]);
}

TEST(ClusterTest, HistogramSpreadsItsBinsOverTheBlocks) {
  constexpr int kOwn = 37;
  for (const int blocks : {1, 2, 4, 8}) {
    for (const int count : {0, 1, 1000}) {
      const std::vector<int> values = SmallNumbers(count, blocks * kOwn);
      std::vector<unsigned> expected(blocks * kOwn, 0);
      for (const int value : values) ++expected[value];
      const DeviceVector<int> in(values);
      const DeviceVector<unsigned> bins(blocks * kOwn);
      ASSERT_OK(Launch(Histogram, 3 * blocks, 64, blocks, kOwn * sizeof(unsigned), in.get(), count,
                       kOwn, bins.get()));
      EXPECT_EQ(bins.ToHost(), expected) << blocks << " blocks, " << count << " values";
    }
  }
}

struct Names {
  dim3 index, dims, thread, threads, cluster, clusters;
  unsigned rank, blocks, thread_rank, num_threads, specified, cluster_rank, num_clusters;
};

__global__ void Describe(Names* out) {
  const cg::cluster_group cluster = cg::this_cluster();
  const cg::grid_group grid = cg::this_grid();
  if (threadIdx.x != 1) return;
  out[grid.block_rank()] = {cluster.block_index(),
                            cluster.dim_blocks(),
                            cluster.thread_index(),
                            cluster.dim_threads(),
                            __clusterIdx(),
                            __clusterGridDimInClusters(),
                            cluster.block_rank(),
                            cluster.num_blocks(),
                            cluster.thread_rank(),
                            cluster.num_threads(),
                            __clusterDimIsSpecified(),
                            static_cast<unsigned>(grid.cluster_rank()),
                            static_cast<unsigned>(grid.num_clusters())};
}

std::vector<unsigned> List(const dim3& d) { return {d.x, d.y, d.z}; }

TEST(ClusterTest, NumbersBlocksAndThreadsWithXFastest) {
  const DeviceVector<Names> out(4 * 6 * 2);
  ASSERT_OK(Launch(Describe, dim3(4, 6, 2), dim3(3, 1, 1), dim3(2, 3, 1), 0, out.get()));
  const Names names = out.ToHost()[3 + 4 * (5 + 6 * 1)];  // block (3, 5, 1)
  EXPECT_EQ(List(names.index), (std::vector<unsigned>{1, 2, 0}));
  EXPECT_EQ(List(names.dims), (std::vector<unsigned>{2, 3, 1}));
  EXPECT_EQ(List(names.thread), (std::vector<unsigned>{4, 2, 0}));
  EXPECT_EQ(List(names.threads), (std::vector<unsigned>{6, 3, 1}));
  EXPECT_EQ(List(names.cluster), (std::vector<unsigned>{1, 1, 1}));
  EXPECT_EQ(List(names.clusters), (std::vector<unsigned>{2, 2, 2}));
  EXPECT_EQ(names.rank, 5u);
  EXPECT_EQ(names.blocks, 6u);
  EXPECT_EQ(names.thread_rank, 5u * 3 + 1);
  EXPECT_EQ(names.num_threads, 18u);
  EXPECT_EQ(names.specified, 1u);
  EXPECT_EQ(names.cluster_rank, 7u);
  EXPECT_EQ(names.num_clusters, 8u);
}

TEST(ClusterTest, AnOrdinaryLaunchHasClustersOfOneBlock) {
  const DeviceVector<Names> out(2);
  Describe<<<2, 2>>>(out.get());
  const Names names = out.ToHost()[1];
  EXPECT_EQ(names.rank, 0u);
  EXPECT_EQ(names.blocks, 1u);
  EXPECT_EQ(names.specified, 0u);
  EXPECT_EQ(names.num_clusters, 2u);
}

// Every block passes its rank on to the next one, by either half of the barrier in between.
__global__ void PassOn(int* out) {
  __shared__ int from;
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
  cluster.sync();
  int* const theirs = cluster.map_shared_rank(&from, next);
  if (threadIdx.x == 0) *theirs = static_cast<int>(cluster.block_rank());
  auto token = cluster.barrier_arrive();
  const unsigned owner = cluster.query_shared_rank(theirs);
  cluster.barrier_wait(std::move(token));
  if (threadIdx.x == 0) out[blockIdx.x] = from + (owner == next ? 0 : 100);
  cluster.barrier_arrive();
  cluster.barrier_wait();
}

TEST(ClusterTest, ArriveAndWaitAreTheHalvesOfSync) {
  const DeviceVector<int> out(8);
  ASSERT_OK(Launch(PassOn, 8, 70, 4, 0, out.get()));
  EXPECT_EQ(out.ToHost(), (std::vector<int>{3, 0, 1, 2, 3, 0, 1, 2}));
}

// Intrinsics without cooperative groups, and the attribute at a declaration.
__global__ void __cluster_dims__(2) Swap(int* out);
__global__ void Swap(int* out) {
  __shared__ int value;
  const unsigned other = 1 - __clusterRelativeBlockRank();
  if (threadIdx.x == 0) value = static_cast<int>(blockIdx.x);
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
  const int* const theirs = static_cast<int*>(__cluster_map_shared_rank(&value, other));
  if (threadIdx.x == 0) out[blockIdx.x] = *theirs + 10 * __cluster_query_shared_rank(theirs);
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
}

TEST(ClusterTest, IntrinsicsAndAnAttributeAtTheDeclarationServeToo) {
  const DeviceVector<int> out(4);
  Swap<<<4, 32>>>(out.get());
  EXPECT_EQ(out.ToHost(), (std::vector<int>{11, 0, 13, 2}));
  cudaFuncAttributes attributes;
  ASSERT_OK(cudaFuncGetAttributes(&attributes, Swap));
  EXPECT_EQ(attributes.requiredClusterWidth, 2);
  EXPECT_EQ(attributes.requiredClusterHeight, 1);
  EXPECT_EQ(attributes.requiredClusterDepth, 1);
}

// PTX ISA, sections "mapa", "getctarank", "barrier.cluster" and "%cluster_ctarank".
__global__ void InPtx(unsigned* out) {
  __shared__ unsigned value;
  unsigned rank, blocks, cluster, address, mapped, owner, read;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
  asm("mov.u32 %0, %%clusterid.x;" : "=r"(cluster));
  value = 7 * rank + cluster;
  asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::
                   : "memory");
  address = static_cast<unsigned>(__cvta_generic_to_shared(&value));
  asm("mapa.shared::cluster.u32 %0, %1, %2;"
      : "=r"(mapped)
      : "r"(address), "r"((rank + 1) % blocks));
  asm("getctarank.shared::cluster.u32 %0, %1;" : "=r"(owner) : "r"(mapped));
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(read) : "r"(mapped) : "memory");
  out[blockIdx.x] = read + 100 * owner;
  asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
}

TEST(ClusterTest, InlinePtxReachesOtherBlocksToo) {
  const DeviceVector<unsigned> out(4);
  ASSERT_OK(Launch(InPtx, 4, 1, 2, 0, out.get()));
  EXPECT_EQ(out.ToHost(), (std::vector<unsigned>{107, 0, 108, 1}));
}

// Threads that return early are not waited for: PTX ISA, "barrier.cluster".
__global__ void HalfReturns(int* out) {
  __shared__ int value;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) value = static_cast<int>(blockIdx.x);
  if (threadIdx.x >= blockDim.x / 2) return;
  cluster.sync();
  if (threadIdx.x == 0) {
    out[blockIdx.x] = *cluster.map_shared_rank(&value, cluster.num_blocks() - 1);
  }
  cluster.sync();
}

TEST(ClusterTest, ThreadsThatHaveReturnedAreNotWaitedFor) {
  const DeviceVector<int> out(4);
  ASSERT_OK(Launch(HalfReturns, 4, 64, 2, 0, out.get()));
  EXPECT_EQ(out.ToHost(), (std::vector<int>{1, 1, 3, 3}));
}

// cluster.sync() orders global memory within the cluster, grid.sync() among all of them.
__global__ void __cluster_dims__(2, 1, 1) Both(int* values, int* out) {
  cg::cluster_group cluster = cg::this_cluster();
  const cg::grid_group grid = cg::this_grid();
  if (threadIdx.x == 0) values[blockIdx.x] = static_cast<int>(blockIdx.x);
  cluster.sync();
  const int neighbour = values[blockIdx.x ^ 1];
  grid.sync();
  const int opposite = values[gridDim.x - 1 - blockIdx.x];
  if (threadIdx.x == 0) out[blockIdx.x] = 10 * neighbour + opposite;
}

TEST(ClusterTest, GridsOfClustersMayBeCooperative) {
  const DeviceVector<int> values(6), out(6);
  int* pointers[] = {values.get(), out.get()};
  void* arguments[] = {&pointers[0], &pointers[1]};
  ASSERT_OK(cudaLaunchCooperativeKernel(Both, dim3(6), dim3(32), arguments));
  EXPECT_EQ(out.ToHost(), (std::vector<int>{15, 4, 33, 22, 51, 40}));
}

__global__ void __cluster_dims__(2, 2, 1) Square() {}

TEST(ClusterTest, ReportsHowManyClustersFit) {
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {4, 1, 1};
  cudaLaunchConfig_t config = {};
  config.gridDim = 8;
  config.blockDim = 1024;
  config.attrs = &attribute;
  config.numAttrs = 1;
  int count = -1;
  ASSERT_OK(cudaOccupancyMaxActiveClusters(&count, Nothing, &config));
  EXPECT_EQ(count, 2 * 132 / 4);
  ASSERT_OK(cudaOccupancyMaxPotentialClusterSize(&count, Nothing, &config));
  EXPECT_EQ(count, 8);
  ASSERT_OK(cudaFuncSetAttribute(Nothing, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  ASSERT_OK(cudaOccupancyMaxPotentialClusterSize(&count, Nothing, &config));
  EXPECT_EQ(count, 16);
  cudaFuncAttributes attributes;
  ASSERT_OK(cudaFuncGetAttributes(&attributes, Nothing));
  EXPECT_EQ(attributes.nonPortableClusterSizeAllowed, 1);
  ASSERT_OK(cudaFuncSetAttribute(Nothing, cudaFuncAttributeNonPortableClusterSizeAllowed, 0));
  int has_clusters = 0;
  ASSERT_OK(cudaDeviceGetAttribute(&has_clusters, cudaDevAttrClusterLaunch, 0));
  EXPECT_EQ(has_clusters, 1);
}

TEST(ClusterTest, RunsTheLargestClusterOfTheLargestBlocks) {
  ASSERT_OK(cudaFuncSetAttribute(HalfReturns, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  const DeviceVector<int> out(32);
  ASSERT_OK(Launch(HalfReturns, 32, 1024, 16, 0, out.get()));
  std::vector<int> expected(32, 15);
  std::fill(expected.begin() + 16, expected.end(), 31);
  EXPECT_EQ(out.ToHost(), expected);
}

TEST(ClusterTest, TakesALaunchThatRepeatsTheKernelsOwnExtent) {
  EXPECT_OK(Launch(Square, dim3(4, 2), 32, dim3(2, 2), 0));
  EXPECT_OK(cudaDeviceSynchronize());
}

}  // namespace
