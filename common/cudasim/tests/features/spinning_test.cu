// Kernels whose threads spin: on each other, which must end well, and for ever.  Plain mode only.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "common/cudasim/tests/features/device_vector.h"

namespace {

// Before the first launch.
const int limited = setenv("CUDASIM_TIMEOUT_S", "1", 1);

// The last thread of the last block lets all others go.
__global__ void WaitForLast(volatile int* flag, int* passed) {
  const bool last = blockIdx.x == gridDim.x - 1 && threadIdx.x == blockDim.x - 1;
  if (last) *flag = 1;
  while (*flag == 0) {
  }
  atomicAdd(passed, 1);
}

__global__ void Spin(volatile int* flag) {
  while (*flag == 0) {
  }
}

TEST(SpinningTest, LetsThreadsRunThatOthersWaitFor) {
  for (const int block : {1, 31, 33, 100}) {
    for (const int grid : {1, 4}) {
      const DeviceVector<int> flag(1), passed(1);
      WaitForLast<<<grid, block>>>(flag.get(), passed.get());
      EXPECT_EQ(passed.ToHost()[0], grid * block);
    }
  }
}

TEST(SpinningTest, EndsALaunchThatComesNoFurther) {
  ASSERT_EQ(limited, 0);
  const DeviceVector<int> flag(1);
  testing::internal::CaptureStderr();
  Spin<<<2, 8>>>(flag.get());
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchTimeout);
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("cudasim: endless_kernel: kernel Spin, "), std::string::npos) << text;
  EXPECT_NE(text.find("spinning_test.cu:"), std::string::npos) << text;
  EXPECT_NE(text.find("for 1 s of CPU time"), std::string::npos) << text;
  EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchTimeout);  // and stays
}

}  // namespace
