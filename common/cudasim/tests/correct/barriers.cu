// Correct uses of barriers and shared memory that look suspicious.
#include "common/cudasim/tests/correct/correct.h"

namespace {

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

__global__ void Votes(const int* in, int* out) {
  const int value = in[threadIdx.x];
  const int odd = __syncthreads_count(value % 2);
  const int all_small = __syncthreads_and(value < 100);
  const int any_large = __syncthreads_or(value > 1000);
  if (threadIdx.x == 0) {
    out[0] = odd;
    out[1] = all_small != 0;
    out[2] = any_large != 0;
  }
}

__device__ int Fibonacci(int n) { return n < 2 ? n : Fibonacci(n - 1) + Fibonacci(n - 2); }

__global__ void Recursive(int* out) { out[threadIdx.x] = Fibonacci(threadIdx.x % 12); }

bool UniformBranches() {
  const DeviceArray<int> out(4 * kBlock);
  UniformBranch<<<4, kBlock>>>(out.get());
  const std::vector<int> got = out.ToHost();
  for (int i = 0; i < 4 * kBlock; ++i) {
    const int mirrored = kBlock - 1 - i % kBlock;
    if (got[i] != (i / kBlock % 2 == 0 ? mirrored : mirrored + 100)) return false;
  }
  return true;
}

bool UniformLoops() {
  const DeviceArray<int> out(3);
  UniformLoop<<<3, kBlock>>>(out.get());
  return out.ToHost() == std::vector<int>({kBlock, 2 * kBlock, 3 * kBlock});
}

bool GuardsInsteadOfReturns() {
  constexpr int n = 2 * kBlock + 5;
  const std::vector<int> values = Numbers(n);
  const DeviceArray<int> in(values), out(n);
  GuardedNotReturned<<<3, kBlock>>>(in.get(), n, out.get());
  const std::vector<int> got = out.ToHost();
  for (int i = 0; i < n; ++i) {
    const int begin = i / kBlock * kBlock, end = begin + kBlock < n ? begin + kBlock : n;
    if (got[i] != values[begin + end - 1 - i]) return false;
  }
  return true;
}

bool ReturnsOfWholeBlocks() {
  const DeviceArray<int> out(3);
  EarlyReturns<<<3, kBlock>>>(out.get());
  return out.ToHost() == std::vector<int>({kBlock, 0, kBlock});
}

bool BarriersInFunctions() {
  const DeviceArray<int> out(kBlock);
  BarrierInFunction<<<1, kBlock>>>(out.get());
  const std::vector<int> got = out.ToHost();
  for (int t = 0; t < kBlock; ++t) {
    if (got[t] != (t + 6) % kBlock) return false;
  }
  return true;
}

bool NeighbouringBytes() {
  const DeviceArray<unsigned char> out(2 * kBlock);
  Bytes<<<1, kBlock>>>(out.get());
  const std::vector<unsigned char> got = out.ToHost();
  for (int t = 0; t < kBlock; ++t) {
    if (got[t] != 255 - t || got[kBlock + t] != (t ^ 1)) return false;
  }
  return true;
}

bool CarvedSharedMemory() {
  const DeviceArray<int> out(kBlock);
  Carved<<<1, kBlock, kBlock*(sizeof(double) + sizeof(int) + sizeof(short))>>>(out.get());
  const std::vector<int> got = out.ToHost();
  for (int t = 0; t < kBlock; ++t) {
    if (got[t] != 6 * (kBlock - 1 - t)) return false;
  }
  return true;
}

bool OneBarrierForTwoTiles() {
  const DeviceArray<int> out(kBlock);
  TwoTiles<<<1, kBlock>>>(out.get(), 9);
  const std::vector<int> got = out.ToHost();
  for (int t = 0; t < kBlock; ++t) {
    if (got[t] != (t + 9) % kBlock) return false;
  }
  return true;
}

bool VotesOfABlock() {
  const std::vector<int> values = Numbers(kBlock);
  int odd = 0;
  for (const int value : values) odd += value % 2;
  const DeviceArray<int> in(values), out(3);
  Votes<<<1, kBlock>>>(in.get(), out.get());
  return out.ToHost() == std::vector<int>({odd, 1, 0});
}

bool RecursionOnTheDevice() {
  const DeviceArray<int> out(kBlock);
  Recursive<<<1, kBlock>>>(out.get());
  const std::vector<int> got = out.ToHost();
  return got[11] == 89 && got[12] == 0 && got[23] == 89;
}

}  // namespace

int main(int argc, char** argv) {
  return RunCase(argc, argv,
                 {CASE(UniformBranches), CASE(UniformLoops), CASE(GuardsInsteadOfReturns),
                  CASE(ReturnsOfWholeBlocks), CASE(BarriersInFunctions), CASE(NeighbouringBytes),
                  CASE(CarvedSharedMemory), CASE(OneBarrierForTwoTiles), CASE(VotesOfABlock),
                  CASE(RecursionOnTheDevice)});
}
