// A single sweep for compaction and for each pass of the sort: many items a thread, digits of eight
// bits ranked by votes of warps, and decoupled look-back in place of a scan of all counts
// (Adinets, Merrill, "Onesweep: a faster least significant digit radix sort for GPUs", 2022).

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "common/cuda/check.h"
#include "labs/cuda_layout/layout.h"

namespace {

constexpr unsigned kAllLanes = 0xffffffffu;
constexpr unsigned kWarp = 32;
constexpr unsigned kThreads = 256;
constexpr unsigned kWarps = kThreads / kWarp;

unsigned Blocks(std::size_t n, std::size_t each) {
  return static_cast<unsigned>((n + each - 1) / each);
}

constexpr unsigned kCellsEach = 4;  // for a thread
constexpr unsigned kCellTile = kThreads * kCellsEach;

__global__ void StructsToArraysKernel(const float* cells, std::size_t n, float* fields) {
  __shared__ float tile[kCellTile * kCellFields];
  const std::size_t first = std::size_t{blockIdx.x} * kCellTile;
  const std::size_t here = min(n - first, std::size_t{kCellTile});
  const float* const mine = cells + first * kCellFields;
#pragma unroll
  for (unsigned k = 0; k < kCellsEach * kCellFields; ++k) {
    const unsigned word = k * kThreads + threadIdx.x;
    if (word < here * kCellFields) tile[word] = mine[word];
  }
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < kCellsEach; ++k) {
    const unsigned cell = k * kThreads + threadIdx.x;
    if (cell >= here) continue;
#pragma unroll
    for (unsigned field = 0; field < kCellFields; ++field) {
      fields[field * n + first + cell] = tile[cell * kCellFields + field];
    }
  }
}

__global__ void ArraysToStructsKernel(const float* fields, std::size_t n, float* cells) {
  __shared__ float tile[kCellTile * kCellFields];
  const std::size_t first = std::size_t{blockIdx.x} * kCellTile;
  const std::size_t here = min(n - first, std::size_t{kCellTile});
  float* const mine = cells + first * kCellFields;
#pragma unroll
  for (unsigned k = 0; k < kCellsEach; ++k) {
    const unsigned cell = k * kThreads + threadIdx.x;
    if (cell >= here) continue;
#pragma unroll
    for (unsigned field = 0; field < kCellFields; ++field) {
      tile[cell * kCellFields + field] = fields[field * n + first + cell];
    }
  }
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < kCellsEach * kCellFields; ++k) {
    const unsigned word = k * kThreads + threadIdx.x;
    if (word < here * kCellFields) mine[word] = tile[word];
  }
}

__device__ std::size_t GlobalThread() { return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; }

__global__ void GatherKernel(const std::uint32_t* values, std::size_t n,
                             const std::uint32_t* sources, std::size_t m, std::uint32_t* out) {
  const std::size_t i = GlobalThread();
  if (i >= m) return;
  const std::uint32_t source = sources[i];
  out[i] = source < n ? values[source] : 0;
}

// winners[t] becomes 1 + the largest i with targets[i] = t; it must be 0 before.
__global__ void ClaimKernel(const std::uint32_t* targets, std::size_t n, std::uint32_t* winners,
                            std::size_t m) {
  const std::size_t i = GlobalThread();
  if (i < n && targets[i] < m) atomicMax(&winners[targets[i]], static_cast<unsigned>(i) + 1);
}

__global__ void TakeKernel(const std::uint32_t* values, const std::uint32_t* winners, std::size_t m,
                           std::uint32_t* out) {
  const std::size_t t = GlobalThread();
  if (t < m && winners[t] > 0) out[t] = values[winners[t] - 1];
}

constexpr unsigned kEdge = 32;      // of a tile of a matrix
constexpr unsigned kEdgeRows = 8;   // how many of its rows a block moves at a time
constexpr unsigned kTilesEach = 2;  // for a block, one below the other

struct Padded {
  static constexpr unsigned kPitch = kEdge + 1;
  __device__ static unsigned At(unsigned row, unsigned column) { return row * kPitch + column; }
};

// Each row is rotated by its number.
struct Rotated {
  static constexpr unsigned kPitch = kEdge;
  __device__ static unsigned At(unsigned row, unsigned column) {
    return row * kPitch + (column + row) % kPitch;
  }
};

