// The work of a call is that which contributes to its outputs.

#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>

#include <numeric>

#include "common/cudasim/include/cudasim/call_account.h"
#include "common/cudasim/instrument/call_account.h"
#include "common/cudasim/runtime/streams/critical_path.h"
#include "common/cudasim/tests/features/test.h"

namespace {

constexpr unsigned kItems = 8192;
constexpr unsigned kItemsOfABlock = 128;

class UsefulWorkTest : public testing::Test {
 protected:
  UsefulWorkTest() {
    cudasimNameArgument(in_.get(), 0);
    cudasimNameArgument(out_.get(), 1);
  }

  // Work / span of what the call launches.
  template <class Calls>
  static double ParallelismOf(const Calls& calls) {
    simulatorBeginCall();
    calls();
    EXPECT_OK(cudaDeviceSynchronize());
    CudasimCallAccount account;
    simulatorEndCall(&account);
    return static_cast<double>(cudasim::CallWork()) / static_cast<double>(cudasim::CallSpan());
  }

  DeviceVector<unsigned> in_{kItems};
  DeviceVector<unsigned> out_{kItems};
  DeviceVector<unsigned> scratch_{kItems};
};

__device__ unsigned Number() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void Copy(const unsigned* in, unsigned* out) { out[Number()] = in[Number()] + 1; }

// `workers` threads copy, and all others count.
__global__ void CopyBesideCounters(const unsigned* in, unsigned* out, unsigned workers,
                                   unsigned rounds) {
  if (Number() < workers) {
    for (unsigned i = Number(); i < kItems; i += workers) out[i] = in[i] + 1;
    return;
  }
  unsigned number = 2 * Number() + 1;
  for (unsigned round = 0; round < rounds; ++round) {
    asm volatile("" : "+r"(number));
    number *= 1664525;
  }
  if (number == 0) out[0] = number;
}

TEST_F(UsefulWorkTest, AllWorkOfAMapCounts) {
  EXPECT_GT(ParallelismOf(
                [&] { Copy<<<kItems / kItemsOfABlock, kItemsOfABlock>>>(in_.get(), out_.get()); }),
            kItems / 2);
}

TEST_F(UsefulWorkTest, BlocksThatCountBesideOneThatWorksAddNothing) {
  EXPECT_LE(ParallelismOf([&] {
              CopyBesideCounters<<<kItems / kItemsOfABlock, kItemsOfABlock>>>(in_.get(), out_.get(),
                                                                              kItemsOfABlock, 400);
            }),
            kItemsOfABlock);
}

TEST_F(UsefulWorkTest, ThreadsThatCountBesideOneThatWorksInItsBlockAddNothing) {
  EXPECT_LE(ParallelismOf([&] {
              CopyBesideCounters<<<1, kItemsOfABlock>>>(in_.get(), out_.get(), 1, 4 * kItems);
            }),
            16);
}

// Everybody stores; only what is stored last reaches the output.
__global__ void CopyAgain(const unsigned* in, unsigned* out, unsigned* scratch) {
  if (blockIdx.x == 0) {
    for (unsigned i = threadIdx.x; i < kItems; i += blockDim.x) out[i] = in[i] + 1;
  } else {
    for (unsigned i = threadIdx.x; i < kItems; i += blockDim.x) scratch[i] = in[i] + 1;
  }
}

TEST_F(UsefulWorkTest, CopiesOfAllWorkThatNobodyReadsAddNothing) {
  EXPECT_LE(ParallelismOf(
                [&] { CopyAgain<<<64, kItemsOfABlock>>>(in_.get(), out_.get(), scratch_.get()); }),
            4 * kItemsOfABlock);
}

TEST_F(UsefulWorkTest, ALaunchWhoseResultsAKernelReadsCounts) {
  const double both = ParallelismOf([&] {
    Copy<<<kItems / kItemsOfABlock, kItemsOfABlock>>>(in_.get(), scratch_.get());
    Copy<<<kItems / kItemsOfABlock, kItemsOfABlock>>>(scratch_.get(), out_.get());
  });
  EXPECT_GT(both, kItems / 2);
  const double one_in_vain = ParallelismOf([&] {
    Copy<<<kItems / kItemsOfABlock, kItemsOfABlock>>>(in_.get(), scratch_.get());
    Copy<<<kItems / kItemsOfABlock, kItemsOfABlock>>>(in_.get(), out_.get());
  });
  EXPECT_NEAR(one_in_vain, both / 2, both / 100);
}

TEST_F(UsefulWorkTest, ALaunchWhoseResultsTheHostReadsCounts) {
  EXPECT_GT(ParallelismOf([&] {
              Copy<<<kItems / kItemsOfABlock, kItemsOfABlock>>>(in_.get(), scratch_.get());
              EXPECT_EQ(scratch_.ToHost().size(), kItems);
            }),
            kItems / 2);
}

// A block's sum by its first thread's atomic addition.
__global__ void Sum(const unsigned* in, unsigned* out) {
  __shared__ unsigned sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[Number()]);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

TEST_F(UsefulWorkTest, AllBlocksThatAddToAnOutputCount) {
  const auto sum = [&](unsigned block) {
    return ParallelismOf([&] { Sum<<<kItems / block, block>>>(in_.get(), out_.get()); });
  };
  EXPECT_GT(sum(kItemsOfABlock), kItems / 4);
}

// Adds i numbers in place of one for the `slow` value.
struct SlowAt {
  const unsigned* in;
  unsigned slow;
  __device__ unsigned operator()(unsigned sum, unsigned value) const {
    for (unsigned i = 0; value == slow && i < kItems; ++i) sum += in[i];
    return sum + value;
  }
};

// A tree of kItems leaves: 14 steps of some operations.
TEST_F(UsefulWorkTest, ALibrarysAlgorithmIsAsParallelAsATree) {
  std::vector<unsigned> numbers(kItems);
  std::iota(numbers.begin(), numbers.end(), 0u);
  ASSERT_OK(cudaMemcpy(in_.get(), numbers.data(), kItems * 4, cudaMemcpyHostToDevice));
  const auto scan = [&](auto operation) {
    return ParallelismOf([&] {
      thrust::inclusive_scan(thrust::device, in_.get(), in_.get() + kItems, out_.get(), operation);
    });
  };
  EXPECT_GT(scan(thrust::plus<unsigned>()), kItems / 32.0);
  EXPECT_LT(scan(SlowAt{in_.get(), 5}), 2.0);
}

TEST_F(UsefulWorkTest, ALibrarysAlgorithmCountsOnlyIfAnOutputNeedsIt) {
  EXPECT_LT(ParallelismOf([&] {
              thrust::inclusive_scan(thrust::device, in_.get(), in_.get() + kItems, scratch_.get());
              Copy<<<1, 1>>>(in_.get(), out_.get());
            }),
            kItems / 32.0);
}

TEST_F(UsefulWorkTest, CountsAllocationsOfTheCallAlone) {
  const auto allocations_of = [&](const auto& calls) {
    ParallelismOf([&] {
      Copy<<<64, 128>>>(in_.get(), out_.get());
      calls();
    });
    return cudasim::Allocations();
  };
  EXPECT_EQ(allocations_of([] {}), 0u);
  EXPECT_EQ(allocations_of([&] { const DeviceVector<int> one(1); }), 1u);
  // The sum.
  EXPECT_EQ(allocations_of([&] { thrust::reduce(thrust::device, in_.get(), in_.get() + 9); }), 1u);
}

}  // namespace
