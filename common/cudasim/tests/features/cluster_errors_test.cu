// Clusters that cannot be launched, and misuse of their barrier.  Plain mode only: in check mode
// these are findings, see bugs/clusters.cu.
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
  EXPECT_EQ(Launch(Nothing, 8, 4), cudaSuccess);
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
  EXPECT_EQ(Launch(Large, 16, 8), cudaSuccess);
  EXPECT_EQ(Launch(Large, 16, 16), cudaErrorInvalidClusterSize);
  ASSERT_EQ(cudaFuncSetAttribute(Large, cudaFuncAttributeNonPortableClusterSizeAllowed, 2),
            cudaSuccess);
  EXPECT_EQ(Launch(Large, 16, 16), cudaSuccess);
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

}  // namespace