template <typename Tile>
__global__ void TransposeKernel(const float* in, float* out, std::size_t rows,
                                std::size_t columns) {
  __shared__ float tile[kEdge * Tile::kPitch];
  const std::size_t left = std::size_t{blockIdx.x} * kEdge;
  const unsigned x = threadIdx.x;
  for (unsigned part = 0; part < kTilesEach; ++part) {
    const std::size_t top = (std::size_t{blockIdx.y} * kTilesEach + part) * kEdge;
#pragma unroll
    for (unsigned k = 0; k < kEdge; k += kEdgeRows) {
      const unsigned y = threadIdx.y + k;
      if (top + y < rows && left + x < columns) {
        tile[Tile::At(y, x)] = in[(top + y) * columns + left + x];
      }
    }
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < kEdge; k += kEdgeRows) {
      const unsigned y = threadIdx.y + k;
      if (left + y < columns && top + x < rows) {
        out[(left + y) * rows + top + x] = tile[Tile::At(x, y)];
      }
    }
    __syncthreads();
  }
}

template <typename Tile>
void TransposeBy(DeviceSpan<const float> in, DeviceSpan<float> out, int rows, int columns,
                 cudaStream_t stream) {
  if (in.empty()) return;
  const dim3 grid(Blocks(columns, kEdge), Blocks(rows, kEdge * kTilesEach));
  TransposeKernel<Tile>
      <<<grid, dim3(kEdge, kEdgeRows), 0, stream>>>(in.data(), out.data(), rows, columns);
  CUDA_CHECK(cudaGetLastError());
}

// What a tile has published of a count: its own, or that of all tiles up to it. State and count are
// one word, so that nobody sees the one without the other; 0 is neither.
constexpr std::uint64_t kOwn = std::uint64_t{1} << 32;
constexpr std::uint64_t kUpTo = std::uint64_t{2} << 32;

// The tiles of a kernel are numbered in the order in which its blocks begin: a block waits only for
// those that have begun. To be called by all threads.
__device__ unsigned NextTile(unsigned* counter) {
  __shared__ unsigned tile;
  if (threadIdx.x == 0) tile = atomicAdd(counter, 1u);
  __syncthreads();
  return tile;
}

// Publishes `count` of a tile, adds up those of the tiles before, and publishes the sum of both.
// Returns what stands before. `published` is that of the tile; that of the one before is `stride`
// words lower. For one thread.
__device__ unsigned LookBack(volatile std::uint64_t* published, unsigned tile, std::size_t stride,
                             unsigned count) {
  if (tile > 0) *published = kOwn | count;
  unsigned before = 0;
  const volatile std::uint64_t* other = published;
  for (unsigned left = tile; left > 0; --left) {
    other -= stride;
    std::uint64_t word = *other;
    while (word < kOwn) word = *other;
    before += static_cast<unsigned>(word);
    if (word >= kUpTo) break;
  }
  *published = kUpTo | (before + count);
  return before;
}

constexpr unsigned kFlagsEach = 16;  // for a thread
constexpr unsigned kFlagTile = kThreads * kFlagsEach;

// A warp has kWarp kFlagsEach values in a row, a vote for each 32 of them.
__global__ void CompactKernel(const std::uint32_t* values, const std::uint8_t* flags, std::size_t n,
                              std::uint32_t* kept, std::uint32_t* count, std::uint64_t* published,
                              unsigned* counter) {
  __shared__ unsigned warp_counts[kWarps];
  __shared__ unsigned before_tile;
  const unsigned lane = threadIdx.x % kWarp;
  const unsigned warp = threadIdx.x / kWarp;
  const unsigned tile = NextTile(counter);
  const std::size_t first = std::size_t{tile} * kFlagTile + warp * kWarp * kFlagsEach + lane;
  unsigned votes[kFlagsEach];
  unsigned mine = 0;
#pragma unroll
  for (unsigned k = 0; k < kFlagsEach; ++k) {
    const std::size_t i = first + k * kWarp;
    votes[k] = __ballot_sync(kAllLanes, i < n && flags[i] != 0);
    mine += __popc(votes[k]);
  }
  if (lane == 0) warp_counts[warp] = mine;
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned all = 0;
    for (unsigned w = 0; w < kWarps; ++w) all += warp_counts[w];
    before_tile = LookBack(published + tile, tile, 1, all);
    if (tile == gridDim.x - 1) *count = before_tile + all;
  }
  __syncthreads();
  unsigned place = before_tile;
  for (unsigned w = 0; w < warp; ++w) place += warp_counts[w];
