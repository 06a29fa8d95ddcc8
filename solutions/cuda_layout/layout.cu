// The reference: structs and matrices go through tiles in shared memory; colliding values of a
// scatter claim their target by atomicMax; ranks come from votes of warps; and a pass of the radix
// sort counts the digits of each tile, scans the counts, and splits each tile by its digit's bits
// before it stores it, so that stores are coalesced. Results of an expansion look for their values.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "common/cuda/check.h"
#include "labs/cuda_layout/layout.h"

namespace {

constexpr unsigned kAllLanes = 0xffffffffu;
constexpr unsigned kWarp = 32;
constexpr unsigned kThreads = 256;

unsigned Blocks(std::size_t n, std::size_t each) {
  return static_cast<unsigned>((n + each - 1) / each);
}

// A block moves kThreads cells.
__global__ void StructsToArraysKernel(const float* cells, std::size_t n, float* fields) {
  __shared__ float tile[kThreads * kCellFields];
  const std::size_t first = std::size_t{blockIdx.x} * kThreads;
  const std::size_t here = min(n - first, std::size_t{kThreads});
  for (unsigned word = threadIdx.x; word < here * kCellFields; word += kThreads) {
    tile[word] = cells[first * kCellFields + word];
  }
  __syncthreads();
  if (threadIdx.x >= here) return;
  for (unsigned field = 0; field < kCellFields; ++field) {
    fields[field * n + first + threadIdx.x] = tile[threadIdx.x * kCellFields + field];
  }
}

__global__ void ArraysToStructsKernel(const float* fields, std::size_t n, float* cells) {
  __shared__ float tile[kThreads * kCellFields];
  const std::size_t first = std::size_t{blockIdx.x} * kThreads;
  const std::size_t here = min(n - first, std::size_t{kThreads});
  if (threadIdx.x < here) {
    for (unsigned field = 0; field < kCellFields; ++field) {
      tile[threadIdx.x * kCellFields + field] = fields[field * n + first + threadIdx.x];
    }
  }
  __syncthreads();
  for (unsigned word = threadIdx.x; word < here * kCellFields; word += kThreads) {
    cells[first * kCellFields + word] = tile[word];
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

constexpr unsigned kEdge = 32;     // of a tile of a matrix
constexpr unsigned kEdgeRows = 8;  // how many of its rows a block moves at a time

struct Padded {
  static constexpr unsigned kPitch = kEdge + 1;
  __device__ static unsigned At(unsigned row, unsigned column) { return row * kPitch + column; }
};

struct Swizzled {
  static constexpr unsigned kPitch = kEdge;
  __device__ static unsigned At(unsigned row, unsigned column) {
    return row * kPitch + (column ^ row);
  }
};

// Blocks of kEdge x kEdgeRows threads, one for each tile.
template <typename Tile>
__global__ void TransposeKernel(const float* in, float* out, std::size_t rows,
                                std::size_t columns) {
  __shared__ float tile[kEdge * Tile::kPitch];
  const std::size_t top = std::size_t{blockIdx.y} * kEdge;
  const std::size_t left = std::size_t{blockIdx.x} * kEdge;
  const unsigned x = threadIdx.x;
  for (unsigned y = threadIdx.y; y < kEdge; y += kEdgeRows) {
    if (top + y >= rows || left + x >= columns) continue;
    tile[Tile::At(y, x)] = in[(top + y) * columns + left + x];
  }
  __syncthreads();
  for (unsigned y = threadIdx.y; y < kEdge; y += kEdgeRows) {
    if (left + y >= columns || top + x >= rows) continue;
    out[(left + y) * rows + top + x] = tile[Tile::At(x, y)];
  }
}

template <typename Tile>
void TransposeBy(DeviceSpan<const float> in, DeviceSpan<float> out, int rows, int columns,
                 cudaStream_t stream) {
  if (in.empty()) return;
  const dim3 grid(Blocks(columns, kEdge), Blocks(rows, kEdge));
  const dim3 block(kEdge, kEdgeRows);
  TransposeKernel<Tile><<<grid, block, 0, stream>>>(in.data(), out.data(), rows, columns);
  CUDA_CHECK(cudaGetLastError());
}

// What follows has tiles of kTile items in rows: a thread of a block has one item of each row.
constexpr unsigned kTile = kWarp * kWarp;

// How many flags of a block are set: those before each of the caller's, and all.
template <unsigned kRows>
struct Ranks {
  unsigned before[kRows];
  unsigned all;
};

// To be called by all kTile / kRows threads of a block. Between two calls there must be a barrier.
// A vote is that of a warp on its part of a row: there are as many as a warp has lanes.
template <unsigned kRows>
__device__ Ranks<kRows> RanksOf(const bool (&flags)[kRows]) {
  __shared__ unsigned counts[kWarp];
  const unsigned lane = threadIdx.x % kWarp;
  const unsigned warp = threadIdx.x / kWarp;
  const auto vote_of = [warp](unsigned row) { return row * (kWarp / kRows) + warp; };
  unsigned votes[kRows];
  for (unsigned row = 0; row < kRows; ++row) {
    votes[row] = __ballot_sync(kAllLanes, flags[row]);
    if (lane == 0) counts[vote_of(row)] = __popc(votes[row]);
  }
  __syncthreads();
  const unsigned count = counts[lane];
  Ranks<kRows> ranks;
  for (unsigned row = 0; row < kRows; ++row) {
    ranks.before[row] = __reduce_add_sync(kAllLanes, lane < vote_of(row) ? count : 0) +
                        __popc(votes[row] & ((1u << lane) - 1));
  }
  ranks.all = __reduce_add_sync(kAllLanes, count);
  return ranks;
}

// One block makes of each number the sum of those before it, and returns the sum of all to `total`
// unless that is null.
__global__ void ScanKernel(std::uint32_t* counts, std::size_t n, std::uint32_t* total) {
  __shared__ unsigned sums[kWarp];
  const unsigned lane = threadIdx.x % kWarp;
  const unsigned warp = threadIdx.x / kWarp;
  unsigned carry = 0;
  for (std::size_t first = 0; first < n; first += kTile) {
    const std::size_t i = first + threadIdx.x;
    const unsigned mine = i < n ? counts[i] : 0;
    unsigned upto = mine;
    for (unsigned distance = 1; distance < kWarp; distance *= 2) {
      const unsigned other = __shfl_up_sync(kAllLanes, upto, distance);
      if (lane >= distance) upto += other;
    }
    if (lane == kWarp - 1) sums[warp] = upto;
    __syncthreads();
    const unsigned before = __reduce_add_sync(kAllLanes, lane < warp ? sums[lane] : 0);
    if (i < n) counts[i] = carry + before + upto - mine;
    carry += __reduce_add_sync(kAllLanes, sums[lane]);
    __syncthreads();
  }
  if (total != nullptr && threadIdx.x == 0) *total = carry;
}

void Scan(std::uint32_t* counts, std::size_t n, std::uint32_t* total, cudaStream_t stream) {
  ScanKernel<<<1, kTile, 0, stream>>>(counts, n, total);
  CUDA_CHECK(cudaGetLastError());
}

__global__ void CountFlagsKernel(const std::uint8_t* flags, std::size_t n, std::uint32_t* counts) {
  const std::size_t i = GlobalThread();
  const int count = __syncthreads_count(i < n && flags[i] != 0);
  if (threadIdx.x == 0) counts[blockIdx.x] = count;
}

__global__ void CompactKernel(const std::uint32_t* values, const std::uint8_t* flags, std::size_t n,
                              const std::uint32_t* starts, std::uint32_t* kept) {
  const std::size_t i = GlobalThread();
  const bool keep = i < n && flags[i] != 0;
  const Ranks<1> ranks = RanksOf<1>({keep});
  if (keep) kept[starts[blockIdx.x] + ranks.before[0]] = values[i];
}

__global__ void ShiftKernel(const std::uint32_t* values, std::size_t n, std::ptrdiff_t distance,
                            std::uint32_t fill, std::uint32_t* out) {
  const std::size_t i = GlobalThread();
  if (i >= n) return;
  const std::ptrdiff_t source = static_cast<std::ptrdiff_t>(i) - distance;
  const bool exists = source >= 0 && source < static_cast<std::ptrdiff_t>(n);
  out[i] = exists ? values[source] : fill;
}

__global__ void UnsplitKernel(const std::uint32_t* split, const std::uint8_t* flags, std::size_t n,
                              const std::uint32_t* starts, const std::uint32_t* ones,
                              std::uint32_t* out) {
  const std::size_t i = GlobalThread();
  const bool is_one = i < n && flags[i] != 0;
  const std::size_t ones_before = starts[blockIdx.x] + RanksOf<1>({is_one}).before[0];
  if (i < n) out[i] = split[is_one ? n - *ones + ones_before : i - ones_before];
}

// starts[i] becomes the sum of the counts before i in its tile, and sums[tile] that of the tile.
// `starts` may be `counts`.
__global__ void ScanTilesKernel(const std::uint32_t* counts, std::size_t n, std::uint32_t* starts,
                                std::uint32_t* sums) {
  __shared__ unsigned warp_sums[kWarp];
  const unsigned lane = threadIdx.x % kWarp;
  const unsigned warp = threadIdx.x / kWarp;
  const std::size_t i = GlobalThread();
  const unsigned copies = i < n ? counts[i] : 0;
  unsigned upto = copies;
  for (unsigned distance = 1; distance < kWarp; distance *= 2) {
    const unsigned other = __shfl_up_sync(kAllLanes, upto, distance);
    if (lane >= distance) upto += other;
  }
  if (lane == kWarp - 1) warp_sums[warp] = upto;
  __syncthreads();
  const unsigned before = __reduce_add_sync(kAllLanes, lane < warp ? warp_sums[lane] : 0);
  if (i < n) starts[i] = before + upto - copies;
  if (threadIdx.x == kTile - 1) sums[blockIdx.x] = before + upto;
}

// A thread for each result looks for its value: the last one that starts no later, first among the
// tiles and then within one.
__global__ void ExpandKernel(const std::uint32_t* values, std::size_t n,
                             const std::uint32_t* starts, const std::uint32_t* tile_starts,
                             std::uint32_t* out, std::size_t m) {
  const std::size_t k = GlobalThread();
  if (k >= m) return;
  const auto last_up_to = [](const std::uint32_t* sorted, std::size_t first, std::size_t end,
                             std::size_t most) {
    while (end - first > 1) {
      const std::size_t middle = first + (end - first) / 2;
      (sorted[middle] <= most ? first : end) = middle;
    }
    return first;
  };
  const std::size_t tile = last_up_to(tile_starts, 0, (n + kTile - 1) / kTile, k);
  const std::size_t end = min((tile + 1) * kTile, n);
  out[k] = values[last_up_to(starts, tile * kTile, end, k - tile_starts[tile])];
}

// Keys and payloads, of a call or in its workspace.
template <typename Word>
struct Items {
  Word* keys;
  Word* payloads;
};

// Counts the digits of kBits bits from `shift` on: counts[digit tiles + tile].
template <unsigned kBits>
__global__ void CountDigitsKernel(const std::uint32_t* keys, std::size_t n, unsigned shift,
                                  std::uint32_t* counts) {
  constexpr unsigned kDigits = 1u << kBits;
  __shared__ unsigned tile_counts[kDigits];
  if (threadIdx.x < kDigits) tile_counts[threadIdx.x] = 0;
  __syncthreads();
  const std::size_t first = std::size_t{blockIdx.x} * kTile;
  for (unsigned place = threadIdx.x; place < kTile; place += kThreads) {
    if (first + place >= n) break;
    atomicAdd(&tile_counts[keys[first + place] >> shift & (kDigits - 1)], 1u);
  }
  __syncthreads();
  if (threadIdx.x >= kDigits) return;
  counts[threadIdx.x * gridDim.x + blockIdx.x] = tile_counts[threadIdx.x];
}

// A tile in shared memory, of which a thread has some items in registers.
struct SortTile {
  static constexpr unsigned kRows = kTile / kThreads;
  std::uint32_t keys[kTile];
  std::uint32_t payloads[kTile];
};

// Splits a tile by a bit of its keys: thread t has the items t, t + kThreads, ... before and after.
__device__ void SplitTile(unsigned bit, SortTile& tile, std::uint32_t (&keys)[SortTile::kRows],
                          std::uint32_t (&payloads)[SortTile::kRows]) {
  bool ones[SortTile::kRows];
  for (unsigned row = 0; row < SortTile::kRows; ++row) ones[row] = (keys[row] >> bit & 1) != 0;
  const auto ranks = RanksOf<SortTile::kRows>(ones);
  for (unsigned row = 0; row < SortTile::kRows; ++row) {
    const unsigned before = ranks.before[row];
    const unsigned zeros_before = row * kThreads + threadIdx.x - before;
    const unsigned place = ones[row] ? kTile - ranks.all + before : zeros_before;
    tile.keys[place] = keys[row];
    tile.payloads[place] = payloads[row];
  }
  __syncthreads();
  for (unsigned row = 0; row < SortTile::kRows; ++row) {
    keys[row] = tile.keys[row * kThreads + threadIdx.x];
    payloads[row] = tile.payloads[row * kThreads + threadIdx.x];
  }
}

// Moves the items to where their digits belong. Count digit tiles + tile is where the first item of
// the tile with this digit goes to: starts[count] counts from where the count's tile starts.
template <unsigned kBits>
__global__ void MoveKernel(Items<const std::uint32_t> from, std::size_t n, unsigned shift,
                           const std::uint32_t* starts, const std::uint32_t* tile_starts,
                           Items<std::uint32_t> to) {
  constexpr unsigned kDigits = 1u << kBits;
  constexpr unsigned kRows = SortTile::kRows;
  __shared__ SortTile tile;
  __shared__ unsigned firsts[kDigits];  // the place in the sorted tile at which a digit begins
  const std::size_t first = std::size_t{blockIdx.x} * kTile;
  // Behind the last item are keys of the largest digit, which stay there.
  std::uint32_t keys[kRows];
  std::uint32_t payloads[kRows];
  for (unsigned row = 0; row < kRows; ++row) {
    const std::size_t i = first + row * kThreads + threadIdx.x;
    keys[row] = i < n ? from.keys[i] : 0xffffffffu;
    payloads[row] = i < n ? from.payloads[i] : 0;
  }
  for (unsigned bit = shift; bit < shift + kBits; ++bit) SplitTile(bit, tile, keys, payloads);

  const auto digit_of = [shift](std::uint32_t key) { return key >> shift & (kDigits - 1); };
  for (unsigned row = 0; row < kRows; ++row) {
    const unsigned t = row * kThreads + threadIdx.x;
    const unsigned digit = digit_of(keys[row]);
    if (t == 0 || digit != digit_of(tile.keys[t - 1])) firsts[digit] = t;
  }
  __syncthreads();
  for (unsigned row = 0; row < kRows; ++row) {
    const unsigned t = row * kThreads + threadIdx.x;
    if (first + t >= n) return;
    const unsigned digit = digit_of(keys[row]);
    const unsigned count = digit * gridDim.x + blockIdx.x;
    const std::size_t place = starts[count] + tile_starts[count / kTile] + t - firsts[digit];
    to.keys[place] = keys[row];
    to.payloads[place] = payloads[row];
  }
}

// One pass of a radix sort. `counts` has room for a number for each digit of each tile, and for one
// for each kTile of these.
template <unsigned kBits>
void Pass(Items<const std::uint32_t> from, std::size_t n, unsigned shift, std::uint32_t* counts,
          Items<std::uint32_t> to, cudaStream_t stream) {
  const unsigned tiles = Blocks(n, kTile);
  const unsigned all = tiles << kBits;
  std::uint32_t* const tile_starts = counts + all;
  CountDigitsKernel<kBits><<<tiles, kThreads, 0, stream>>>(from.keys, n, shift, counts);
  CUDA_CHECK(cudaGetLastError());
  ScanTilesKernel<<<Blocks(all, kTile), kTile, 0, stream>>>(counts, all, counts, tile_starts);
  CUDA_CHECK(cudaGetLastError());
  Scan(tile_starts, Blocks(all, kTile), nullptr, stream);
  MoveKernel<kBits><<<tiles, kThreads, 0, stream>>>(from, n, shift, counts, tile_starts, to);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void StructsToArrays(DeviceSpan<const Cell> cells, DeviceSpan<float> fields, cudaStream_t stream) {
  const std::size_t n = cells.size();
  if (n == 0) return;
  StructsToArraysKernel<<<Blocks(n, kThreads), kThreads, 0, stream>>>(
      reinterpret_cast<const float*>(cells.data()), n, fields.data());
  CUDA_CHECK(cudaGetLastError());
}

void ArraysToStructs(DeviceSpan<const float> fields, DeviceSpan<Cell> cells, cudaStream_t stream) {
  const std::size_t n = cells.size();
  if (n == 0) return;
  ArraysToStructsKernel<<<Blocks(n, kThreads), kThreads, 0, stream>>>(
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
  TransposeBy<Swizzled>(in, out, rows, columns, stream);
}

void Compact(DeviceSpan<const std::uint32_t> values, DeviceSpan<const std::uint8_t> flags,
             DeviceSpan<std::uint32_t> kept, DeviceSpan<std::uint32_t> count,
             DeviceSpan<std::uint32_t> workspace, cudaStream_t stream) {
  const std::size_t n = values.size();
  const unsigned tiles = Blocks(n, kTile);
  std::uint32_t* const counts = workspace.data();
  if (n > 0) {
    CountFlagsKernel<<<tiles, kTile, 0, stream>>>(flags.data(), n, counts);
    CUDA_CHECK(cudaGetLastError());
  }
  Scan(counts, tiles, count.data(), stream);
  if (n == 0) return;
  CompactKernel<<<tiles, kTile, 0, stream>>>(values.data(), flags.data(), n, counts, kept.data());
  CUDA_CHECK(cudaGetLastError());
}

void SplitByBit(DeviceSpan<const std::uint32_t> keys, DeviceSpan<const std::uint32_t> payloads,
                int bit, DeviceSpan<std::uint32_t> split_keys,
                DeviceSpan<std::uint32_t> split_payloads, DeviceSpan<std::uint32_t> workspace,
                cudaStream_t stream) {
  if (keys.empty()) return;
  Pass<1>({keys.data(), payloads.data()}, keys.size(), bit, workspace.data(),
          {split_keys.data(), split_payloads.data()}, stream);
}

void RadixSort(DeviceSpan<const std::uint32_t> keys, DeviceSpan<const std::uint32_t> payloads,
               DeviceSpan<std::uint32_t> sorted_keys, DeviceSpan<std::uint32_t> sorted_payloads,
               DeviceSpan<std::uint32_t> workspace, cudaStream_t stream) {
  constexpr unsigned kBits = 4;
  const std::size_t n = keys.size();
  if (n == 0) return;
  const Items<std::uint32_t> sorted{sorted_keys.data(), sorted_payloads.data()};
  const Items<std::uint32_t> spare{workspace.data(), workspace.data() + n};
  std::uint32_t* const counts = workspace.data() + 2 * n;
  Items<const std::uint32_t> from{keys.data(), payloads.data()};
  // An even number of passes, of which the last one must end in the result.
  for (unsigned shift = 0; shift < 32; shift += kBits) {
    const Items<std::uint32_t> to = shift % (2 * kBits) == 0 ? spare : sorted;
    Pass<kBits>(from, n, shift, counts, to, stream);
    from = {to.keys, to.payloads};
  }
}

void Shift(DeviceSpan<const std::uint32_t> values, int distance, std::uint32_t fill,
           DeviceSpan<std::uint32_t> out, cudaStream_t stream) {
  const std::size_t n = values.size();
  if (n == 0) return;
  ShiftKernel<<<Blocks(n, kThreads), kThreads, 0, stream>>>(values.data(), n, distance, fill,
                                                            out.data());
  CUDA_CHECK(cudaGetLastError());
}

void Expand(DeviceSpan<const std::uint32_t> values, DeviceSpan<const std::uint32_t> counts,
            DeviceSpan<std::uint32_t> out, DeviceSpan<std::uint32_t> workspace,
            cudaStream_t stream) {
  const std::size_t n = values.size();
  if (out.empty()) return;
  const unsigned tiles = Blocks(n, kTile);
  std::uint32_t* const starts = workspace.data();
  std::uint32_t* const tile_starts = starts + n;
  ScanTilesKernel<<<tiles, kTile, 0, stream>>>(counts.data(), n, starts, tile_starts);
  CUDA_CHECK(cudaGetLastError());
  Scan(tile_starts, tiles, nullptr, stream);
  ExpandKernel<<<Blocks(out.size(), kThreads), kThreads, 0, stream>>>(
      values.data(), n, starts, tile_starts, out.data(), out.size());
  CUDA_CHECK(cudaGetLastError());
}

void Unsplit(DeviceSpan<const std::uint32_t> split, DeviceSpan<const std::uint8_t> flags,
             DeviceSpan<std::uint32_t> out, DeviceSpan<std::uint32_t> workspace,
             cudaStream_t stream) {
  const std::size_t n = split.size();
  if (n == 0) return;
  const unsigned tiles = Blocks(n, kTile);
  std::uint32_t* const counts = workspace.data();
  std::uint32_t* const ones = counts + tiles;
  CountFlagsKernel<<<tiles, kTile, 0, stream>>>(flags.data(), n, counts);
  CUDA_CHECK(cudaGetLastError());
  Scan(counts, tiles, ones, stream);
  UnsplitKernel<<<tiles, kTile, 0, stream>>>(split.data(), flags.data(), n, counts, ones,
                                             out.data());
  CUDA_CHECK(cudaGetLastError());
}
