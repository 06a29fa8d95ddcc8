// Clusters that cannot be launched, and misuse of their barrier.  Plain mode only: in check mode
// these are findings, see bugs/clusters.cu. Launches by kernels that fail: each thread has its own
// last error. Invalid uses of grid.sync().  Plain mode only: in check mode these are findings, see
// bugs/warp.cu.
#include <cooperative_groups.h>

#include "common/cudasim/tests/features/test.h"

namespace cg = cooperative_groups;

namespace {

__global__ void __cluster_dims__(2, 2, 1) Square() {}
__global__ void Large() {}

cudaError_t Launch(void (*kernel)(), dim3 grid, dim3 cluster) {
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {cluster.x, cluster.y, cluster.z};
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = 32;
  config.attrs = &attribute;
  config.numAttrs = 1;
  const cudaError_t error = cudaLaunchKernelEx(&config, kernel);
  EXPECT_EQ(cudaGetLastError(), error);
  return error;
}

TEST(ClusterErrorsTest, TheGridMustBeAMultipleOfTheClusterInEachDimension) {
  EXPECT_OK(Launch(Nothing, 8, 4));
  EXPECT_EQ(Launch(Nothing, 9, 4), cudaErrorInvalidClusterSize);
  EXPECT_EQ(Launch(Nothing, dim3(2, 4), dim3(4, 1)), cudaErrorInvalidClusterSize);
  EXPECT_EQ(Launch(Nothing, dim3(4, 4, 3), dim3(1, 1, 2)), cudaErrorInvalidClusterSize);
  Square<<<dim3(2, 3), 32>>>();
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidClusterSize);
}

TEST(ClusterErrorsTest, AClusterHasBlocks) {
  EXPECT_EQ(Launch(Nothing, 8, dim3(0, 1, 1)), cudaErrorInvalidClusterSize);
  EXPECT_EQ(Launch(Nothing, 8, dim3(1, 1, 0)), cudaErrorInvalidClusterSize);
}

TEST(ClusterErrorsTest, MoreThanEightBlocksNeedTheAttributeAndSixteenAreTheMost) {
  EXPECT_OK(Launch(Large, 16, 8));
  EXPECT_EQ(Launch(Large, 16, 16), cudaErrorInvalidClusterSize);
  ASSERT_OK(cudaFuncSetAttribute(Large, cudaFuncAttributeNonPortableClusterSizeAllowed, 2));
  EXPECT_OK(Launch(Large, 16, 16));
  EXPECT_EQ(Launch(Large, 32, 32), cudaErrorInvalidClusterSize);
  EXPECT_EQ(Launch(Large, dim3(17), dim3(17)), cudaErrorInvalidClusterSize);
}

TEST(ClusterErrorsTest, TheKernelsOwnExtentCannotBeChanged) {
  EXPECT_EQ(Launch(Square, dim3(4, 4), dim3(4, 1)), cudaErrorInvalidClusterSize);
}

TEST(ClusterErrorsTest, QueriesWantAConfigurationThatCouldBeLaunched) {
  int count = -1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(3, 3);
  config.blockDim = 32;
  EXPECT_EQ(cudaOccupancyMaxActiveClusters(&count, Square, &config), cudaErrorInvalidClusterSize);
  EXPECT_EQ(cudaOccupancyMaxActiveClusters(nullptr, Square, &config), cudaErrorInvalidValue);
  EXPECT_EQ(cudaOccupancyMaxPotentialClusterSize(&count, Square, nullptr), cudaErrorInvalidValue);
  cudaGetLastError();
}

__global__ void __cluster_dims__(2) WaitsOnly() { cg::this_cluster().barrier_wait(); }

void WaitOnly() {
  WaitsOnly<<<2, 32>>>();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
}

TEST(ClusterErrorsTest, AWaitWithoutAnArrivalEndsTheLaunch) {
  ExpectInOwnProcess(WaitOnly, "cudasim: invalid_cluster: ");
}

