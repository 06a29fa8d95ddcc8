// Wrong: the lanes without a partner are not there when the others shuffle.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "common/cuda/check.h"
#include "labs/cuda_scan/scan.h"

namespace {

constexpr unsigned kAll = 0xffffffffu;
constexpr unsigned kThreads = 256;
constexpr unsigned kWarps = kThreads / 32;
constexpr std::size_t kBlockTile = 4 * kThreads;  // four values a thread

// The sum of this lane's value and those of the lanes below.
__device__ unsigned WarpScan(unsigned sum) {
  const unsigned lane = threadIdx.x % 32;
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    if (lane >= distance) sum += __shfl_up_sync(kAll, sum, distance);
  }
  return sum;
}

// The sum of this thread's value and those of the threads before it in the block.
__device__ unsigned BlockScan(unsigned mine) {
  __shared__ unsigned warps[kWarps];
  const unsigned warp = threadIdx.x / 32;
  unsigned sum = WarpScan(mine);
  if (threadIdx.x % 32 == 31) warps[warp] = sum;
  __syncthreads();
  for (unsigned w = 0; w < warp; ++w) sum += warps[w];
  __syncthreads();
  return sum;
}

// Four values from place i on, 0 behind the last one. i is a multiple of 4.
__device__ uint4 Load(const unsigned* values, std::size_t n, std::size_t i) {
  uint4 four{0, 0, 0, 0};
  if (i + 3 < n) {
    four = *reinterpret_cast<const uint4*>(values + i);
  } else {
    if (i < n) four.x = values[i];
    if (i + 1 < n) four.y = values[i + 1];
    if (i + 2 < n) four.z = values[i + 2];
  }
  return four;
}

__device__ void Store(uint4 four, unsigned* sums, std::size_t n, std::size_t i) {
  if (i + 3 < n) {
    *reinterpret_cast<uint4*>(sums + i) = four;
  } else {
    if (i < n) sums[i] = four.x;
    if (i + 1 < n) sums[i + 1] = four.y;
    if (i + 2 < n) sums[i + 2] = four.z;
  }
}

__device__ unsigned Sum(uint4 four) { return four.x + four.y + four.z + four.w; }

unsigned Tiles(std::size_t n) { return (n + kBlockTile - 1) / kBlockTile; }

// A step reads one buffer and writes the other.
__global__ void KoggeStoneKernel(const unsigned* values, unsigned n, unsigned* sums) {
  __shared__ unsigned buffers[2][kTile];
  const unsigned t = threadIdx.x;
  unsigned from = 0;
  buffers[0][t] = t < n ? values[t] : 0;
  for (unsigned distance = 1; distance < kTile; distance *= 2) {
    __syncthreads();
    unsigned sum = buffers[from][t];
    if (t >= distance) sum += buffers[from][t - distance];
    buffers[1 - from][t] = sum;
    from = 1 - from;
  }
  if (t < n) sums[t] = buffers[from][t];
}

// Where word i lies: gaps keep words a power of two apart in different banks.
__host__ __device__ constexpr unsigned At(unsigned i) { return i + i / 32 + i / 1024; }

__global__ void BlellochKernel(const unsigned* counts, unsigned n, unsigned* starts) {
  __shared__ unsigned tree[At(kWideTile)];
  const unsigned t = threadIdx.x;
  const unsigned half = kWideTile / 2;
  tree[At(t)] = t < n ? counts[t] : 0;
  tree[At(t + half)] = t + half < n ? counts[t + half] : 0;
  for (unsigned width = 1; width <= half; width *= 2) {
    __syncthreads();
    const unsigned right = 2 * width * (t + 1) - 1;
    if (right < kWideTile) tree[At(right)] += tree[At(right - width)];
  }
  if (t == 0) tree[At(kWideTile - 1)] = 0;
  for (unsigned width = half; width > 0; width /= 2) {
    __syncthreads();
    const unsigned right = 2 * width * (t + 1) - 1;
    if (right < kWideTile) {
      const unsigned left_sum = tree[At(right - width)];
      tree[At(right - width)] = tree[At(right)];
      tree[At(right)] += left_sum;
    }
  }
  __syncthreads();
  if (t < n) starts[t] = tree[At(t)];
  if (t + half < n) starts[t + half] = tree[At(t + half)];
}

// Each block scans its tile, and tells its sum.
__global__ void ScanTilesKernel(const unsigned* counts, std::size_t n, unsigned* starts,
                                unsigned* totals) {
  const std::size_t i = blockIdx.x * kBlockTile + threadIdx.x * 4;
  const uint4 four = Load(counts, n, i);
  const unsigned sum = Sum(four);
  const unsigned upto = BlockScan(sum);
  uint4 before;
  before.x = upto - sum;
  before.y = before.x + four.x;
  before.z = before.y + four.y;
  before.w = before.z + four.z;
  Store(before, starts, n, i);
  if (threadIdx.x == kThreads - 1) totals[blockIdx.x] = upto;
}

