// Merge path: a first kernel finds where every tile of the result begins in both arrays, and a
// block for each tile loads exactly its items, by vectors of four. Threads merge odd numbers of
// items, and change places through shared memory before they store vectors of four.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "common/cuda/check.h"
#include "labs/cuda_merge/merge.h"

namespace {

constexpr unsigned kThreads = 512;
constexpr unsigned kItems = 17;  // of each thread; odd, so that its items lie in different banks
constexpr unsigned kRangeItems = 16;
constexpr unsigned kVector = 4;

__device__ std::int32_t KeyOf(std::int32_t item) { return item >> kTagBits; }

template <typename Index>
__device__ Index CoRank(const std::int32_t* a, Index m, const std::int32_t* b, Index n, Index k) {
  Index low = k > n ? k - n : 0;
  Index high = min(k, m);
  while (low < high) {
    const Index i = (low + high) / 2;
    const bool from_a = KeyOf(a[i]) <= KeyOf(b[k - i - 1]);
    low = from_a ? i + 1 : low;
    high = from_a ? high : i;
  }
  return low;
}

__global__ void CoRanksKernel(const std::int32_t* a, std::size_t m, const std::int32_t* b,
                              std::size_t n, const std::uint64_t* ks, std::size_t count,
                              std::uint64_t* ranks) {
  const std::size_t t = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  if (t < count) ranks[t] = CoRank(a, m, b, n, std::size_t{ks[t]});
}

__global__ void RangesKernel(const std::int32_t* a, std::size_t m, const std::int32_t* b,
                             std::size_t n, std::int32_t* merged) {
  const std::size_t first = (std::size_t{blockIdx.x} * kThreads + threadIdx.x) * kRangeItems;
  if (first >= m + n) return;
  const std::size_t end = min(first + kRangeItems, m + n);
  std::size_t i = CoRank(a, m, b, n, first);
  std::size_t j = first - i;
  for (std::size_t k = first; k < end; ++k) {
    const bool from_a = j == n || (i < m && KeyOf(a[i]) <= KeyOf(b[j]));
    merged[k] = from_a ? a[i++] : b[j++];
  }
}

// splits[t] is the co-rank of the first item of tile t, and splits[tiles] that of the end.
__global__ void SplitKernel(const std::int32_t* a, std::size_t m, const std::int32_t* b,
                            std::size_t n, std::size_t tile, std::size_t tiles,
                            std::uint64_t* splits) {
  const std::size_t t = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (t <= tiles) splits[t] = CoRank(a, m, b, n, min(t * tile, m + n));
}

// A stretch of an array, from a place where a vector begins: `lead` items in front are loaded, too.
struct Stretch {
  const std::int32_t* items;  // of the first vector
  std::size_t left;           // how many items the array has from there on
  unsigned lead;
  unsigned count;  // without the lead

  __device__ Stretch(const std::int32_t* array, std::size_t size, std::size_t first,
                     unsigned how_many)
      : lead(first % kVector), count(how_many) {
    items = array + (first - lead);
    left = size - (first - lead);
  }
  __device__ unsigned Vectors() const { return (lead + count + kVector - 1) / kVector; }

