// The reference: co-ranks by binary search; a range of 16 items for each thread; and blocks with a
// range of four tiles, which load a tile of each array anew for every tile of the result, or only
// as much as was consumed, into rings.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "common/cuda/check.h"
#include "labs/cuda_merge/merge.h"

namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kThreadItems = 16;  // what a thread merges in global memory
constexpr unsigned kPerThread = 8;     // what it merges of a tile
constexpr unsigned kTile = kThreads * kPerThread;
constexpr std::size_t kBlockItems = 4 * kTile;  // what a block merges

__device__ std::int32_t KeyOf(std::int32_t item) { return item >> kTagBits; }

// How many of the first k merged items come from a, which has m items; the others come from b,
// which has n. a and b are whatever has items by their index. k <= m + n.
template <typename Items, typename Index>
__device__ Index CoRank(const Items& a, Index m, const Items& b, Index n, Index k) {
  Index low = k > n ? k - n : 0;
  Index high = min(k, m);
  while (low < high) {
    const Index i = low + (high - low) / 2;
    if (KeyOf(a[i]) <= KeyOf(b[k - i - 1])) {
      low = i + 1;
    } else {
      high = i;
    }
  }
  return low;
}

// Writes `count` merged items, those from a[i] and b[j] on. There are as many. Gives the index in a
// of the first item that is not merged.
template <typename Items, typename Index>
__device__ Index MergeFrom(const Items& a, Index i, Index m, const Items& b, Index j, Index n,
                           std::int32_t* merged, unsigned count) {
  std::int32_t from_a = i < m ? a[i] : 0;
  std::int32_t from_b = j < n ? b[j] : 0;
  for (unsigned c = 0; c < count; ++c) {
    if (j >= n || (i < m && KeyOf(from_a) <= KeyOf(from_b))) {
      merged[c] = from_a;
      if (++i < m) from_a = a[i];
    } else {
      merged[c] = from_b;
      if (++j < n) from_b = b[j];
    }
  }
  return i;
}

__global__ void CoRanksKernel(const std::int32_t* a, std::size_t m, const std::int32_t* b,
                              std::size_t n, const std::uint64_t* ks, std::size_t count,
                              std::uint64_t* ranks) {
  const std::size_t t = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  if (t < count) ranks[t] = CoRank(a, m, b, n, std::size_t{ks[t]});
}

__global__ void RangesKernel(const std::int32_t* a, std::size_t m, const std::int32_t* b,
                             std::size_t n, std::int32_t* merged) {
  const std::size_t k = (std::size_t{blockIdx.x} * kThreads + threadIdx.x) * kThreadItems;
  if (k >= m + n) return;
  const auto count = static_cast<unsigned>(min(std::size_t{kThreadItems}, m + n - k));
  const std::size_t i = CoRank(a, m, b, n, k);
  alignas(16) std::int32_t items[kThreadItems];
  MergeFrom(a, i, m, b, k - i, n, items, count);
  if (count == kThreadItems) {  // by vectors: a quarter as many stores
    for (unsigned c = 0; c < kThreadItems; c += 4) {
      *reinterpret_cast<int4*>(merged + k + c) = *reinterpret_cast<const int4*>(items + c);
    }
  } else {
    for (unsigned c = 0; c < count; ++c) merged[k + c] = items[c];
  }
}

// What a block merges: merged items k up to k_end, of a from i up to i_end and of b the rest.
struct Range {
  std::size_t k;
  std::size_t k_end;
  std::size_t i;
  std::size_t i_end;
};

// All threads of the block come here.
__device__ Range BlockRange(const std::int32_t* a, std::size_t m, const std::int32_t* b,
                            std::size_t n) {
  __shared__ std::size_t ends[2];
  const std::size_t k = blockIdx.x * kBlockItems;
  const std::size_t k_end = min(k + kBlockItems, m + n);
  if (threadIdx.x == 0) ends[0] = CoRank(a, m, b, n, k);
  if (threadIdx.x == 32) ends[1] = CoRank(a, m, b, n, k_end);
  __syncthreads();
  return {k, k_end, ends[0], ends[1]};
}

// Merges the calling thread's part of the first `count` items of two tiles to `merged`, and gives
// how many of all of them come from a: the last thread knows. All items are merged then.
template <typename Items>
__device__ unsigned MergeTile(const Items& a, unsigned m, const Items& b, unsigned n,
                              unsigned count, std::int32_t* merged) {
  __shared__ unsigned consumed;
  const unsigned k = min(threadIdx.x * kPerThread, count);
  const unsigned i = CoRank(a, m, b, n, k);
  const unsigned i_end = MergeFrom(a, i, m, b, k - i, n, merged + k, min(kPerThread, count - k));
  if (threadIdx.x == kThreads - 1) consumed = i_end;
  __syncthreads();
  return consumed;
}

