// __syncthreads() and the barriers that also count or combine; fences.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <vector>

#include "common/cudasim/tests/features/device_vector.h"

namespace {

__global__ void Vote(const int* votes, int* out) {
  const int mine = votes[threadIdx.x];
  const int count = __syncthreads_count(mine);
  const int all = __syncthreads_and(mine);
  const int any = __syncthreads_or(mine);
  if (threadIdx.x == 0) {
    out[0] = count;
    out[1] = all;
    out[2] = any;
  }
}

std::vector<int> RunVote(const std::vector<int>& votes) {
  DeviceVector<int> in(votes);
  DeviceVector<int> out(3);
  Vote<<<1, votes.size()>>>(in.get(), out.get());
  return out.ToHost();
}

TEST(BarrierTest, CountsAndCombinesPredicates) {
  std::vector<int> votes(96, 1);
  EXPECT_EQ(RunVote(votes), (std::vector<int>{96, 1, 1}));
  votes[95] = 0;
  EXPECT_EQ(RunVote(votes), (std::vector<int>{95, 0, 1}));
  EXPECT_EQ(RunVote(std::vector<int>(96, 0)), (std::vector<int>{0, 0, 0}));
}

__global__ void Rotate(int* values, int rounds) {
  __shared__ int ring[1024];
  ring[threadIdx.x] = values[threadIdx.x];
  for (int round = 0; round < rounds; ++round) {
    __syncthreads();
    const int next = ring[(threadIdx.x + 1) % blockDim.x];
    __syncthreads();
    ring[threadIdx.x] = next;
  }
  __syncthreads();
  values[threadIdx.x] = ring[threadIdx.x];
}

TEST(BarrierTest, HoldsAFullBlockForManyRounds) {
  std::vector<int> values(1024);
  for (int i = 0; i < 1024; ++i) values[i] = i;
  DeviceVector<int> d(values);
  Rotate<<<1, 1024>>>(d.get(), 20);
  const std::vector<int> got = d.ToHost();
  for (int i = 0; i < 1024; ++i) ASSERT_EQ(got[i], (i + 20) % 1024);
}

__global__ void BarrierInUniformLoop(int* out, int n) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  for (int i = 0; i < n; ++i) {
    __syncthreads();
    if (static_cast<int>(threadIdx.x) == i) sum += i;
  }
  __syncthreads();
  out[threadIdx.x] = sum;
}

TEST(BarrierTest, StandsInALoopThatAllThreadsRun) {
  DeviceVector<int> out(32);
  BarrierInUniformLoop<<<1, 32>>>(out.get(), 10);
  EXPECT_EQ(out.ToHost(), std::vector<int>(32, 45));
}

__global__ void LastBlockSums(const int* in, int* partial, unsigned* done, int* out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    last = atomicAdd(done, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last || threadIdx.x != 0) return;
  __threadfence();
  int sum = 0;
  for (unsigned i = 0; i < gridDim.x; ++i) sum += partial[i];
  *out = sum;
}

TEST(BarrierTest, LetsTheLastBlockSeeWhatOthersFenced) {
  DeviceVector<int> in(std::vector<int>(50, 3));
  DeviceVector<int> partial(50);
  DeviceVector<unsigned> done(1);
  DeviceVector<int> out(1);
  LastBlockSums<<<50, 32>>>(in.get(), partial.get(), done.get(), out.get());
  EXPECT_EQ(out.ToHost()[0], 150);
}

// Each block waits for its predecessor's sum: look-back, with a fence and a flag.
__global__ void ChainedSum(const int* in, int* sums, int* flags) {
  if (threadIdx.x != 0) return;
  const int block = blockIdx.x;
  int before = 0;
  if (block > 0) {
    while (atomicAdd(&flags[block - 1], 0) == 0) {
    }
    __threadfence();
    before = sums[block - 1];
  }
  sums[block] = before + in[block];
  __threadfence();
  atomicExch(&flags[block], 1);
}

TEST(BarrierTest, WaitsForEarlierBlocks) {
  DeviceVector<int> in(std::vector<int>(100, 2));
  DeviceVector<int> sums(100);
  DeviceVector<int> flags(100);
  ChainedSum<<<100, 32>>>(in.get(), sums.get(), flags.get());
  const std::vector<int> got = sums.ToHost();
  for (int i = 0; i < 100; ++i) ASSERT_EQ(got[i], 2 * (i + 1));
}

__global__ void LockedIncrement(int* lock, int* counter) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *counter = *counter + 1;
  __threadfence();
  atomicExch(lock, 0);
}

TEST(BarrierTest, RunsAFencedSpinLock) {
  DeviceVector<int> lock(1);
  DeviceVector<int> counter(1);
  LockedIncrement<<<64, 32>>>(lock.get(), counter.get());
  EXPECT_EQ(counter.ToHost()[0], 64);
}

}  // namespace
