// Correct uses of barriers and shared memory that look suspicious.
#include "common/cudasim/tests/features/test.h"

namespace correct_barriers {

constexpr int kBlock = 64;

// All threads of a block take the same branch.
__global__ void UniformBranch(int* out) {
  __shared__ int tile[kBlock];
  const int t = threadIdx.x;
  if (blockIdx.x % 2 == 0) {
    tile[t] = t;
    __syncthreads();
    out[blockIdx.x * kBlock + t] = tile[kBlock - 1 - t];
  } else {
    tile[kBlock - 1 - t] = t + 100;
    __syncthreads();
    out[blockIdx.x * kBlock + t] = tile[t];
  }
}

// The number of rounds depends on the block.
__global__ void UniformLoop(int* out) {
  __shared__ int sums[2];
  if (threadIdx.x < 2) sums[threadIdx.x] = 0;
  for (unsigned round = 0; round <= blockIdx.x; ++round) {
    __syncthreads();
    atomicAdd(&sums[round % 2], 1);
  }
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0] + sums[1];
}

// Threads without work still reach the barrier.
__global__ void GuardedNotReturned(const int* in, int n, int* out) {
  __shared__ int tile[kBlock];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) tile[threadIdx.x] = in[i];
  __syncthreads();
  const int last = min(kBlock, n - static_cast<int>(blockIdx.x) * kBlock) - 1;
  if (i < n) out[i] = tile[last - static_cast<int>(threadIdx.x)];
}

// Whole blocks return early, and threads after the last barrier.
__global__ void EarlyReturns(int* out) {
  if (blockIdx.x == 1) return;
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1);
  __syncthreads();
  if (threadIdx.x != 0) return;
  out[blockIdx.x] = count;
}

__device__ void Exchange(int* tile, int t, int distance) {
  const int other = tile[(t + distance) % kBlock];
  __syncthreads();
  tile[t] = other;
  __syncthreads();
}

__global__ void BarrierInFunction(int* out) {
  __shared__ int tile[kBlock];
  const int t = threadIdx.x;
  tile[t] = t;
  __syncthreads();
  Exchange(tile, t, 1);
  Exchange(tile, t, 5);
  out[t] = tile[t];
}

// Different threads own different bytes of a word.
__global__ void Bytes(unsigned char* out) {
  __shared__ unsigned char tile[kBlock];
  tile[threadIdx.x] = static_cast<unsigned char>(threadIdx.x);
  out[threadIdx.x] = static_cast<unsigned char>(255 - threadIdx.x);
  __syncthreads();
  out[kBlock + threadIdx.x] = tile[threadIdx.x ^ 1];
}

// Dynamic shared memory holds three arrays.
__global__ void Carved(int* out) {
  extern __shared__ char memory[];
  auto* const wide = reinterpret_cast<double*>(memory);
  auto* const whole = reinterpret_cast<int*>(wide + kBlock);
  auto* const narrow = reinterpret_cast<short*>(whole + kBlock);
  const int t = threadIdx.x, other = kBlock - 1 - t;
  wide[t] = t;
  whole[t] = 2 * t;
  narrow[t] = static_cast<short>(3 * t);
  __syncthreads();
  out[t] = static_cast<int>(wide[other]) + whole[other] + narrow[other];
}

// Two tiles in turn: one barrier a round is enough.
__global__ void TwoTiles(int* out, int rounds) {
  __shared__ int tiles[2][kBlock];
  const int t = threadIdx.x;
  int mine = t;
  for (int round = 0; round < rounds; ++round) {
    int* const tile = tiles[round % 2];
    tile[t] = mine;
    __syncthreads();
    mine = tile[(t + 1) % kBlock];
  }
  out[t] = mine;
}

