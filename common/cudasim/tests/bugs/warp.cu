// Programs with wrong warp collectives.
#include <cooperative_groups.h>

#include "common/cudasim/tests/bugs/bugs.h"

namespace cg = cooperative_groups;

namespace warp {

constexpr unsigned kAll = 0xffffffffu;

__global__ void BallotOfOthers(int* out) {
  out[threadIdx.x] = static_cast<int>(__ballot_sync(0x0000ffffu, 1));
}

PROGRAM(MaskWithoutCaller) { BallotOfOthers<<<1, 32>>>(Zeros(32)); }

__global__ void ShuffleOrVote(int* out) {
  if (threadIdx.x < 16) {
    out[threadIdx.x] = __shfl_sync(kAll, 1, 0);
  } else {
    out[threadIdx.x] = __any_sync(kAll, 1);
  }
}

PROGRAM(DifferentOperations) { ShuffleOrVote<<<1, 32>>>(Zeros(32)); }

// The guard must not keep threads out of the shuffles.
__global__ void SumAfterReturn(const int* in, int* out, int n) {
  if (static_cast<int>(threadIdx.x) >= n) return;
  int sum = in[threadIdx.x];
  for (int by = 16; by > 0; by /= 2) sum += __shfl_down_sync(kAll, sum, by);
  if (threadIdx.x == 0) *out = sum;
}

PROGRAM(ShuffleFromReturnedLane) { SumAfterReturn<<<1, 32>>>(Zeros(32), Zeros(1), 20); }

__global__ void SumOfPartialWarp(int* out) {
  int sum = 1;
  for (int by = 16; by > 0; by /= 2) sum += __shfl_down_sync(kAll, sum, by);
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = sum;
}

PROGRAM(ShuffleFromMissingLane) { SumOfPartialWarp<<<1, 40>>>(Zeros(2)); }

__global__ void ReadOutsideMask(int* out) {
  if (threadIdx.x < 8) out[threadIdx.x] = __shfl_sync(0xffu, 1, 8);
}

PROGRAM(ShuffleFromOutsideMask) { ReadOutsideMask<<<1, 32>>>(Zeros(32)); }

// Shuffles exchange values; they do not order memory.
__global__ void ReverseAfterShuffle(int* values) {
  __shared__ int box[32];
  box[threadIdx.x] = values[threadIdx.x];
  const int first = __shfl_sync(kAll, values[threadIdx.x], 0);
  values[threadIdx.x] = box[31 - threadIdx.x] - first;
}

PROGRAM(ShuffleForSyncWarp) { ReverseAfterShuffle<<<1, 32>>>(Zeros(32)); }

__global__ void HalfInBarrier(int* out) {
  if (threadIdx.x % 32 < 16) {
    __syncthreads();
  } else {
    out[threadIdx.x] = __shfl_sync(kAll, 1, 0);
  }
}

PROGRAM(BarrierAgainstShuffle) { HalfInBarrier<<<1, 64>>>(Zeros(64)); }

__global__ void WaitForEachOther() {
  if (threadIdx.x == 0) __syncwarp(0x3u);
  if (threadIdx.x == 1) __syncwarp(0x7u);
}

PROGRAM(CrossedMasks) { WaitForEachOther<<<1, 32>>>(); }

__global__ void SyncGrid() { cg::this_grid().sync(); }

PROGRAM(GridSyncInOrdinaryLaunch) { SyncGrid<<<1, 32>>>(); }

void LaunchSync(int blocks, int threads) {
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(SyncGrid), dim3(blocks), dim3(threads),
                              nullptr);
}

PROGRAM(CooperativeGridLargerThanTheDevice) { LaunchSync(132 * 32 + 1, 32); }

PROGRAM(CooperativeGridLargerThanTheSimulator) {
  setenv("CUDASIM_COOPERATIVE_THREADS", "24576", 1);
  LaunchSync(25, 1024);
}

}  // namespace warp