// One block scans the tiles' sums exclusively, in place.
__global__ void ScanTotalsKernel(unsigned* totals, unsigned tiles) {
  __shared__ unsigned round_sum;
  unsigned carry = 0;
  for (unsigned first = 0; first < tiles; first += kThreads) {
    const unsigned i = first + threadIdx.x;
    const unsigned mine = i < tiles ? totals[i] : 0;
    const unsigned upto = BlockScan(mine);
    if (i < tiles) totals[i] = carry + upto - mine;
    if (threadIdx.x == kThreads - 1) round_sum = upto;
    __syncthreads();
    carry += round_sum;
  }
}

__global__ void AddKernel(unsigned* starts, std::size_t n, const unsigned* before) {
  for (unsigned k = 0; k < 4; ++k) {
    const std::size_t i = blockIdx.x * kBlockTile + k * kThreads + threadIdx.x;
    if (i < n) starts[i] += before[blockIdx.x];
  }
}

// A piece of the series: its sum since the last flag, and whether there is one.
struct Piece {
  unsigned sum;
  unsigned flag;
};

__device__ Piece Join(Piece left, Piece right) {
  return {right.flag != 0 ? right.sum : left.sum + right.sum, left.flag | right.flag};
}

// What this thread and those before it in a block of kSegmentThreads have.
constexpr unsigned kSegmentThreads = 512;

__device__ Piece BlockScan(Piece mine) {
  __shared__ unsigned sums[2][kSegmentThreads];
  __shared__ unsigned flags[2][kSegmentThreads];
  const unsigned t = threadIdx.x;
  unsigned from = 0;
  __syncthreads();  // all are done with the last round
  sums[0][t] = mine.sum;
  flags[0][t] = mine.flag;
  for (unsigned distance = 1; distance < kSegmentThreads; distance *= 2) {
    __syncthreads();
    if (t >= distance) {
      const Piece left{sums[from][t - distance], flags[from][t - distance]};
      mine = Join(left, mine);
    }
    from = 1 - from;
    sums[from][t] = mine.sum;
    flags[from][t] = mine.flag;
  }
  return mine;
}

// Each block scans its tile, and tells what it has and where its first flag stands.
__global__ void ScanSegmentsKernel(const unsigned* values, const std::uint8_t* flags, std::size_t n,
                                   unsigned* sums, Piece* totals, unsigned* firsts) {
  __shared__ unsigned first_flag;
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * kSegmentThreads + t;
  Piece mine{0, 0};
  if (i < n) mine.sum = values[i];
  if (i < n && flags[i] != 0) mine.flag = 1;
  if (t == 0) first_flag = kSegmentThreads;
  __syncthreads();
  if (mine.flag != 0) atomicMin(&first_flag, t);
  mine = BlockScan(mine);
  if (i < n) sums[i] = mine.sum;
  if (t == kSegmentThreads - 1) {
    totals[blockIdx.x] = mine;
    firsts[blockIdx.x] = first_flag;
  }
}

// One block scans what the tiles have, inclusively and in place.
__global__ void ScanPiecesKernel(Piece* totals, unsigned tiles) {
  __shared__ Piece last;
  Piece carry{0, 0};
  for (unsigned first = 0; first < tiles; first += kSegmentThreads) {
    const unsigned i = first + threadIdx.x;
    Piece mine{0, 0};
    if (i < tiles) mine = totals[i];
    mine = BlockScan(mine);
    mine = Join(carry, mine);
    if (i < tiles) totals[i] = mine;
    if (threadIdx.x == kSegmentThreads - 1) last = mine;
    __syncthreads();
    carry = last;
  }
}

// What the tiles before have goes to the values before the first flag.
__global__ void AddToFirstSegmentKernel(unsigned* sums, std::size_t n, const Piece* upto,
                                        const unsigned* firsts) {
  const std::size_t i = std::size_t{blockIdx.x} * kSegmentThreads + threadIdx.x;
  if (blockIdx.x > 0 && threadIdx.x < firsts[blockIdx.x] && i < n) {
    sums[i] += upto[blockIdx.x - 1].sum;
  }
}

// What each tile publishes: its own sum, then the sum of all up to its end, and how far it is.
struct Published {
  volatile unsigned* state;  // 0 nothing, 1 its own sum, 2 both
  unsigned* own;
  unsigned* whole;
};

