// Endless kernels.  In check mode they end the program, see bugs/control.cu.
#include "common/cudasim/tests/features/test.h"

namespace {

// Before the first launch.
const int limited = setenv("CUDASIM_TIMEOUT_S", "1", 1);

__global__ void Spin(volatile int* flag) {
  while (*flag == 0) {
  }
}

void RunEndlessly() {
  const DeviceVector<int> flag(1);
  Spin<<<2, 8>>>(flag.get());
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchTimeout);
  EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchTimeout);  // and stays
}

// Before other tests: the thread that watches launches would not be in the process that is forked.
TEST(EndlessDeathTest, EndsALaunchThatComesNoFurther) {
  ASSERT_EQ(limited, 0);
  ExpectInOwnProcess(
      RunEndlessly,
      "cudasim: endless_kernel: kernel Spin, .*endless_test.cu:.*for 1 s of CPU time");
}

}  // namespace
