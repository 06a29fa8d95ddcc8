// __ballot_sync, __any_sync and __all_sync.
#include "common/cudasim/tests/features/test.h"

namespace {

struct Votes {
  unsigned ballot;
  int any;
  int all;
};

__global__ void Vote(const int* in, Votes* out, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int mine = i < count ? in[i] : 0;
  out[i] = {__ballot_sync(kAllLanes, mine), __any_sync(kAllLanes, mine),
            __all_sync(kAllLanes, mine)};
}

std::vector<Votes> RunVote(const std::vector<int>& in, unsigned threads) {
  DeviceVector<int> d(in);
  DeviceVector<Votes> out(threads);
  Vote<<<1, threads>>>(d.get(), out.get(), static_cast<int>(in.size()));
  return out.ToHost();
}

TEST(VoteTest, TellsEveryLaneWhoVotedYes) {
  std::vector<int> in(64, 0);
  in[3] = -1;
  in[40] = 8;
  for (int i = 32; i < 64; ++i) in[i] = 1;
  const auto got = RunVote(in, 64);
  for (int i = 0; i < 64; ++i) {
    EXPECT_EQ(got[i].ballot, i < 32 ? 8u : kAllLanes);
    EXPECT_EQ(got[i].any, 1);
    EXPECT_EQ(got[i].all, i < 32 ? 0 : 1);
  }
}

TEST(VoteTest, LanesThatAreNotThereDoNotVote) {
  for (const unsigned threads : {1u, 31u, 33u, 47u}) {
    const auto got = RunVote(std::vector<int>(threads, 1), threads);
    for (unsigned i = 0; i < threads; ++i) {
      const unsigned in_warp = i < threads / 32 * 32 ? 32 : threads % 32;
      EXPECT_EQ(got[i].ballot, in_warp == 32 ? kAllLanes : (1u << in_warp) - 1);
      EXPECT_EQ(got[i].all, 1);
    }
  }
}

__global__ void VoteAfterReturns(unsigned* out) {
  if (threadIdx.x % 3 == 1) return;
  out[threadIdx.x] = __ballot_sync(kAllLanes, 1);
}

TEST(VoteTest, LanesThatHaveReturnedDoNotVote) {
  DeviceVector<unsigned> out(96);
  VoteAfterReturns<<<1, 96>>>(out.get());
  const std::vector<unsigned> got = out.ToHost();
  for (unsigned warp = 0; warp < 3; ++warp) {
    unsigned there = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
      if ((warp * 32 + lane) % 3 != 1) there |= 1u << lane;
    }
    for (unsigned i = warp * 32; i < warp * 32 + 32; ++i) {
      EXPECT_EQ(got[i], i % 3 == 1 ? 0 : there);
    }
  }
}

// Lanes return while others wait for them.
__global__ void ReturnOneByOne(unsigned* out) {
  for (unsigned left = 0; left < 32; ++left) {
    if (threadIdx.x == left) return;
    out[left * 32 + threadIdx.x] = __ballot_sync(kAllLanes, 1);
  }
}

TEST(VoteTest, AReturnLetsTheOthersGoOn) {
  DeviceVector<unsigned> out(32 * 32);
  ReturnOneByOne<<<1, 32>>>(out.get());
  const std::vector<unsigned> got = out.ToHost();
  for (unsigned left = 0; left < 31; ++left) {
    EXPECT_EQ(got[left * 32 + 31], kAllLanes << (left + 1)) << left;
  }
}

__global__ void VoteInBranches(unsigned* out) {
  const unsigned lane = threadIdx.x % 32;
  if (lane % 4 == 0) {
    out[threadIdx.x] = __ballot_sync(0x11111111u, lane < 16);
  } else if (lane % 4 == 1) {
    out[threadIdx.x] = __ballot_sync(0x22222222u, lane >= 16);
  } else {
    out[threadIdx.x] = static_cast<unsigned>(__all_sync(0xccccccccu, lane > 1));
  }
}

TEST(VoteTest, EachBranchHasItsOwnVote) {
  DeviceVector<unsigned> out(64);
  VoteInBranches<<<1, 64>>>(out.get());
  const std::vector<unsigned> got = out.ToHost();
  for (int i = 0; i < 64; ++i) {
    EXPECT_EQ(got[i], i % 4 == 0 ? 0x00001111u : i % 4 == 1 ? 0x22220000u : 1u);
  }
}

}  // namespace
