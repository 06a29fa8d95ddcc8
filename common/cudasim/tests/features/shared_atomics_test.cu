// Atomic operations on shared memory, which plain mode does without a lock.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <vector>

#include "common/cudasim/tests/features/device_vector.h"

namespace {

template <class T>
__global__ void AddInShared(T* sums) {
  __shared__ T sum;
  if (threadIdx.x == 0) sum = T{};
  __syncthreads();
  atomicAdd(&sum, static_cast<T>(threadIdx.x));
  __syncthreads();
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

template <class T>
void ExpectSumOfThreads(int threads) {
  DeviceVector<T> sums(40);
  AddInShared<<<40, threads>>>(sums.get());
  const T wanted = static_cast<T>(threads * (threads - 1) / 2);
  for (const T sum : sums.ToHost()) ASSERT_EQ(sum, wanted) << threads << " threads";
}

TEST(SharedAtomicsTest, AddLosesNothingForEveryType) {
  for (const int threads : {1, 31, 32, 33, 1024}) {
    ExpectSumOfThreads<int>(threads);
    ExpectSumOfThreads<unsigned>(threads);
    ExpectSumOfThreads<unsigned long long>(threads);
    ExpectSumOfThreads<float>(threads);
    ExpectSumOfThreads<double>(threads);
  }
}

__global__ void CombineInShared(int* out) {
  __shared__ int made[6];
  const int i = threadIdx.x;
  if (i < 6) made[i] = i == 3 ? -1 : 0;
  __syncthreads();
  atomicMax(&made[0], i);
  atomicMin(&made[1], -i);
  atomicOr(&made[2], 1 << (i % 8));
  atomicAnd(&made[3], ~(1 << (i % 8)));
  atomicXor(&made[4], i);
  atomicSub(&made[5], 2);
  __syncthreads();
  if (i < 6) out[i] = made[i];
}

TEST(SharedAtomicsTest, CombinesInEveryWay) {
  DeviceVector<int> out(6);
  CombineInShared<<<1, 64>>>(out.get());
  EXPECT_EQ(out.ToHost(), (std::vector<int>{63, -63, 0xff, ~0xff, 0, -128}));
}

__global__ void ReturnOldInShared(unsigned* seen, unsigned* rounds) {
  __shared__ unsigned next;
  __shared__ unsigned short owner;
  if (threadIdx.x == 0) {
    next = 0;
    owner = 0;
  }
  __syncthreads();
  atomicAdd(&seen[atomicAdd(&next, 1u)], 1u);
  const unsigned short mine = static_cast<unsigned short>(threadIdx.x + 1);
  if (atomicCAS(&owner, static_cast<unsigned short>(0), mine) == 0) atomicAdd(rounds, 1u);
  __syncthreads();
  if (owner == mine && atomicExch(&next, 7u) == blockDim.x) atomicAdd(rounds, 1u);
}

TEST(SharedAtomicsTest, ReturnsEveryOldValueToOneThread) {
  DeviceVector<unsigned> seen(256);
  DeviceVector<unsigned> rounds(1);
  ReturnOldInShared<<<1, 256>>>(seen.get(), rounds.get());
  EXPECT_EQ(seen.ToHost(), std::vector<unsigned>(256, 1));
  EXPECT_EQ(rounds.ToHost()[0], 2u);
}

}  // namespace