  // Vector v; what lies behind the end of the array is 0.
  __device__ int4 Load(unsigned v) const {
    const std::size_t at = std::size_t{v} * kVector;
    if (at + kVector <= left) return reinterpret_cast<const int4*>(items)[v];
    int4 few{0, 0, 0, 0};
    few.x = items[at];
    if (at + 1 < left) few.y = items[at + 1];
    if (at + 2 < left) few.z = items[at + 2];
    return few;
  }
};

// Loads both stretches to `tile`, one vector behind the other.
template <unsigned kBlock, unsigned kRounds>
__device__ void LoadTile(const Stretch& a, const Stretch& b, int4* tile) {
  const unsigned in_a = a.Vectors();
  const unsigned all = in_a + b.Vectors();
  int4 vectors[kRounds];
#pragma unroll
  for (unsigned r = 0; r < kRounds; ++r) {
    const unsigned v = r * kBlock + threadIdx.x;
    if (v < in_a) {
      vectors[r] = a.Load(v);
    } else if (v < all) {
      vectors[r] = b.Load(v - in_a);
    }
  }
#pragma unroll
  for (unsigned r = 0; r < kRounds; ++r) {
    const unsigned v = r * kBlock + threadIdx.x;
    if (v < all) tile[v] = vectors[r];
  }
}

// Stores `count` items of `tile`, which is a warp's, to `merged`; both begin with a vector. The
// items lie in `tile` as the lanes have put them there.
template <unsigned kWarpItems>
__device__ void StoreWarp(const std::int32_t* tile, std::int32_t* merged, unsigned count) {
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (unsigned at = 0; at < kWarpItems; at += 32 * kVector) {
    const unsigned i = at + lane * kVector;
    if (i + kVector <= count) {
      *reinterpret_cast<int4*>(merged + i) = *reinterpret_cast<const int4*>(tile + i);
    } else {
      for (unsigned c = i; c < count; ++c) merged[c] = tile[c];
    }
  }
}

// A block merges tile blockIdx.x, of a's items those from i up to i_end.
template <unsigned kBlock, unsigned kEach>
__device__ void MergeTile(const std::int32_t* a, std::size_t m, const std::int32_t* b,
                          std::size_t n, std::int32_t* merged, std::size_t i, std::size_t i_end) {
  constexpr unsigned kTile = kBlock * kEach;
  constexpr unsigned kRounds = (kTile / kVector + 2 + kBlock - 1) / kBlock;
  __shared__ int4 vectors[kTile / kVector + 2];
  auto* const tile = reinterpret_cast<std::int32_t*>(vectors);
  const std::size_t k = std::size_t{blockIdx.x} * kTile;
  const auto count = static_cast<unsigned>(min(std::size_t{kTile}, m + n - k));
  const auto in_a = static_cast<unsigned>(i_end - i);
  const Stretch stretch_a(a, m, i, in_a);
  const Stretch stretch_b(b, n, k - i, count - in_a);
  LoadTile<kBlock, kRounds>(stretch_a, stretch_b, vectors);
  __syncthreads();

  const unsigned begin_a = stretch_a.lead;
  const unsigned begin_b = stretch_a.Vectors() * kVector + stretch_b.lead;
  const unsigned first = min(threadIdx.x * kEach, count);
  const unsigned before =
      CoRank<unsigned>(tile + begin_a, in_a, tile + begin_b, count - in_a, first);
  unsigned at_a = begin_a + before;
  unsigned at_b = begin_b + first - before;
  const unsigned end_a = begin_a + in_a;
  const unsigned end_b = begin_b + count - in_a;
  std::int32_t from_a = at_a < end_a ? tile[at_a] : 0;
  std::int32_t from_b = at_b < end_b ? tile[at_b] : 0;
  std::int32_t mine[kEach];
#pragma unroll
  for (unsigned c = 0; c < kEach; ++c) {
    const bool is_a = at_b >= end_b || (at_a < end_a && KeyOf(from_a) <= KeyOf(from_b));
    mine[c] = is_a ? from_a : from_b;
    const unsigned next = is_a ? ++at_a : ++at_b;
    if (next < (is_a ? end_a : end_b)) {
      const std::int32_t item = tile[next];
      from_a = is_a ? item : from_a;
      from_b = is_a ? from_b : item;
    }
  }
  __syncthreads();
#pragma unroll
  for (unsigned c = 0; c < kEach; ++c) tile[threadIdx.x * kEach + c] = mine[c];
  __syncwarp();
  constexpr unsigned kWarpItems = 32 * kEach;
  const unsigned warp = threadIdx.x / 32 * kWarpItems;
  if (warp < count) {
    StoreWarp<kWarpItems>(tile + warp, merged + k + warp, min(kWarpItems, count - warp));
  }
}

template <unsigned kBlock, unsigned kEach>
__global__ void __launch_bounds__(kBlock)
    MergePathKernel(const std::int32_t* a, std::size_t m, const std::int32_t* b, std::size_t n,
                    std::int32_t* merged, const std::uint64_t* splits) {
  MergeTile<kBlock, kEach>(a, m, b, n, merged, splits[blockIdx.x], splits[blockIdx.x + 1]);
}

// As CoRank, by all lanes of a warp: each step leaves a 32nd of the range.
__device__ std::size_t WarpCoRank(const std::int32_t* a, std::size_t m, const std::int32_t* b,
                                  std::size_t n, std::size_t k) {
  std::size_t low = k > n ? k - n : 0;
  std::size_t high = min(k, m);
  while (low < high) {
    const std::size_t step = (high - low + 31) / 32;
    const std::size_t i = low + threadIdx.x % 32 * step;
    const bool is_above = i < high && KeyOf(a[i]) <= KeyOf(b[k - i - 1]);
    const unsigned above = __popc(__ballot_sync(0xffffffffu, is_above));  // the first lanes
    if (above == 0) return low;
    high = min(high, low + above * step);
    low += (above - 1) * step + 1;
  }
  return low;
}

// The same without a kernel before: a warp for each end of the tile searches.
template <unsigned kBlock, unsigned kEach>
__global__ void __launch_bounds__(kBlock)
    SearchAndMergeKernel(const std::int32_t* a, std::size_t m, const std::int32_t* b, std::size_t n,
                         std::int32_t* merged) {
  constexpr std::size_t kTile = kBlock * kEach;
  __shared__ std::size_t ends[2];
  const unsigned warp = threadIdx.x / 32;
  if (warp < 2) {
    const std::size_t rank =
        WarpCoRank(a, m, b, n, min((std::size_t{blockIdx.x} + warp) * kTile, m + n));
    if (threadIdx.x % 32 == 0) ends[warp] = rank;
  }
  __syncthreads();
  MergeTile<kBlock, kEach>(a, m, b, n, merged, ends[0], ends[1]);
}

unsigned Blocks(std::size_t items, std::size_t per_block) {
  return static_cast<unsigned>((items + per_block - 1) / per_block);
}

template <unsigned kBlock, unsigned kEach>
void MergePath(DeviceSpan<const std::int32_t> a, DeviceSpan<const std::int32_t> b,
               DeviceSpan<std::int32_t> merged, DeviceSpan<std::uint64_t> workspace,
               cudaStream_t stream) {
  if (merged.empty()) return;
  constexpr std::size_t kTile = kBlock * kEach;
  const unsigned tiles = Blocks(merged.size(), kTile);
  SplitKernel<<<Blocks(std::size_t{tiles} + 1, 128), 128, 0, stream>>>(
      a.data(), a.size(), b.data(), b.size(), kTile, tiles, workspace.data());
  CUDA_CHECK(cudaGetLastError());
  MergePathKernel<kBlock, kEach><<<tiles, kBlock, 0, stream>>>(
      a.data(), a.size(), b.data(), b.size(), merged.data(), workspace.data());
  CUDA_CHECK(cudaGetLastError());
}

template <unsigned kBlock, unsigned kEach>
void SearchAndMerge(DeviceSpan<const std::int32_t> a, DeviceSpan<const std::int32_t> b,
                    DeviceSpan<std::int32_t> merged, cudaStream_t stream) {
  if (merged.empty()) return;
  SearchAndMergeKernel<kBlock, kEach>
      <<<Blocks(merged.size(), std::size_t{kBlock} * kEach), kBlock, 0, stream>>>(
          a.data(), a.size(), b.data(), b.size(), merged.data());
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void CoRanks(DeviceSpan<const std::int32_t> a, DeviceSpan<const std::int32_t> b,
             DeviceSpan<const std::uint64_t> ks, DeviceSpan<std::uint64_t> ranks,
             cudaStream_t stream) {
  if (ks.empty()) return;
  CoRanksKernel<<<Blocks(ks.size(), kThreads), kThreads, 0, stream>>>(
      a.data(), a.size(), b.data(), b.size(), ks.data(), ks.size(), ranks.data());
  CUDA_CHECK(cudaGetLastError());
}

void MergeRanges(DeviceSpan<const std::int32_t> a, DeviceSpan<const std::int32_t> b,
                 DeviceSpan<std::int32_t> merged, cudaStream_t stream) {
  if (merged.empty()) return;
  RangesKernel<<<Blocks(merged.size(), kThreads * kRangeItems), kThreads, 0, stream>>>(
      a.data(), a.size(), b.data(), b.size(), merged.data());
  CUDA_CHECK(cudaGetLastError());
}

void MergeTiles(DeviceSpan<const std::int32_t> a, DeviceSpan<const std::int32_t> b,
                DeviceSpan<std::int32_t> merged, cudaStream_t stream) {
  SearchAndMerge<kThreads, kItems>(a, b, merged, stream);
}

void MergeRing(DeviceSpan<const std::int32_t> a, DeviceSpan<const std::int32_t> b,
               DeviceSpan<std::int32_t> merged, DeviceSpan<std::uint64_t> workspace,
               cudaStream_t stream) {
  MergePath<kThreads, kItems>(a, b, merged, workspace, stream);
}
