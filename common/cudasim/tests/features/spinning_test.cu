// Kernels whose threads spin until others set a flag.
#include "common/cudasim/tests/features/test.h"

namespace {

// The last thread of the last block releases all others.
__global__ void WaitForLast(volatile int* flag, int* passed) {
  const bool last = blockIdx.x == gridDim.x - 1 && threadIdx.x == blockDim.x - 1;
  if (last) *flag = 1;
  while (*flag == 0) {
  }
  atomicAdd(passed, 1);
}

// The last block releases all others, which poll by an atomic operation that changes nothing.
__global__ void WaitForLastBlock(int* flag, int* passed, int how) {
  if (blockIdx.x == gridDim.x - 1) atomicExch(flag, 1);
  for (int old = 0; old == 0;) {
    old = how == 0 ? atomicAdd(flag, 0) : how == 1 ? atomicOr(flag, 0) : atomicMax(flag, 0);
  }
  atomicAdd(passed, 1);
}

__global__ void WaitForBoth(volatile int* a, volatile int* b, int* passed) {
  if (blockIdx.x == gridDim.x - 1) {
    *a = 1;
    *b = 1;
  }
  while (*a == 0 || *b == 0 || *a == 0) {
  }
  atomicAdd(passed, 1);
}

TEST(SpinningTest, LetsThreadsRunThatOthersWaitFor) {
  for (const int block : {1, 33}) {
    for (const int grid : {1, 4}) {
      const DeviceVector<int> flag(1), passed(1);
      WaitForLast<<<grid, block>>>(flag.get(), passed.get());
      EXPECT_EQ(passed.ToHost()[0], grid * block);
    }
  }
}

TEST(SpinningTest, LetsBlocksRunThatOthersWaitForByAtomicsThatChangeNothing) {
  for (const int how : {0, 1, 2}) {
    const DeviceVector<int> flag(1), passed(1);
    WaitForLastBlock<<<3, 1>>>(flag.get(), passed.get(), how);
    EXPECT_EQ(passed.ToHost()[0], 3) << how;
  }
}

TEST(SpinningTest, LetsBlocksRunThatOthersWaitForByReadingTwoFlags) {
  const DeviceVector<int> flags(2), passed(1);
  WaitForBoth<<<3, 1>>>(flags.get(), flags.get() + 1, passed.get());
  EXPECT_EQ(passed.ToHost()[0], 3);
}

// Long enough for an interrupt inside a loop without accesses to shared data.
__global__ void Compute(float* out, int rounds) {
  float value = 1;
  for (int i = 0; i < rounds; ++i) value = value * 0.5f + 1;
  out[threadIdx.x] = value;
}

TEST(SpinningTest, GoesOnWithThreadsThatComputeForLong) {
  for (const int block : {1, 2, 40}) {
    const DeviceVector<float> out(block);
    Compute<<<1, block>>>(out.get(), block == 40 ? 1'000'000 : 30'000'000);
    EXPECT_EQ(out.ToHost(), std::vector<float>(block, 2.0f));
  }
}

}  // namespace
