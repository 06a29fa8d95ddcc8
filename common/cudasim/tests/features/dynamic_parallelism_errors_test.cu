// Launches by kernels that fail: each thread has its own last error.
#include "common/cudasim/tests/features/test.h"

namespace {

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
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
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
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(result.ToHost(), (Ints{2, cudaErrorLaunchPendingCountExceeded}));
  ASSERT_EQ(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 10), cudaSuccess);
  LaunchTails<<<1, 1>>>(result.get(), result.get() + 1, 13);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(result.ToHost()[0], 5);
  EXPECT_EQ(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 2048), cudaSuccess);
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
