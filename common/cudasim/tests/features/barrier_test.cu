// __syncthreads() and the barriers that also count or combine; fences.
#include "common/cudasim/tests/features/test.h"

namespace {

__global__ void Vote(const int* votes, int* out) {
  const int mine = votes[threadIdx.x];
  const int count = __syncthreads_count(mine);
  const int all = __syncthreads_and(mine);
  const int any = __syncthreads_or(mine);
  if (threadIdx.x == 0) {
    StoreAll(out, count, all, any);
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

}  // namespace
