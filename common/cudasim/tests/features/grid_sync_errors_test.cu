// Invalid uses of grid.sync().  Plain mode only: in check mode these are findings, see
// bugs/warp.cu.
#include <cooperative_groups.h>

#include "common/cudasim/tests/features/test.h"

namespace cg = cooperative_groups;

namespace {

__global__ void Sync() { cg::this_grid().sync(); }

void ExpectTooLarge(int blocks, int threads) {
  EXPECT_EQ(cudaLaunchCooperativeKernel(Sync, dim3(blocks), dim3(threads), nullptr),
            cudaErrorCooperativeLaunchTooLarge);
  EXPECT_EQ(cudaGetLastError(), cudaErrorCooperativeLaunchTooLarge);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST(GridSyncErrorsTest, RefusesMoreBlocksThanTheDeviceHoldsAtOnce) {
  int blocks = 0;
  ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, Sync, 32, 0), cudaSuccess);
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
