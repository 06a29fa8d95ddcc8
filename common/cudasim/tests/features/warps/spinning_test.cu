// Kernels whose threads spin until others set a flag. __syncwarp(): lanes pass values through
// shared memory.
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

__global__ void Rotate(int* values, int rounds) {
  __shared__ int ring[1024];
  const unsigned lane = threadIdx.x % 32;
  const unsigned next = threadIdx.x - lane + (lane + 1) % 32;
  ring[threadIdx.x] = values[threadIdx.x];
  for (int round = 0; round < rounds; ++round) {
    __syncwarp();
    const int value = ring[next];
    __syncwarp();
    ring[threadIdx.x] = value;
  }
  values[threadIdx.x] = ring[threadIdx.x];
}

TEST(SyncWarpTest, OrdersTheLanesOfEachWarp) {
  for (const int threads : {32, 64, 1024}) {
    std::vector<int> values(threads);
    for (int i = 0; i < threads; ++i) values[i] = i;
    DeviceVector<int> d(values);
    Rotate<<<1, threads>>>(d.get(), 5);
    const std::vector<int> got = d.ToHost();
    for (int i = 0; i < threads; ++i) EXPECT_EQ(got[i], i / 32 * 32 + (i + 5) % 32);
  }
}

// Happens-before is transitive: lane 0 is ordered after lane 8 through lane 4.
__global__ void Chain(int* out) {
  __shared__ int box[32];
  const unsigned lane = threadIdx.x;
  if (lane == 8) box[8] = 17;
  if (lane == 8 || lane == 4) __syncwarp(0x110u);
  if (lane == 4 || lane == 0) __syncwarp(0x011u);
  if (lane == 0) *out = box[8];
}

TEST(SyncWarpTest, IsTransitive) { EXPECT_EQ(StoredBy(Chain, 1, 32)[0], 17); }

// All lanes write, one releases; one acquires, all lanes read.
__global__ void PassOn(int* data, int* flag, int* out) {
  const unsigned lane = threadIdx.x;
  if (blockIdx.x == 0) {
    data[lane] = static_cast<int>(lane) * 3;
    __syncwarp();
    if (lane == 0) {
      __threadfence();
      atomicExch(flag, 1);
    }
  } else {
    if (lane == 0) {
      while (atomicAdd(flag, 0) == 0) {
      }
      __threadfence();
    }
    __syncwarp();
    out[lane] = data[31 - lane];
  }
}

TEST(SyncWarpTest, CarriesWhatOneLaneReleasesAndAcquires) {
  DeviceVector<int> data(32);
  DeviceVector<int> flag(1);
  DeviceVector<int> out(32);
  PassOn<<<2, 32>>>(data.get(), flag.get(), out.get());
  const std::vector<int> got = out.ToHost();
  for (int i = 0; i < 32; ++i) EXPECT_EQ(got[i], (31 - i) * 3);
}

// A warp that polls together does not keep the block's other warps from writing.
__global__ void Poll(volatile int* flag, int* rounds) {
  if (threadIdx.x >= 32) {
    if (threadIdx.x == 63) *flag = 1;
    return;
  }
  int count = 0;
  while (!__any_sync(0xffffffffu, *flag != 0)) ++count;
  rounds[threadIdx.x] = count + 1;
}

TEST(SyncWarpTest, AWarpMayPollTogether) {
  DeviceVector<int> flag(1);
  DeviceVector<int> rounds(32);
  Poll<<<1, 64>>>(flag.get(), rounds.get());
  ASSERT_OK(cudaDeviceSynchronize());
  for (const int count : rounds.ToHost()) EXPECT_GT(count, 0);
}

}  // namespace