#pragma unroll
  for (unsigned k = 0; k < kFlagsEach; ++k) {
    if ((votes[k] >> lane & 1) != 0) {
      kept[place + __popc(votes[k] & ((1u << lane) - 1))] = values[first + k * kWarp];
    }
    place += __popc(votes[k]);
  }
}

constexpr unsigned kItemsEach = 16;  // for a thread
constexpr unsigned kItemTile = kThreads * kItemsEach;
constexpr unsigned kMostDigits = 256;

template <typename Word>
struct Items {
  Word* keys;
  Word* payloads;
};

// Adds the digits of kPasses passes to totals[pass kMostDigits + digit], which are 0 before.
template <unsigned kBits, unsigned kPasses>
__global__ void CountKernel(const std::uint32_t* keys, std::size_t n, unsigned shift,
                            unsigned* totals) {
  __shared__ unsigned counts[kPasses][1u << kBits];
  for (unsigned i = threadIdx.x; i < kPasses << kBits; i += kThreads) {
    counts[i >> kBits][i % (1u << kBits)] = 0;
  }
  __syncthreads();
  const std::size_t first = std::size_t{blockIdx.x} * kItemTile + threadIdx.x;
  for (unsigned k = 0; k < kItemsEach; ++k) {
    const std::size_t i = first + k * kThreads;
    if (i >= n) break;
    const std::uint32_t key = keys[i] >> shift;
    for (unsigned pass = 0; pass < kPasses; ++pass) {
      atomicAdd(&counts[pass][key >> pass * kBits & ((1u << kBits) - 1)], 1u);
    }
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < kPasses << kBits; i += kThreads) {
    const unsigned pass = i >> kBits;
    const unsigned digit = i % (1u << kBits);
    if (counts[pass][digit] > 0)
      atomicAdd(&totals[pass * kMostDigits + digit], counts[pass][digit]);
  }
}

// The sum of the numbers of the threads before. To be called by all threads.
__device__ unsigned SumBefore(unsigned mine) {
  __shared__ unsigned sums[kWarps];
  const unsigned lane = threadIdx.x % kWarp;
  const unsigned warp = threadIdx.x / kWarp;
  unsigned upto = mine;
  for (unsigned distance = 1; distance < kWarp; distance *= 2) {
    const unsigned other = __shfl_up_sync(kAllLanes, upto, distance);
    if (lane >= distance) upto += other;
  }
  if (lane == kWarp - 1) sums[warp] = upto;
  __syncthreads();
  unsigned before = upto - mine;
  for (unsigned w = 0; w < warp; ++w) before += sums[w];
  __syncthreads();
  return before;
}

// How many items of the warp with the caller's digit stand before the caller's; `counts`, the
// warp's, has a number for each digit, to which this warp's items are added.
__device__ unsigned RankInWarp(unsigned digit, unsigned* counts) {
  const unsigned lane = threadIdx.x % kWarp;
  const unsigned same = __match_any_sync(kAllLanes, digit);
  const unsigned before = counts[digit];
  __syncwarp();
  const unsigned lower = __popc(same & ((1u << lane) - 1));
  if (lower == 0) counts[digit] = before + __popc(same);
  __syncwarp();
  return before + lower;
}

// The calling lane's words of its warp, from `first` on; `missing` from the n-th word on.
__device__ void LoadItems(const std::uint32_t* from, std::size_t n, std::size_t first,
                          std::uint32_t missing, std::uint32_t (&items)[kItemsEach]) {
#pragma unroll
  for (unsigned k = 0; k < kItemsEach; ++k) {
    const std::size_t i = first + k * kWarp;
    items[k] = i < n ? from[i] : missing;
  }
}

