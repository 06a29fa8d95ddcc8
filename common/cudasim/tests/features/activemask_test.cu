// __activemask(), and atomics that a warp aggregates with it.
#include "common/cudasim/tests/features/test.h"

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

}  // namespace
