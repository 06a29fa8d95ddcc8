// __syncwarp(): lanes pass values through shared memory.
#include "common/cudasim/tests/features/test.h"

namespace {

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

TEST(SyncWarpTest, IsTransitive) {
  DeviceVector<int> out(1);
  Chain<<<1, 32>>>(out.get());
  EXPECT_EQ(out.ToHost()[0], 17);
}

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
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  for (const int count : rounds.ToHost()) EXPECT_GT(count, 0);
}

}  // namespace
