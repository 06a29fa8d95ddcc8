// __activemask(), and atomics that a warp aggregates with it. __match_any_sync, __match_all_sync
// and the __reduce_*_sync family. __ballot_sync, __any_sync and __all_sync.
#include <algorithm>

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
  const std::vector<unsigned> got = StoredBy(InBranches, 64, 64);
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
  const std::vector<unsigned> got = StoredBy(BesideABarrier, 64, 64);
  for (int i = 0; i < 64; ++i) {
    EXPECT_EQ(got[i], i % 32 >= 30 ? 0xc0000000u : i % 32 == 0 ? 1u : 0u);
  }
}

template <class T>
__global__ void Match(const T* in, unsigned* any, unsigned* all, int* equal) {
  any[threadIdx.x] = __match_any_sync(kAllLanes, in[threadIdx.x]);
  all[threadIdx.x] = __match_all_sync(kAllLanes, in[threadIdx.x], &equal[threadIdx.x]);
}

template <class T>
void ExpectMatches(const std::vector<T>& values) {
  const std::size_t n = values.size();
  DeviceVector<T> in(values);
  DeviceVector<unsigned> any(n);
  DeviceVector<unsigned> all(n);
  DeviceVector<int> equal(n);
  Match<<<1, n>>>(in.get(), any.get(), all.get(), equal.get());
  const auto same = any.ToHost();
  const auto every = all.ToHost();
  const auto predicate = equal.ToHost();
  bool all_equal = true;
  for (std::size_t i = 0; i < n; ++i) {
    unsigned expected = 0;
    for (std::size_t j = 0; j < n; ++j) {
      expected |= static_cast<unsigned>(values[i] == values[j]) << j;
    }
    EXPECT_EQ(same[i], expected);
    all_equal &= values[i] == values[0];
  }
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_EQ(predicate[i], all_equal);
    EXPECT_EQ(every[i], all_equal ? kAllLanes : 0);
  }
}

TEST(MatchTest, GroupsEqualValues) {
  std::vector<int> values(32);
  for (int i = 0; i < 32; ++i) values[i] = i % 5 - 2;
  ExpectMatches(values);
  ExpectMatches(std::vector<unsigned>(32, 7u));
}

TEST(MatchTest, ComparesAllBitsOfWideValues) {
  std::vector<unsigned long long> values(32, 1ULL);
  values[9] += 1ULL << 40;
  ExpectMatches(values);
  std::vector<double> reals(32, 0.5);
  reals[31] = 0.25;
  ExpectMatches(reals);
  ExpectMatches(std::vector<float>(32, -1.5f));
}

struct Reductions {
  int add, min, max;
  unsigned unsigned_add, unsigned_min, unsigned_max, bits_and, bits_or, bits_xor;
};

__global__ void Reduce(const int* in, Reductions* out, unsigned mask) {
  const unsigned lane = threadIdx.x % 32;
  if ((mask >> lane & 1) == 0) return;
  const int value = in[threadIdx.x];
  const auto bits = static_cast<unsigned>(value);
  out[threadIdx.x] = {__reduce_add_sync(mask, value), __reduce_min_sync(mask, value),
                      __reduce_max_sync(mask, value), __reduce_add_sync(mask, bits),
                      __reduce_min_sync(mask, bits),  __reduce_max_sync(mask, bits),
                      __reduce_and_sync(mask, bits),  __reduce_or_sync(mask, bits),
                      __reduce_xor_sync(mask, bits)};
}

void ExpectReductions(const std::vector<int>& values, unsigned mask) {
  DeviceVector<int> in(values);
  DeviceVector<Reductions> out(32);
  Reduce<<<1, 32>>>(in.get(), out.get(), mask);
  Reductions want = {0, 2147483647, -2147483647 - 1, 0, kAllLanes, 0, kAllLanes, 0, 0};
  for (int i = 0; i < 32; ++i) {
    if ((mask >> i & 1) == 0) continue;
    const auto bits = static_cast<unsigned>(values[i]);
    want.add += values[i];
    want.min = std::min(want.min, values[i]);
    want.max = std::max(want.max, values[i]);
    want.unsigned_add += bits;
    want.unsigned_min = std::min(want.unsigned_min, bits);
    want.unsigned_max = std::max(want.unsigned_max, bits);
    want.bits_and &= bits;
    want.bits_or |= bits;
    want.bits_xor ^= bits;
  }
  const auto got = out.ToHost();
  for (int i = 0; i < 32; ++i) {
    if ((mask >> i & 1) == 0) continue;
    EXPECT_EQ(got[i].add, want.add);
    EXPECT_EQ(got[i].min, want.min);
    EXPECT_EQ(got[i].max, want.max);
    EXPECT_EQ(got[i].unsigned_add, want.unsigned_add);
    EXPECT_EQ(got[i].unsigned_min, want.unsigned_min);
    EXPECT_EQ(got[i].unsigned_max, want.unsigned_max);
    EXPECT_EQ(got[i].bits_and, want.bits_and);
    EXPECT_EQ(got[i].bits_or, want.bits_or);
    EXPECT_EQ(got[i].bits_xor, want.bits_xor);
  }
}

TEST(ReduceTest, CombinesSignedAndUnsignedValues) {
  std::vector<int> values(32);
  for (int i = 0; i < 32; ++i) values[i] = (i * 37 % 32 - 16) * 1000003;
  ExpectReductions(values, kAllLanes);
  ExpectReductions(values, 0x0ff0u);
  ExpectReductions(values, 1u << 31);
}

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
  const std::vector<unsigned> got = StoredBy(VoteAfterReturns, 96, 96);
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
  const std::vector<unsigned> got = StoredBy(VoteInBranches, 64, 64);
  for (int i = 0; i < 64; ++i) {
    EXPECT_EQ(got[i], i % 4 == 0 ? 0x00001111u : i % 4 == 1 ? 0x22220000u : 1u);
  }
}

}  // namespace
