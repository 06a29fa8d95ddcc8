// Sums, in the ways that textbooks teach.
#include <numeric>

#include "common/cudasim/tests/correct/correct.h"

namespace {

constexpr int kBlock = 128;
constexpr int kCount = 1000;
constexpr unsigned kAll = 0xffffffffu;

int Expected() {
  const std::vector<int> values = Numbers(kCount);
  return std::accumulate(values.begin(), values.end(), 0);
}

__device__ int Load(const int* in, int i, int n) { return i < n ? in[i] : 0; }

__global__ void Interleaved(const int* in, int n, int* sum) {
  __shared__ int partial[kBlock];
  const unsigned t = threadIdx.x;
  partial[t] = Load(in, blockIdx.x * kBlock + t, n);
  for (unsigned stride = 1; stride < kBlock; stride *= 2) {
    __syncthreads();
    if (t % (2 * stride) == 0) partial[t] += partial[t + stride];
  }
  if (t == 0) atomicAdd(sum, partial[0]);
}

__global__ void Sequential(const int* in, int n, int* sum) {
  extern __shared__ int dynamic[];
  const unsigned t = threadIdx.x;
  dynamic[t] = Load(in, blockIdx.x * blockDim.x + t, n);
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) dynamic[t] += dynamic[t + stride];
    __syncthreads();
  }
  if (t == 0) atomicAdd(sum, dynamic[0]);
}

// The last warp works alone: its lanes need __syncwarp, not a barrier.
__global__ void LastWarp(const int* in, int n, int* sum) {
  __shared__ int partial[kBlock];
  const unsigned t = threadIdx.x;
  partial[t] = Load(in, blockIdx.x * kBlock + t, n);
  __syncthreads();
  for (unsigned stride = kBlock / 2; stride >= 32; stride /= 2) {
    if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
  }
  if (t >= 32) return;
  for (unsigned stride = 16; stride > 0; stride /= 2) {
    const int other = partial[t + stride];
    __syncwarp();
    partial[t] += other;
    __syncwarp();
  }
  if (t == 0) atomicAdd(sum, partial[0]);
}

__device__ int WarpSum(int value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(kAll, value, offset);
  return value;
}

__global__ void Shuffled(const int* in, int n, int* sum) {
  __shared__ int warps[kBlock / 32];
  const int value = WarpSum(Load(in, blockIdx.x * kBlock + threadIdx.x, n));
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) {
    const int total = WarpSum(threadIdx.x < kBlock / 32 ? warps[threadIdx.x] : 0);
    if (threadIdx.x == 0) atomicAdd(sum, total);
  }
}

__global__ void GridStride(const int* in, int n, int* sum) {
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    mine += in[i];
  }
  atomicAdd(sum, mine);
}

__global__ void WarpReduce(const int* in, int n, int* sum) {
  const int value = Load(in, blockIdx.x * blockDim.x + threadIdx.x, n);
  const int total = __reduce_add_sync(kAll, value);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, total);
}

// The block that finishes last adds what all have stored (threadFenceReduction).
__global__ void LastBlock(const int* in, int n, int* partials, unsigned* done, int* sum) {
  __shared__ int warps[kBlock / 32];
  __shared__ bool is_last;
  const int value = WarpSum(Load(in, blockIdx.x * kBlock + threadIdx.x, n));
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x == 0) {
    int total = 0;
    for (const int warp : warps) total += warp;
    partials[blockIdx.x] = total;
    __threadfence();
    is_last = atomicInc(done, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last || threadIdx.x != 0) return;
  __threadfence();
  int total = 0;
  for (unsigned i = 0; i < gridDim.x; ++i) total += partials[i];
  *sum = total;
}

template <class Launch>
bool SumIs(int expected, const Launch& launch) {
  const DeviceArray<int> in(Numbers(kCount));
  const DeviceArray<int> sum(1);
  launch(in.get(), sum.get());
  return sum.ToHost()[0] == expected;
}

constexpr int kGrid = (kCount + kBlock - 1) / kBlock;

bool InterleavedReduction() {
  return SumIs(Expected(),
               [](const int* in, int* sum) { Interleaved<<<kGrid, kBlock>>>(in, kCount, sum); });
}

bool SequentialReduction() {
  return SumIs(Expected(), [](const int* in, int* sum) {
    Sequential<<<kGrid, kBlock, kBlock * sizeof(int)>>>(in, kCount, sum);
  });
}

bool LastWarpReduction() {
  return SumIs(Expected(),
               [](const int* in, int* sum) { LastWarp<<<kGrid, kBlock>>>(in, kCount, sum); });
}

bool ShuffleReduction() {
  return SumIs(Expected(),
               [](const int* in, int* sum) { Shuffled<<<kGrid, kBlock>>>(in, kCount, sum); });
}

bool GridStrideReduction() {
  return SumIs(Expected(),
               [](const int* in, int* sum) { GridStride<<<2, kBlock>>>(in, kCount, sum); });
}

bool WarpReduceReduction() {
  return SumIs(Expected(),
               [](const int* in, int* sum) { WarpReduce<<<kGrid, kBlock>>>(in, kCount, sum); });
}

bool LastBlockReduction() {
  return SumIs(Expected(), [](const int* in, int* sum) {
    const DeviceArray<int> partials(kGrid);
    const DeviceArray<unsigned> done(1);
    LastBlock<<<kGrid, kBlock>>>(in, kCount, partials.get(), done.get(), sum);
    cudaDeviceSynchronize();
  });
}

}  // namespace

int main(int argc, char** argv) {
  return RunCase(argc, argv,
                 {CASE(InterleavedReduction), CASE(SequentialReduction), CASE(LastWarpReduction),
                  CASE(ShuffleReduction), CASE(GridStrideReduction), CASE(WarpReduceReduction),
                  CASE(LastBlockReduction)});
}