using Ints = std::vector<int>;

__global__ void LaunchEmpty(int* errors) {
  if (threadIdx.x == 0) Nothing<<<0, 1>>>();
  __syncthreads();
  if (threadIdx.x == 0) errors[0] = cudaPeekAtLastError();
  if (threadIdx.x == 1) errors[1] = cudaGetLastError();
  if (threadIdx.x == 0) errors[2] = cudaGetLastError();
  if (threadIdx.x == 0) errors[3] = cudaGetLastError();
}

TEST(DynamicParallelismErrorsTest, AThreadGetsItsOwnErrorOnce) {
  const DeviceVector<int> errors(4);
  LaunchEmpty<<<1, 2>>>(errors.get());
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(errors.ToHost(), (Ints{cudaErrorInvalidConfiguration, cudaSuccess,
                                   cudaErrorInvalidConfiguration, cudaSuccess}));
}

__global__ void LaunchTails(int* failed, int* error, int launches) {
  for (int i = 0; i < launches; ++i) {
    Nothing<<<1, 1, 0, cudaStreamTailLaunch>>>();
    const cudaError_t last = cudaGetLastError();
    if (last == cudaSuccess) continue;
    ++*failed;
    *error = last;
  }
}

// As measured on an H100.
TEST(DynamicParallelismErrorsTest, TheTailLaunchPastTheLimitFails) {
  const DeviceVector<int> result(2);
  LaunchTails<<<1, 1>>>(result.get(), result.get() + 1, 2050);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(result.ToHost(), (Ints{2, cudaErrorLaunchPendingCountExceeded}));
  ASSERT_OK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 10));
  LaunchTails<<<1, 1>>>(result.get(), result.get() + 1, 13);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(result.ToHost()[0], 5);
  EXPECT_OK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 2048));
}

__global__ void Trap() { __trap(); }
__global__ void LaunchTrap(int* to) {
  Trap<<<1, 1>>>();
  *to = 1;
}

void RunTrap() {
  int* to = nullptr;
  cudaMalloc(&to, sizeof(int));
  LaunchTrap<<<1, 1>>>(to);
  _Exit(cudaDeviceSynchronize() == cudaErrorLaunchFailure ? 3 : 4);
}

TEST(DynamicParallelismErrorsTest, AFaultOfAChildFailsTheProgram) {
  EXPECT_EXIT(RunTrap(), testing::ExitedWithCode(3), "trap: kernel Trap");
}

}  // namespace

namespace cg = cooperative_groups;

namespace {

__global__ void Sync() { cg::this_grid().sync(); }

void ExpectTooLarge(int blocks, int threads) {
  EXPECT_EQ(cudaLaunchCooperativeKernel(Sync, dim3(blocks), dim3(threads), nullptr),
            cudaErrorCooperativeLaunchTooLarge);
  EXPECT_EQ(cudaGetLastError(), cudaErrorCooperativeLaunchTooLarge);
  EXPECT_OK(cudaGetLastError());
}

TEST(GridSyncErrorsTest, RefusesMoreBlocksThanTheDeviceHoldsAtOnce) {
  int blocks = 0;
  ASSERT_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, Sync, 32, 0));
  EXPECT_EQ(blocks, 32);
  ExpectTooLarge(132 * blocks + 1, 1);
}

TEST(GridSyncErrorsTest, RefusesMoreThreadsThanTheSettingAllows) {
  setenv("CUDASIM_COOPERATIVE_THREADS", "24576", 1);
  ExpectTooLarge(24576 / 1024 + 1, 1024);
  unsetenv("CUDASIM_COOPERATIVE_THREADS");
}

void SyncInOrdinaryLaunch() {
  Sync<<<2, 32>>>();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
}

TEST(GridSyncErrorsTest, AnOrdinaryLaunchEndsWithAStickyError) {
  ExpectInOwnProcess(SyncInOrdinaryLaunch, "grid.sync\\(\\) in a launch that is not cooperative");
}

}  // namespace
