// __activemask(), and atomics that a warp aggregates with it.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <vector>

#include "common/cudasim/tests/features/device_vector.h"

namespace {

__global__ void InBranches(unsigned* out) {
  const unsigned lane = threadIdx.x % 32;
  if (lane < 5) {
    out[threadIdx.x] = __activemask();
  } else if (lane % 2 == 0) {
    out[threadIdx.x] = __activemask();
  }
}

TEST(ActiveMaskTest, NamesTheLanesOfTheBranch) {
  DeviceVector<unsigned> out(64);
  InBranches<<<1, 64>>>(out.get());
  const std::vector<unsigned> got = out.ToHost();
  for (int i = 0; i < 64; ++i) {
    const int lane = i % 32;
    EXPECT_EQ(got[i], lane < 5 ? 0x1fu : lane % 2 == 0 ? 0x55555540u : 0u);
  }
}

__global__ void Everywhere(unsigned* out) { out[threadIdx.x] = __activemask(); }

TEST(ActiveMaskTest, NamesAllLanesThatExist) {
  for (const unsigned threads : {1u, 31u, 32u, 33u, 1024u}) {
    DeviceVector<unsigned> out(threads);
    Everywhere<<<1, threads>>>(out.get());
    const std::vector<unsigned> got = out.ToHost();
    for (unsigned i = 0; i < threads; ++i) {
      const unsigned in_warp = i < threads / 32 * 32 ? 32 : threads % 32;
      EXPECT_EQ(got[i], in_warp == 32 ? 0xffffffffu : (1u << in_warp) - 1);
    }
  }
}

// The other lanes wait at a barrier of the block.
__global__ void BesideABarrier(unsigned* out) {
  if (threadIdx.x % 32 >= 30) out[threadIdx.x] = __activemask();
  __syncthreads();
  if (threadIdx.x % 32 == 0) out[threadIdx.x] = __activemask();
}

TEST(ActiveMaskTest, DoesNotWaitForLanesAtABarrier) {
  DeviceVector<unsigned> out(64);
  BesideABarrier<<<1, 64>>>(out.get());
  const std::vector<unsigned> got = out.ToHost();
  for (int i = 0; i < 64; ++i) {
    EXPECT_EQ(got[i], i % 32 >= 30 ? 0xc0000000u : i % 32 == 0 ? 1u : 0u);
  }
}

__device__ int AggregatedIncrement(int* counter) {
  const unsigned mask = __activemask();
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int leader = __ffs(static_cast<int>(mask)) - 1;
  int base = 0;
  if (lane == leader) base = atomicAdd(counter, __popc(mask));
  base = __shfl_sync(mask, base, leader);
  return base + __popc(mask & ((1u << lane) - 1));
}

__global__ void Filter(const int* in, int* out, int* counter, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n && in[i] % 3 == 0) out[AggregatedIncrement(counter)] = in[i];
}

TEST(ActiveMaskTest, AWarpAggregatesItsAtomics) {
  for (const int n : {1, 31, 32, 33, 1000}) {
    std::vector<int> values(n);
    for (int i = 0; i < n; ++i) values[i] = i;
    DeviceVector<int> in(values);
    DeviceVector<int> out(n);
    DeviceVector<int> counter(1);
    Filter<<<(n + 127) / 128, 128>>>(in.get(), out.get(), counter.get(), n);
    EXPECT_EQ(counter.ToHost()[0], (n + 2) / 3);
    long sum = 0;
    for (const int value : out.ToHost()) sum += value;
    const long last = (n - 1) / 3;
    EXPECT_EQ(sum, 3 * last * (last + 1) / 2);
  }
}

}  // namespace