// A pass: items go to where their digits belong. totals[digit] is how many items have the digit.
template <unsigned kBits>
__global__ void SweepKernel(Items<const std::uint32_t> from, std::size_t n, unsigned shift,
                            const unsigned* totals, std::uint64_t* published, unsigned* counter,
                            Items<std::uint32_t> to) {
  constexpr unsigned kDigits = 1u << kBits;
  static_assert(kDigits <= kThreads);
  __shared__ unsigned counts[kWarps][kDigits];
  __shared__ unsigned to_global[kDigits];  // from a place in the sorted tile to one in the result
  __shared__ std::uint32_t sorted[kItemTile];
  const unsigned t = threadIdx.x;
  const unsigned warp = t / kWarp;
  for (unsigned i = t; i < kWarps * kDigits; i += kThreads) counts[i / kDigits][i % kDigits] = 0;
  const unsigned tile = NextTile(counter);
  const std::size_t first = std::size_t{tile} * kItemTile;
  const std::size_t mine = first + warp * kWarp * kItemsEach + t % kWarp;
  std::uint32_t keys[kItemsEach];
  unsigned places[kItemsEach];
  LoadItems(from.keys, n, mine, 0xffffffffu, keys);  // the last ones of the largest digit
#pragma unroll
  for (unsigned k = 0; k < kItemsEach; ++k) {
    places[k] = RankInWarp(keys[k] >> shift & (kDigits - 1), counts[warp]);
  }
  __syncthreads();
  unsigned in_tile = 0;  // of digit t
  if (t < kDigits) {
    for (unsigned w = 0; w < kWarps; ++w) {
      const unsigned of_warp = counts[w][t];
      counts[w][t] = in_tile;
      in_tile += of_warp;
    }
  }
  const unsigned begin = SumBefore(in_tile);
  const unsigned global_begin = SumBefore(t < kDigits ? totals[t] : 0);
  if (t < kDigits) {
    for (unsigned w = 0; w < kWarps; ++w) counts[w][t] += begin;
    const unsigned before =
        LookBack(published + std::size_t{tile} * kDigits + t, tile, kDigits, in_tile);
    to_global[t] = global_begin + before - begin;
  }
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < kItemsEach; ++k) {
    places[k] += counts[warp][keys[k] >> shift & (kDigits - 1)];
    sorted[places[k]] = keys[k];
  }
  __syncthreads();
  const std::size_t here = min(n - first, std::size_t{kItemTile});
  std::uint32_t payloads[kItemsEach];
  LoadItems(from.payloads, n, mine, 0, payloads);
#pragma unroll
  for (unsigned k = 0; k < kItemsEach; ++k) {
    const unsigned place = k * kThreads + t;
    keys[k] = sorted[place];
    if (place < here) to.keys[to_global[keys[k] >> shift & (kDigits - 1)] + place] = keys[k];
  }
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < kItemsEach; ++k) sorted[places[k]] = payloads[k];
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < kItemsEach; ++k) {
    const unsigned place = k * kThreads + t;
    if (place < here)
      to.payloads[to_global[keys[k] >> shift & (kDigits - 1)] + place] = sorted[place];
  }
}

// kPasses passes over digits of kBits bits, from bit `shift` on. The last one ends in `result`, the
// others alternate; with more than one pass `spare` has room for all items.
template <unsigned kBits, unsigned kPasses>
void Sweep(Items<const std::uint32_t> from, std::size_t n, unsigned shift,
           Items<std::uint32_t> spare, Items<std::uint32_t> result, std::uint32_t* memory,
           cudaStream_t stream) {
  static_assert(kPasses == 1 || kPasses % 2 == 0);
  if (n == 0) return;
  const unsigned tiles = Blocks(n, kItemTile);
  const std::size_t words = (std::size_t{tiles} << kBits) * kPasses;  // of 64 bits
  auto* const published = reinterpret_cast<std::uint64_t*>(memory);
  auto* const totals = reinterpret_cast<unsigned*>(published + words);
  unsigned* const counters = totals + kPasses * kMostDigits;
  const std::size_t bytes = words * 8 + kPasses * (kMostDigits + 1) * 4;
  CUDA_CHECK(cudaMemsetAsync(memory, 0, bytes, stream));
  CountKernel<kBits, kPasses><<<tiles, kThreads, 0, stream>>>(from.keys, n, shift, totals);
  CUDA_CHECK(cudaGetLastError());
  for (unsigned pass = 0; pass < kPasses; ++pass) {
    const Items<std::uint32_t> to = (kPasses - pass) % 2 == 1 ? result : spare;
    SweepKernel<kBits><<<tiles, kThreads, 0, stream>>>(
        from, n, shift + pass * kBits, totals + pass * kMostDigits,
        published + (std::size_t{tiles} << kBits) * pass, counters + pass, to);
    CUDA_CHECK(cudaGetLastError());
    from = {to.keys, to.payloads};
  }
}

}  // namespace

void StructsToArrays(DeviceSpan<const Cell> cells, DeviceSpan<float> fields, cudaStream_t stream) {
  const std::size_t n = cells.size();
  if (n == 0) return;
  StructsToArraysKernel<<<Blocks(n, kCellTile), kThreads, 0, stream>>>(
      reinterpret_cast<const float*>(cells.data()), n, fields.data());
  CUDA_CHECK(cudaGetLastError());
}

