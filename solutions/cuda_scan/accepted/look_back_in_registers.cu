// Right: both large scans in a single pass; 24 values of each thread stay in registers, and rows of
// a warp are scanned by shuffles, so that loads and stores of four values are coalesced. The
// fastest one on a GPU.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "common/cuda/check.h"
#include "labs/cuda_scan/scan.h"

namespace {

constexpr unsigned kAll = 0xffffffffu;
constexpr unsigned kThreads = 128;
constexpr unsigned kRows = 6;  // of four values for each lane

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

// A tile's state and sum go together in one word: nobody sees the one without the other.
constexpr std::uint64_t kOwn = std::uint64_t{1} << 32;
constexpr std::uint64_t kWhole = std::uint64_t{2} << 32;

// The sum of all values before the tile. All lanes of a warp look, 32 tiles at a time.
__device__ unsigned LookBack(const volatile std::uint64_t* published, unsigned tile) {
  const unsigned lane = threadIdx.x % 32;
  unsigned before = 0;
  for (unsigned end = tile;; end -= 32) {
    std::uint64_t word = kWhole;
    do {
      if (lane < end) word = published[end - 1 - lane];
    } while (__any_sync(kAll, word < kOwn));
    const unsigned whole = __ballot_sync(kAll, word >= kWhole);
    const unsigned last = whole != 0 ? __ffs(whole) - 1 : 31;
    before += __reduce_add_sync(kAll, lane <= last ? static_cast<unsigned>(word) : 0);
    if (whole != 0) return before;
  }
}

// Four values from place i on, 0 behind the last one.
__device__ uint4 LoadTail(const unsigned* values, std::size_t n, std::size_t i) {
  uint4 four{0, 0, 0, 0};
  if (i < n) four.x = values[i];
  if (i + 1 < n) four.y = values[i + 1];
  if (i + 2 < n) four.z = values[i + 2];
  if (i + 3 < n) four.w = values[i + 3];
  return four;
}

__device__ void StoreTail(uint4 four, unsigned* sums, std::size_t n, std::size_t i) {
  if (i < n) sums[i] = four.x;
  if (i + 1 < n) sums[i + 1] = four.y;
  if (i + 2 < n) sums[i + 2] = four.z;
  if (i + 3 < n) sums[i + 3] = four.w;
}

// A warp has Rows * 128 values: in each row a lane has four of them, side by side. So loads and
// stores are coalesced, and the lanes scan row by row without shared memory. After it each value is
// the sum of the warp's values up to it, or before it, and the sum of all is returned.
template <bool Exclusive, unsigned Rows>
__device__ unsigned ScanRows(uint4 (&rows)[Rows]) {
  const unsigned lane = threadIdx.x % 32;
  unsigned upto[Rows];
#pragma unroll
  for (unsigned r = 0; r < Rows; ++r) {
    rows[r].y += rows[r].x;
    rows[r].z += rows[r].y;
    rows[r].w += rows[r].z;
    upto[r] = rows[r].w;
  }
#pragma unroll
  for (unsigned distance = 1; distance < 32; distance *= 2) {
#pragma unroll
    for (unsigned r = 0; r < Rows; ++r) {
      const unsigned below = __shfl_up_sync(kAll, upto[r], distance);
      if (lane >= distance) upto[r] += below;
    }
  }
  unsigned all = 0;
#pragma unroll
  for (unsigned r = 0; r < Rows; ++r) {
    const unsigned before = all + upto[r] - rows[r].w;
    const uint4 sums = rows[r];
    rows[r].x = before + (Exclusive ? 0 : sums.x);
    rows[r].y = before + (Exclusive ? sums.x : sums.y);
    rows[r].z = before + (Exclusive ? sums.y : sums.z);
    rows[r].w = before + (Exclusive ? sums.z : sums.w);
    all += __shfl_sync(kAll, upto[r], 31);
  }
  return all;
}

// What the block adds to its values: the sum of all before the tile, by the first warp.
template <unsigned Warps>
__device__ unsigned TileBefore(unsigned tile, unsigned warp_sum,
                               volatile std::uint64_t* published) {
  __shared__ unsigned warps[Warps];
  __shared__ unsigned before_tile;
  const unsigned warp = threadIdx.x / 32;
  const unsigned lane = threadIdx.x % 32;
  if (lane == 0) warps[warp] = warp_sum;
  __syncthreads();
  unsigned before_warp = 0;
  unsigned all = 0;
#pragma unroll
  for (unsigned w = 0; w < Warps; ++w) {
    if (w == warp) before_warp = all;
    all += warps[w];
  }
  if (warp == 0) {
    if (lane == 0) published[tile] = (tile == 0 ? kWhole : kOwn) | all;
    const unsigned before = LookBack(published, tile);
    if (lane == 0) {
      if (tile > 0) published[tile] = kWhole | (before + all);
      before_tile = before;
    }
  }
  __syncthreads();
  return before_tile + before_warp;
}

// All words of `published` and the counter are 0 before.
template <unsigned Threads, unsigned Rows, bool Exclusive>
__global__ void __launch_bounds__(Threads)
    SinglePassKernel(const unsigned* values, std::size_t n, unsigned* sums,
                     volatile std::uint64_t* published, unsigned* counter) {
  constexpr std::size_t kTileSize = std::size_t{4} * Rows * Threads;
  __shared__ unsigned shared_tile;
  if (threadIdx.x == 0) shared_tile = atomicAdd(counter, 1);
  __syncthreads();
  const unsigned tile = shared_tile;
  const bool is_full = (tile + 1) * kTileSize <= n;
  const std::size_t first =
      tile * kTileSize + threadIdx.x / 32 * (128 * Rows) + threadIdx.x % 32 * 4;
  uint4 rows[Rows];
  if (is_full) {
#pragma unroll
    for (unsigned r = 0; r < Rows; ++r) {
      rows[r] = *reinterpret_cast<const uint4*>(values + first + r * 128);
    }
  } else {
#pragma unroll
    for (unsigned r = 0; r < Rows; ++r) rows[r] = LoadTail(values, n, first + r * 128);
  }
  const unsigned warp_sum = ScanRows<Exclusive>(rows);
  const unsigned before = TileBefore<Threads / 32>(tile, warp_sum, published);
#pragma unroll
  for (unsigned r = 0; r < Rows; ++r) {
    uint4 sum = rows[r];
    sum.x += before;
    sum.y += before;
    sum.z += before;
    sum.w += before;
    if (is_full) {
      *reinterpret_cast<uint4*>(sums + first + r * 128) = sum;
    } else {
      StoreTail(sum, sums, n, first + r * 128);
    }
  }
}

// Scans with blocks of so many threads, which have so many rows of four values each.
template <unsigned Threads, unsigned Rows, bool Exclusive>
void SinglePass(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> sums,
                DeviceSpan<std::uint64_t> workspace, cudaStream_t stream) {
  constexpr std::size_t kTileSize = std::size_t{4} * Rows * Threads;
  const std::size_t n = values.size();
  if (n == 0) return;
  const unsigned tiles = static_cast<unsigned>((n + kTileSize - 1) / kTileSize);
  std::uint64_t* const published = workspace.data();
  unsigned* const counter = reinterpret_cast<unsigned*>(published + tiles);
  CUDA_CHECK(cudaMemsetAsync(published, 0, (tiles + 1) * sizeof(std::uint64_t), stream));
  SinglePassKernel<Threads, Rows, Exclusive>
      <<<tiles, Threads, 0, stream>>>(values.data(), n, sums.data(), published, counter);
  CUDA_CHECK(cudaGetLastError());
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
  SinglePass<kThreads, kRows, true>(counts, starts, workspace, stream);
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
  SinglePass<kThreads, kRows, false>(values, sums, workspace, stream);
}