// The last steps of a reduction of before Volta, fixed: volatile accesses, ordered by __syncwarp().
__global__ void ReduceVolatile(int* out) {
  __shared__ volatile int part[64];
  part[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  if (threadIdx.x >= 32) return;
  for (unsigned step = 32; step > 0; step /= 2) {
    const int other = part[threadIdx.x + step];
    __syncwarp();
    part[threadIdx.x] = part[threadIdx.x] + other;
    __syncwarp();
  }
  if (threadIdx.x == 0) *out = part[0];
}

// Lanes diverge and reconverge.
__global__ void PartAndMeet(int* out) {
  __shared__ int tile[32];
  const int lane = threadIdx.x;
  if (lane % 2 == 0) {
    tile[lane] = lane * 10;
  } else {
    tile[lane] = lane * 100;
  }
  __syncwarp();
  out[lane] = tile[lane ^ 1];
}

TEST(CorrectBarriersTest, UniformBranches) {
  const DeviceVector<int> out(4 * kBlock);
  UniformBranch<<<4, kBlock>>>(out.get());
  const std::vector<int> got = out.ToHost();
  for (int i = 0; i < 4 * kBlock; ++i) {
    const int mirrored = kBlock - 1 - i % kBlock;
    ASSERT_EQ(got[i], (i / kBlock % 2 == 0 ? mirrored : mirrored + 100));
  }
}

TEST(CorrectBarriersTest, UniformLoops) {
  const DeviceVector<int> out(3);
  UniformLoop<<<3, kBlock>>>(out.get());
  EXPECT_EQ(out.ToHost(), (std::vector<int>{kBlock, 2 * kBlock, 3 * kBlock}));
}

TEST(CorrectBarriersTest, GuardsInsteadOfReturns) {
  constexpr int n = 2 * kBlock + 5;
  const std::vector<int> values = SmallNumbers(n);
  const DeviceVector<int> in(values), out(n);
  GuardedNotReturned<<<3, kBlock>>>(in.get(), n, out.get());
  const std::vector<int> got = out.ToHost();
  for (int i = 0; i < n; ++i) {
    const int begin = i / kBlock * kBlock, end = begin + kBlock < n ? begin + kBlock : n;
    ASSERT_EQ(got[i], values[begin + end - 1 - i]);
  }
}

TEST(CorrectBarriersTest, ReturnsOfWholeBlocks) {
  const DeviceVector<int> out(3);
  EarlyReturns<<<3, kBlock>>>(out.get());
  EXPECT_EQ(out.ToHost(), (std::vector<int>{kBlock, 0, kBlock}));
}

TEST(CorrectBarriersTest, BarriersInFunctions) {
  const DeviceVector<int> out(kBlock);
  BarrierInFunction<<<1, kBlock>>>(out.get());
  const std::vector<int> got = out.ToHost();
  for (int t = 0; t < kBlock; ++t) {
    ASSERT_EQ(got[t], (t + 6) % kBlock);
  }
}

TEST(CorrectBarriersTest, NeighbouringBytes) {
  const DeviceVector<unsigned char> out(2 * kBlock);
  Bytes<<<1, kBlock>>>(out.get());
  const std::vector<unsigned char> got = out.ToHost();
  for (int t = 0; t < kBlock; ++t) {
    ASSERT_EQ(got[t], 255 - t);
    ASSERT_EQ(got[kBlock + t], (t ^ 1));
  }
}

TEST(CorrectBarriersTest, CarvedSharedMemory) {
  const DeviceVector<int> out(kBlock);
  Carved<<<1, kBlock, kBlock*(sizeof(double) + sizeof(int) + sizeof(short))>>>(out.get());
  const std::vector<int> got = out.ToHost();
  for (int t = 0; t < kBlock; ++t) {
    ASSERT_EQ(got[t], 6 * (kBlock - 1 - t));
  }
}

TEST(CorrectBarriersTest, OneBarrierForTwoTiles) {
  const DeviceVector<int> out(kBlock);
  TwoTiles<<<1, kBlock>>>(out.get(), 9);
  const std::vector<int> got = out.ToHost();
  for (int t = 0; t < kBlock; ++t) {
    ASSERT_EQ(got[t], (t + 9) % kBlock);
  }
}

TEST(CorrectBarriersTest, VolatileReductionWithSyncwarp) {
  const DeviceVector<int> out(1);
  ReduceVolatile<<<1, 64>>>(out.get());
  EXPECT_EQ(out.ToHost()[0], 64 * 63 / 2);
}

TEST(CorrectBarriersTest, DivergedLanesMeet) {
  const DeviceVector<int> out(32);
  PartAndMeet<<<1, 32>>>(out.get());
  const std::vector<int> got = out.ToHost();
  for (int t = 0; t < 32; ++t) EXPECT_EQ(got[t], (t ^ 1) * (t % 2 == 0 ? 100 : 10));
}

}  // namespace correct_barriers
