// Atomic operations on global and shared memory.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "common/cudasim/tests/features/device_vector.h"

namespace {

template <class T>
__global__ void AddAll(T* sum) {
  atomicAdd(sum, static_cast<T>(1));
}

template <class T>
void ExpectSumOfAllThreads() {
  DeviceVector<T> sum(1);
  AddAll<<<20, 96>>>(sum.get());
  EXPECT_EQ(sum.ToHost()[0], static_cast<T>(20 * 96));
}

TEST(AtomicsTest, AddLosesNothing) {
  ExpectSumOfAllThreads<int>();
  ExpectSumOfAllThreads<unsigned>();
  ExpectSumOfAllThreads<unsigned long long>();
  ExpectSumOfAllThreads<float>();
  ExpectSumOfAllThreads<double>();
}

__global__ void Combine(int* out) {
  const int i = threadIdx.x;
  atomicMax(&out[0], i);
  atomicMin(&out[1], -i);
  atomicOr(&out[2], 1 << (i % 8));
  atomicAnd(&out[3], ~(1 << (i % 8)));
  atomicXor(&out[4], i);
  atomicSub(&out[5], 2);
}

TEST(AtomicsTest, CombinesInEveryWay) {
  DeviceVector<int> out({0, 0, 0, 0xffff, 0, 0});
  Combine<<<1, 64>>>(out.get());
  EXPECT_EQ(out.ToHost(), (std::vector<int>{63, -63, 0xff, 0xff00, 0, -128}));
}

__global__ void Wrap(unsigned* counters) {
  atomicInc(&counters[0], 6);
  atomicDec(&counters[1], 6);
}

TEST(AtomicsTest, IncrementAndDecrementWrapAtTheirLimit) {
  DeviceVector<unsigned> counters({0, 0});
  Wrap<<<1, 10>>>(counters.get());
  EXPECT_EQ(counters.ToHost(), (std::vector<unsigned>{3, 4}));
}

__global__ void Tickets(unsigned* next, unsigned* taken) {
  taken[blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(next, 1u);
}

TEST(AtomicsTest, ReturnsTheOldValueToExactlyOneThread) {
  DeviceVector<unsigned> next(1);
  DeviceVector<unsigned> taken(512);
  Tickets<<<8, 64>>>(next.get(), taken.get());
  std::vector<unsigned> got = taken.ToHost();
  std::sort(got.begin(), got.end());
  for (unsigned i = 0; i < 512; ++i) ASSERT_EQ(got[i], i);
}

__device__ float MultiplyAtomically(float* address, float factor) {
  int* const bits = reinterpret_cast<int*>(address);
  int old = atomicAdd(bits, 0);
  int assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __float_as_int(factor * __int_as_float(assumed)));
  } while (old != assumed);
  return __int_as_float(old);
}

__global__ void Double(float* value) { MultiplyAtomically(value, 2.0f); }

TEST(AtomicsTest, CompareAndSwapBuildsOtherOperations) {
  DeviceVector<float> value(std::vector<float>(1, 1.0f));
  Double<<<2, 10>>>(value.get());
  EXPECT_EQ(value.ToHost()[0], 1048576.0f);
}

__global__ void Histogram(const unsigned char* in, unsigned* bins, int n) {
  __shared__ unsigned local[16];
  if (threadIdx.x < 16) local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&local[in[i] % 16], 1u);
  }
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

TEST(AtomicsTest, CountsAHistogramInSharedMemory) {
  std::vector<unsigned char> values(5000);
  std::vector<unsigned> want(16, 0);
  for (int i = 0; i < 5000; ++i) ++want[(values[i] = i * i % 251) % 16];
  DeviceVector<unsigned char> in(values);
  DeviceVector<unsigned> bins(16);
  Histogram<<<6, 128>>>(in.get(), bins.get(), 5000);
  EXPECT_EQ(bins.ToHost(), want);
}

__global__ void Scoped(int* out) {
  atomicAdd_block(out, 1);
  atomicAdd_system(out, 1);
  atomicExch_block(out + 1, 5);
}

TEST(AtomicsTest, KnowsScopes) {
  DeviceVector<int> out(2);
  Scoped<<<1, 8>>>(out.get());
  EXPECT_EQ(out.ToHost(), (std::vector<int>{16, 5}));
}

}  // namespace