// Copies `count` items. Neighbouring threads copy neighbours.
__device__ void Copy(const std::int32_t* from, unsigned count, std::int32_t* to) {
  for (unsigned t = threadIdx.x; t < count; t += kThreads) to[t] = from[t];
}

__device__ unsigned AtMostATile(std::size_t count) {
  return static_cast<unsigned>(min(count, std::size_t{kTile}));
}

__global__ void TilesKernel(const std::int32_t* a, std::size_t m, const std::int32_t* b,
                            std::size_t n, std::int32_t* merged) {
  __shared__ std::int32_t tile_a[kTile];
  __shared__ std::int32_t tile_b[kTile];
  __shared__ std::int32_t tile_merged[kTile];
  const Range range = BlockRange(a, m, b, n);
  const std::size_t j_end = range.k_end - range.i_end;
  std::size_t i = range.i;
  for (std::size_t k = range.k; k < range.k_end; k += kTile) {
    const std::size_t j = k - i;
    const unsigned in_a = AtMostATile(range.i_end - i);
    const unsigned in_b = AtMostATile(j_end - j);
    const unsigned count = AtMostATile(range.k_end - k);
    Copy(a + i, in_a, tile_a);
    Copy(b + j, in_b, tile_b);
    __syncthreads();
    i += MergeTile<const std::int32_t*>(tile_a, in_a, tile_b, in_b, count, tile_merged);
    Copy(tile_merged, count, merged + k);
  }
}

// Up to kTile items of an array, the next ones that are not merged, in shared memory. All threads
// of a block have the same.
struct Ring {
  std::int32_t* items;
  unsigned begin = 0;  // where the first one lies
  unsigned count = 0;

  __device__ std::int32_t operator[](unsigned i) const { return items[(begin + i) % kTile]; }

  // Adds the next items of an array, up to `end`, behind those that are there. Moves `next`.
  __device__ void Fill(const std::int32_t* array, std::size_t& next, std::size_t end) {
    const auto more = static_cast<unsigned>(min(std::size_t{kTile - count}, end - next));
    for (unsigned t = threadIdx.x; t < more; t += kThreads) {
      items[(begin + count + t) % kTile] = array[next + t];
    }
    next += more;
    count += more;
  }

  __device__ void Consume(unsigned consumed) {
    begin = (begin + consumed) % kTile;
    count -= consumed;
  }
};

__global__ void RingKernel(const std::int32_t* a, std::size_t m, const std::int32_t* b,
                           std::size_t n, std::int32_t* merged) {
  __shared__ std::int32_t items_a[kTile];
  __shared__ std::int32_t items_b[kTile];
  __shared__ std::int32_t tile_merged[kTile];
  const Range range = BlockRange(a, m, b, n);
  const std::size_t j_end = range.k_end - range.i_end;
  std::size_t next_i = range.i;
  std::size_t next_j = range.k - range.i;
  Ring ring_a{items_a};
  Ring ring_b{items_b};
  for (std::size_t k = range.k; k < range.k_end; k += kTile) {
    const unsigned count = AtMostATile(range.k_end - k);
    ring_a.Fill(a, next_i, range.i_end);
    ring_b.Fill(b, next_j, j_end);
    __syncthreads();
    const unsigned consumed =
        MergeTile(ring_a, ring_a.count, ring_b, ring_b.count, count, tile_merged);
    Copy(tile_merged, count, merged + k);
    ring_a.Consume(consumed);
    ring_b.Consume(count - consumed);
  }
}

unsigned Blocks(std::size_t items, std::size_t per_block) {
  return static_cast<unsigned>((items + per_block - 1) / per_block);
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
  constexpr std::size_t kItems = kThreads * kThreadItems;
  RangesKernel<<<Blocks(merged.size(), kItems), kThreads, 0, stream>>>(a.data(), a.size(), b.data(),
                                                                       b.size(), merged.data());
  CUDA_CHECK(cudaGetLastError());
}

void MergeTiles(DeviceSpan<const std::int32_t> a, DeviceSpan<const std::int32_t> b,
                DeviceSpan<std::int32_t> merged, cudaStream_t stream) {
  if (merged.empty()) return;
  TilesKernel<<<Blocks(merged.size(), kBlockItems), kThreads, 0, stream>>>(
      a.data(), a.size(), b.data(), b.size(), merged.data());
  CUDA_CHECK(cudaGetLastError());
}

void MergeRing(DeviceSpan<const std::int32_t> a, DeviceSpan<const std::int32_t> b,
               DeviceSpan<std::int32_t> merged, DeviceSpan<std::uint64_t>, cudaStream_t stream) {
  if (merged.empty()) return;
  RingKernel<<<Blocks(merged.size(), kBlockItems), kThreads, 0, stream>>>(
      a.data(), a.size(), b.data(), b.size(), merged.data());
  CUDA_CHECK(cudaGetLastError());
}