void ArraysToStructs(DeviceSpan<const float> fields, DeviceSpan<Cell> cells, cudaStream_t stream) {
  const std::size_t n = cells.size();
  if (n == 0) return;
  ArraysToStructsKernel<<<Blocks(n, kCellTile), kThreads, 0, stream>>>(
      fields.data(), n, reinterpret_cast<float*>(cells.data()));
  CUDA_CHECK(cudaGetLastError());
}

void Gather(DeviceSpan<const std::uint32_t> values, DeviceSpan<const std::uint32_t> sources,
            DeviceSpan<std::uint32_t> out, cudaStream_t stream) {
  const std::size_t m = out.size();
  if (m == 0) return;
  GatherKernel<<<Blocks(m, kThreads), kThreads, 0, stream>>>(values.data(), values.size(),
                                                             sources.data(), m, out.data());
  CUDA_CHECK(cudaGetLastError());
}

void Scatter(DeviceSpan<const std::uint32_t> values, DeviceSpan<const std::uint32_t> targets,
             DeviceSpan<std::uint32_t> out, DeviceSpan<std::uint32_t> workspace,
             cudaStream_t stream) {
  const std::size_t n = values.size();
  const std::size_t m = out.size();
  if (n == 0 || m == 0) return;
  std::uint32_t* const winners = workspace.data();
  CUDA_CHECK(cudaMemsetAsync(winners, 0, m * sizeof(std::uint32_t), stream));
  ClaimKernel<<<Blocks(n, kThreads), kThreads, 0, stream>>>(targets.data(), n, winners, m);
  CUDA_CHECK(cudaGetLastError());
  TakeKernel<<<Blocks(m, kThreads), kThreads, 0, stream>>>(values.data(), winners, m, out.data());
  CUDA_CHECK(cudaGetLastError());
}

void Transpose(DeviceSpan<const float> in, DeviceSpan<float> out, int rows, int columns,
               cudaStream_t stream) {
  TransposeBy<Padded>(in, out, rows, columns, stream);
}

void TransposeSwizzled(DeviceSpan<const float> in, DeviceSpan<float> out, int rows, int columns,
                       cudaStream_t stream) {
  TransposeBy<Rotated>(in, out, rows, columns, stream);
}

void Compact(DeviceSpan<const std::uint32_t> values, DeviceSpan<const std::uint8_t> flags,
             DeviceSpan<std::uint32_t> kept, DeviceSpan<std::uint32_t> count,
             DeviceSpan<std::uint32_t> workspace, cudaStream_t stream) {
  const std::size_t n = values.size();
  if (n == 0) {
    CUDA_CHECK(cudaMemsetAsync(count.data(), 0, sizeof(std::uint32_t), stream));
    return;
  }
  const unsigned tiles = Blocks(n, kFlagTile);
  auto* const published = reinterpret_cast<std::uint64_t*>(workspace.data());
  auto* const counter = reinterpret_cast<unsigned*>(published + tiles);
  CUDA_CHECK(cudaMemsetAsync(published, 0, (tiles + 1) * sizeof(std::uint64_t), stream));
  CompactKernel<<<tiles, kThreads, 0, stream>>>(values.data(), flags.data(), n, kept.data(),
                                                count.data(), published, counter);
  CUDA_CHECK(cudaGetLastError());
}

void SplitByBit(DeviceSpan<const std::uint32_t> keys, DeviceSpan<const std::uint32_t> payloads,
                int bit, DeviceSpan<std::uint32_t> split_keys,
                DeviceSpan<std::uint32_t> split_payloads, DeviceSpan<std::uint32_t> workspace,
                cudaStream_t stream) {
  Sweep<1, 1>({keys.data(), payloads.data()}, keys.size(), bit, {},
              {split_keys.data(), split_payloads.data()}, workspace.data(), stream);
}

void RadixSort(DeviceSpan<const std::uint32_t> keys, DeviceSpan<const std::uint32_t> payloads,
               DeviceSpan<std::uint32_t> sorted_keys, DeviceSpan<std::uint32_t> sorted_payloads,
               DeviceSpan<std::uint32_t> workspace, cudaStream_t stream) {
  const std::size_t even = (keys.size() + 1) / 2 * 2;  // words of 64 bits follow
  Sweep<8, 4>({keys.data(), payloads.data()}, keys.size(), 0,
              {workspace.data(), workspace.data() + even},
              {sorted_keys.data(), sorted_payloads.data()}, workspace.data() + 2 * even, stream);
}
