// __syncthreads() and the barriers that also count or combine; fences. grid.sync() of cooperative
// launches.
#include <cooperative_groups.h>

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

namespace cg = cooperative_groups;

namespace {

// Each round every thread reads what a thread of the next block wrote in the round before.
__global__ void Pass(int* from, int* to, int rounds) {
  const cg::grid_group grid = cg::this_grid();
  const auto self = static_cast<int>(grid.thread_rank());
  const auto size = static_cast<int>(grid.size());
  const auto other = static_cast<int>((self + blockDim.x) % size);
  for (int round = 0; round < rounds; ++round) {
    to[self] = from[other] + 1;
    grid.sync();
    int* const swapped = from;
    from = to;
    to = swapped;
  }
}

__global__ void DescribeGrid(int* out) {
  const cg::grid_group grid = cg::this_grid();
  if (grid.thread_rank() == 0) out[0] = grid.is_valid();
}

cudaError_t LaunchPass(int blocks, int threads, int* from, int* to, int rounds) {
  void* arguments[] = {&from, &to, &rounds};
  return cudaLaunchCooperativeKernel(reinterpret_cast<void*>(Pass), dim3(blocks), dim3(threads),
                                     arguments, 0, nullptr);
}

TEST(GridSyncTest, AllBlocksWaitForEachOther) {
  constexpr int kRounds = 7;
  for (const int blocks : {1, 2, 5, 33}) {
    for (const int threads : {1, 32, 48}) {
      const DeviceVector<int> a(blocks * threads), b(blocks * threads);
      ASSERT_OK(LaunchPass(blocks, threads, a.get(), b.get(), kRounds));
      EXPECT_EQ(b.ToHost(), std::vector<int>(blocks * threads, kRounds))
          << blocks << " " << threads;
    }
  }
}

TEST(GridSyncTest, GridIsValidInACooperativeLaunchAlone) {
  const DeviceVector<int> out(1);
  int* pointer = out.get();
  void* arguments[] = {&pointer};
  ASSERT_OK(cudaLaunchCooperativeKernel(DescribeGrid, dim3(2), dim3(32), arguments));
  EXPECT_EQ(out.ToHost()[0], 1);
  DescribeGrid<<<2, 32>>>(out.get());
  EXPECT_EQ(out.ToHost()[0], 0);
}

constexpr int kMostThreads = 132 * 2048;  // of an H100

TEST(GridSyncTest, RunsAsManyThreadsAsTheDeviceHolds) {
  const DeviceVector<int> a(kMostThreads), b(kMostThreads);
  for (const int blocks : {kMostThreads / 1024, kMostThreads / 512, kMostThreads / 1024}) {
    ASSERT_OK(cudaMemset(a.get(), 0, kMostThreads * sizeof(int)));
    ASSERT_OK(LaunchPass(blocks, kMostThreads / blocks, a.get(), b.get(), 1));
    EXPECT_EQ(b.ToHost(), std::vector<int>(kMostThreads, 1));
  }
}

}  // namespace
