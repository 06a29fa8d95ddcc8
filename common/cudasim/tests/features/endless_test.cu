// Endless kernels.  In check mode they end the program.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "common/cudasim/tests/features/device_vector.h"

namespace {

// Before the first launch.
const int limited = setenv("CUDASIM_TIMEOUT_S", "1", 1);

__global__ void Spin(volatile int* flag) {
  while (*flag == 0) {
  }
}

TEST(EndlessTest, EndsALaunchThatComesNoFurther) {
  ASSERT_EQ(limited, 0);
  const DeviceVector<int> flag(1);
  testing::internal::CaptureStderr();
  Spin<<<2, 8>>>(flag.get());
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchTimeout);
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("cudasim: endless_kernel: kernel Spin, "), std::string::npos) << text;
  EXPECT_NE(text.find("endless_test.cu:"), std::string::npos) << text;
  EXPECT_NE(text.find("for 1 s of CPU time"), std::string::npos) << text;
  EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchTimeout);  // and stays
}

}  // namespace