// The sum of all values before the tile, by one thread.
__device__ unsigned LookBack(Published published, unsigned tile) {
  unsigned before = 0;
  while (tile > 0) {
    const unsigned state = published.state[tile - 1];
    if (state == 0) continue;
    __threadfence();
    if (state == 2) return before + published.whole[tile - 1];
    before += published.own[tile - 1];
    --tile;
  }
  return before;
}

__global__ void LookBackKernel(const unsigned* values, std::size_t n, unsigned* sums,
                               Published published, unsigned* counter) {
  __shared__ unsigned shared_tile;
  __shared__ unsigned shared_before;
  if (threadIdx.x == 0) shared_tile = atomicAdd(counter, 1);
  __syncthreads();
  const unsigned tile = shared_tile;
  const std::size_t i = tile * kBlockTile + threadIdx.x * 4;
  uint4 four = Load(values, n, i);
  const unsigned sum = Sum(four);
  const unsigned upto = BlockScan(sum);
  if (threadIdx.x == kThreads - 1) {
    published.own[tile] = upto;
    __threadfence();
    published.state[tile] = 1;
    shared_before = LookBack(published, tile);
    published.whole[tile] = shared_before + upto;
    __threadfence();
    published.state[tile] = 2;
  }
  __syncthreads();
  four.x += shared_before + upto - sum;
  four.y += four.x;
  four.z += four.y;
  four.w += four.z;
  Store(four, sums, n, i);
}

}  // namespace

void InclusiveScanTile(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> sums,
                       cudaStream_t stream) {
  KoggeStoneKernel<<<1, kTile, 0, stream>>>(values.data(), static_cast<unsigned>(values.size()),
                                            sums.data());
  CUDA_CHECK(cudaGetLastError());
}

void ExclusiveScanTile(DeviceSpan<const std::uint32_t> counts, DeviceSpan<std::uint32_t> starts,
                       cudaStream_t stream) {
  BlellochKernel<<<1, kWideTile / 2, 0, stream>>>(
      counts.data(), static_cast<unsigned>(counts.size()), starts.data());
  CUDA_CHECK(cudaGetLastError());
}

void ExclusiveScan(DeviceSpan<const std::uint32_t> counts, DeviceSpan<std::uint32_t> starts,
                   DeviceSpan<std::uint64_t> workspace, cudaStream_t stream) {
  const std::size_t n = counts.size();
  if (n == 0) return;
  const unsigned tiles = Tiles(n);
  unsigned* const totals = reinterpret_cast<unsigned*>(workspace.data());
  ScanTilesKernel<<<tiles, kThreads, 0, stream>>>(counts.data(), n, starts.data(), totals);
  ScanTotalsKernel<<<1, kThreads, 0, stream>>>(totals, tiles);
  AddKernel<<<tiles, kThreads, 0, stream>>>(starts.data(), n, totals);
  CUDA_CHECK(cudaGetLastError());
}

void SegmentedScan(DeviceSpan<const std::uint32_t> values, DeviceSpan<const std::uint8_t> flags,
                   DeviceSpan<std::uint32_t> sums, DeviceSpan<std::uint64_t> workspace,
                   cudaStream_t stream) {
  const std::size_t n = values.size();
  if (n == 0) return;
  const unsigned tiles = (n + kSegmentThreads - 1) / kSegmentThreads;
  Piece* const totals = reinterpret_cast<Piece*>(workspace.data());
  unsigned* const firsts = reinterpret_cast<unsigned*>(totals + tiles);
  ScanSegmentsKernel<<<tiles, kSegmentThreads, 0, stream>>>(values.data(), flags.data(), n,
                                                            sums.data(), totals, firsts);
  ScanPiecesKernel<<<1, kSegmentThreads, 0, stream>>>(totals, tiles);
  AddToFirstSegmentKernel<<<tiles, kSegmentThreads, 0, stream>>>(sums.data(), n, totals, firsts);
  CUDA_CHECK(cudaGetLastError());
}

void InclusiveScan(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> sums,
                   DeviceSpan<std::uint64_t> workspace, cudaStream_t stream) {
  const std::size_t n = values.size();
  if (n == 0) return;
  const unsigned tiles = Tiles(n);
  unsigned* const words = reinterpret_cast<unsigned*>(workspace.data());
  const Published published{words + 1, words + 1 + tiles, words + 1 + 2 * tiles};
  CUDA_CHECK(cudaMemsetAsync(words, 0, (1 + tiles) * sizeof(unsigned), stream));
  LookBackKernel<<<tiles, kThreads, 0, stream>>>(values.data(), n, sums.data(), published, words);
  CUDA_CHECK(cudaGetLastError());
}
