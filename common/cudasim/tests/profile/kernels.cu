// Kernels with known counts, which profile_test.py lists.
#include <cooperative_groups.h>
#include <cuda_pipeline_primitives.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda/barrier>
#include <cuda/pipeline>

#include "common/cudasim/tests/programs.h"

namespace profile_kernels {

constexpr int kWidth = 256;  // of square matrices
constexpr int kTile = 32;
constexpr int kCount = kWidth * kWidth;

__global__ void Coalesced(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

__global__ void Strided(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int j = i / kWidth + i % kWidth * kWidth;
  if (i < n) out[j] = in[i];
}

__global__ void Transpose(const float* in, float* out) {
  __shared__ float tile[kTile][kTile];
  const int x = blockIdx.x * kTile;
  const int y = blockIdx.y * kTile;
  tile[threadIdx.y][threadIdx.x] = in[(y + threadIdx.y) * kWidth + x + threadIdx.x];
  __syncthreads();
  out[(x + threadIdx.y) * kWidth + y + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void PaddedTranspose(const float* in, float* out) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = blockIdx.x * kTile;
  const int y = blockIdx.y * kTile;
  tile[threadIdx.y][threadIdx.x] = in[(y + threadIdx.y) * kWidth + x + threadIdx.x];
  __syncthreads();
  out[(x + threadIdx.y) * kWidth + y + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

// Half of the lanes work in the first step, a quarter in the second.
__global__ void DivergentReduction(const float* in, float* out) {
  __shared__ float sums[kWidth];
  const int t = threadIdx.x;
  sums[t] = in[blockIdx.x * kWidth + t];
  for (int distance = 1; distance < kWidth; distance *= 2) {
    __syncthreads();
    if (t % (2 * distance) == 0) sums[t] += sums[t + distance];
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}

__global__ void ConvergentReduction(const float* in, float* out) {
  __shared__ float sums[kWidth];
  const int t = threadIdx.x;
  sums[t] = in[blockIdx.x * kWidth + t];
  for (int distance = kWidth / 2; distance > 0; distance /= 2) {
    __syncthreads();
    if (t < distance) sums[t] += sums[t + distance];
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}

// A step down Blelloch's tree. Each lane adds to a value that it has in a register.
__global__ void StepDown(const float* in, float* out) {
  __shared__ float sums[64];
  const unsigned left = 2 * threadIdx.x;
  sums[left] = in[left];
  sums[left + 1] = in[left + 1];
  __syncthreads();
  const float sum = sums[left];
  sums[left] = sums[left + 1];
  sums[left + 1] += sum;
  __syncthreads();
  out[threadIdx.x] = sums[threadIdx.x];
}

// All lanes of a warp add to one of two counters.
__global__ void GlobalHistogram(const int* in, int* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[in[i]], 1);
}

// The old value is used, for which there is no instruction that adds 1.
__global__ void SharedTickets(const int* in, int* out, int n) {
  __shared__ int counts[64];
  if (threadIdx.x < 64) counts[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = atomicAdd(&counts[in[i]], 1);
}

// Lanes diverge inside a loop and reconverge after it: each access is one request.
__global__ void Reconverging(const int* in, int* out, int rounds) {
  const int i = threadIdx.x;
  int sum = 0;
  for (int r = 0; r < rounds; ++r) {
    if ((i + r) % 2 == 0) {
      sum += in[i];
    } else {
      sum -= in[i + 32];
    }
    out[i] = sum;
  }
}

struct Best {
  int value;
  int index;
};

__device__ bool IsBetter(Best a, Best b) {
  return a.value > b.value || (a.value == b.value && a.index < b.index);
}

// Lanes leave the condition at three places, and reconverge at the load of the next round.
__global__ void FirstLargest(const int* in, int* out, int n) {
  Best best{-1, n};
  for (int i = threadIdx.x; i < n; i += 32) {
    const Best other{in[i] + i * 37 % 64, i};
    if (IsBetter(other, best)) best = other;
  }
  out[threadIdx.x] = best.index;
}

// Lanes leave an inner loop in different ways.
__global__ void LeavesInnerLoop(const int* in, int* out, int n) {
  int sum = 0;
  for (int i = threadIdx.x; i < n; i += 32) {
    const int value = in[i] + i * 37 % 64;
    for (int k = 0; k < value % 4; ++k) {
      if (k == 2 && sum % 2 != 0) break;
      sum += k * value;
    }
  }
  out[threadIdx.x] = sum;
}

// A block has one row more to copy than the one before it.
__global__ void Uneven(const int* in, int* out) {
  for (unsigned row = 0; row <= blockIdx.x; ++row) {
    const unsigned i = (blockIdx.x * gridDim.x + row) * 32 + threadIdx.x;
    out[i] = in[i];
  }
}

// More events than a lane's buffer holds.
__global__ void Long(const int* in, int* out, int rounds) {
  int sum = 0;
  for (int r = 0; r < rounds; ++r) sum += in[(threadIdx.x + r) % 64];
  out[threadIdx.x] = sum;
}

// Each block reads what another block has written before the grid's barrier.
__global__ void InStep(const float* in, float* out) {
  __shared__ float kept[kWidth];
  const int i = blockIdx.x * kWidth + threadIdx.x;
  const int other = (gridDim.x - 1 - blockIdx.x) * kWidth + threadIdx.x;
  out[i] = in[i];
  kept[threadIdx.x] = in[other];
  cooperative_groups::this_grid().sync();
  const float mine = out[other];
  cooperative_groups::this_grid().sync();
  out[i] = mine + kept[threadIdx.x];
}

// Correct, but one thread does all of the work.
__global__ void OneAddsUp(const int* in, int* out, int n) {
  if (threadIdx.x != 0) return;
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += in[i];
  *out = sum;
}

// Correct, but a block's threads wait until the first few have done the work.
__global__ void FewAddUp(const int* in, int* out, int n) {
  __shared__ int sums[2];
  if (threadIdx.x < 2) {
    int sum = 0;
    for (int i = threadIdx.x; i < n; i += 2) sum += in[i];
    sums[threadIdx.x] = sum;
  }
  __syncthreads();
  out[threadIdx.x] = sums[0] + sums[1];
}

// Each lane fetches the elements of a column of its own.
__global__ void FetchedColumns(cudaTextureObject_t in, float* out) {
  out[threadIdx.x] = tex1Dfetch<float>(in, threadIdx.x * kWidth);
}

// Each thread copies 4 bytes a round, `ahead` rounds ahead.
__global__ void CopyAhead(const float* in, float* out, int ahead) {
  constexpr int kRounds = 64;
  __shared__ float tiles[3][32];
  const auto copy = [&](int round) {
    const int i = round * 32 + threadIdx.x;
    if (round < kRounds) __pipeline_memcpy_async(&tiles[round % 3][threadIdx.x], &in[i], 4);
    __pipeline_commit();
  };
  for (int round = 0; round < ahead; ++round) copy(round);
  float sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    copy(round + ahead);
    __pipeline_wait_prior(ahead);
    for (int i = 0; i < 30; ++i) sum += tiles[round % 3][threadIdx.x] * in[i];
  }
  if (blockIdx.x == 0) out[threadIdx.x] = sum;
}

// Each thread reads what one of the other block has written, whose 64 threads are two warps.
__global__ void __cluster_dims__(2) Exchange(const float* in, float* out) {
  __shared__ float tile[64];
  const cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = in[i];
  cluster.sync();
  out[i] = cluster.map_shared_rank(tile, 1 - cluster.block_rank())[threadIdx.x];
  cluster.sync();
}

__global__ void Offspring(float* out) { out[threadIdx.x] = 1; }
__global__ void Parents(float* out) { Offspring<<<1, 32>>>(out + 32 * threadIdx.x); }

// As CopyAhead. Copies arrive at the barrier of their stage.
__global__ void CopyAheadByBarriers(const float* in, float* out, int ahead) {
  constexpr int kRounds = 64;
  __shared__ float tiles[3][32];
  __shared__ cuda::barrier<cuda::thread_scope_block> full[3];
  if (threadIdx.x < 3) init(&full[threadIdx.x], blockDim.x);
  __syncthreads();
  cuda::barrier<cuda::thread_scope_block>::arrival_token arrivals[3];
  const auto copy = [&](int round) {
    const int i = round * 32 + threadIdx.x, stage = round % 3;
    if (round >= kRounds) return;
    cuda::memcpy_async(&tiles[stage][threadIdx.x], &in[i], cuda::aligned_size_t<4>(4), full[stage]);
    arrivals[stage] = full[stage].arrive();
  };
  for (int round = 0; round < ahead; ++round) copy(round);
  float sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    copy(round + ahead);
    full[round % 3].wait(std::move(arrivals[round % 3]));
    for (int i = 0; i < 30; ++i) sum += tiles[round % 3][threadIdx.x] * in[i];
    __syncthreads();
  }
  if (blockIdx.x == 0) out[threadIdx.x] = sum;
}

// The second warp copies for the first one, three rounds ahead.
__global__ void CopiedByAnotherWarp(const float* in, float* out) {
  constexpr int kRounds = 64;
  __shared__ float tiles[3][32];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
  const bool copies = threadIdx.x >= 32;
  const auto role = copies ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state, role);
  const unsigned lane = threadIdx.x % 32;
  float sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    float& element = tiles[round % 3][lane];
    if (copies) {
      pipe.producer_acquire();
      cuda::memcpy_async(&element, &in[round * 32 + lane], cuda::aligned_size_t<4>(4), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      for (int i = 0; i < 30; ++i) sum += element * in[i];
      pipe.consumer_release();
    }
  }
  if (!copies) out[lane] = sum;
}

// Each thread adds when the one before it has arrived.
__global__ void TurnsByBarriers(const float* in, float* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> done[32];
  init(&done[threadIdx.x], 1);
  __syncthreads();
  if (threadIdx.x > 0) done[threadIdx.x - 1].wait_parity(false);
  float sum = 0;
  for (int i = 0; i < 100; ++i) sum += in[i];
  out[threadIdx.x] = sum;
  (void)done[threadIdx.x].arrive();
}

// A tile that is written four elements at a time, and read by columns.
__global__ void TransposeByFours(const float* in, float* out) {
  __shared__ alignas(16) float tile[kTile][kTile];
  const int row = threadIdx.x / (kTile / 4), column = threadIdx.x % (kTile / 4) * 4;
  *reinterpret_cast<float4*>(&tile[row][column]) =
      *reinterpret_cast<const float4*>(&in[row * kTile + column]);
  __syncthreads();
  for (int i = 0; i < 4; ++i) {
    const int index = i * kTile * kTile / 4 + threadIdx.x;
    out[index] = tile[index % kTile][index / kTile];
  }
}

struct Buffers {
  float* in = nullptr;
  float* out = nullptr;
  int* small = nullptr;  // numbers below 64
  int* bins = nullptr;

  Buffers() {
    cudaMalloc(&in, kCount * sizeof(float));
    cudaMalloc(&out, kCount * sizeof(float));
    cudaMalloc(&small, kCount * sizeof(int));
    cudaMalloc(&bins, kCount * sizeof(int));
    cudaMemset(in, 0, kCount * sizeof(float));
    cudaMemset(bins, 0, kCount * sizeof(int));
    int* const host = new int[kCount];
    for (int i = 0; i < kCount; ++i) host[i] = i % 2;
    cudaMemcpy(small, host, kCount * sizeof(int), cudaMemcpyHostToDevice);
    delete[] host;
  }
  ~Buffers() {
    for (void* const p : {static_cast<void*>(in), static_cast<void*>(out),
                          static_cast<void*>(small), static_cast<void*>(bins)}) {
      cudaFree(p);
    }
  }
};

cudaTextureObject_t TextureOf(float* values) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear = {values, cudaCreateChannelDesc<float>(), kCount * sizeof(float)};
  const cudaTextureDesc description{};
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  return texture;
}

void RunAll(const Buffers& b) {
  const dim3 tiles(kWidth / kTile, kWidth / kTile);
  const dim3 tile(kTile, kTile);
  Coalesced<<<kWidth, kWidth>>>(b.in, b.out, kCount);
  Coalesced<<<kWidth, kWidth>>>(b.in, b.out, kCount);
  Coalesced<<<1, kWidth>>>(b.in, b.out, kWidth);
  Parents<<<1, 3>>>(b.out);
  Strided<<<kWidth, kWidth>>>(b.in, b.out, kCount);
  Transpose<<<tiles, tile>>>(b.in, b.out);
  PaddedTranspose<<<tiles, tile>>>(b.in, b.out);
  DivergentReduction<<<4, kWidth>>>(b.in, b.out);
  ConvergentReduction<<<4, kWidth>>>(b.in, b.out);
  StepDown<<<1, 32>>>(b.in, b.out);
  GlobalHistogram<<<4, kWidth>>>(b.small, b.bins, 4 * kWidth);
  SharedTickets<<<4, kWidth>>>(b.small, b.bins, 4 * kWidth);
  Reconverging<<<1, 32>>>(b.small, b.bins, 10);
  FirstLargest<<<1, 32>>>(b.small, b.bins, 4 * kWidth);
  LeavesInnerLoop<<<1, 32>>>(b.small, b.bins, 4 * kWidth);
  for (int launch = 0; launch < 2; ++launch) Uneven<<<4, 32>>>(b.small, b.bins);
  for (int ahead = 0; ahead < 3; ++ahead) CopyAhead<<<ahead + 1, 32>>>(b.in, b.out, ahead);
  for (int ahead = 0; ahead < 3; ++ahead) {
    CopyAheadByBarriers<<<ahead + 1, 32>>>(b.in, b.out, ahead);
  }
  CopiedByAnotherWarp<<<1, 64>>>(b.in, b.out);
  TurnsByBarriers<<<1, 32>>>(b.in, b.out);
  TransposeByFours<<<1, kTile * kTile / 4>>>(b.in, b.out);
  Exchange<<<4, 64>>>(b.in, b.out);
  Long<<<1, 64>>>(b.small, b.bins, 10000);
  OneAddsUp<<<1, 64>>>(b.small, b.bins, 10000);
  for (int launch = 0; launch < 3; ++launch) FewAddUp<<<1, 256>>>(b.small, b.bins, 10000);
  FetchedColumns<<<1, 64>>>(TextureOf(b.in), b.out);
  const float* in = b.in;
  float* out = b.out;
  void* arguments[] = {&in, &out};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(InStep), dim3(4), dim3(kWidth), arguments, 0,
                              nullptr);
}

PROGRAM(kernels) {
  const Buffers buffers;
  RunAll(buffers);
}

}  // namespace profile_kernels
