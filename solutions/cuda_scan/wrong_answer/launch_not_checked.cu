// Wrong: nobody asks whether the launch of the last phase failed; the sums of the tiles before are
// missing then.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "common/cuda/check.h"
#include "labs/cuda_scan/scan.h"

namespace {

constexpr unsigned kAllLanes = 0xffffffffu;
constexpr unsigned kWarp = 32;
constexpr unsigned kThreads = 256;
constexpr unsigned kWarps = kThreads / kWarp;
constexpr unsigned kPerThread = 4;
constexpr std::size_t kBlockTile = kThreads * kPerThread;

// One block of kTile threads. A step reads one buffer and writes the other.
__global__ void KoggeStoneKernel(const std::uint32_t* values, unsigned n, std::uint32_t* sums) {
  __shared__ std::uint32_t buffers[2][kTile];
  const unsigned t = threadIdx.x;
  std::uint32_t sum = t < n ? values[t] : 0;
  buffers[0][t] = sum;
  unsigned from = 0;
  for (unsigned distance = 1; distance < kTile; distance *= 2) {
    __syncthreads();
    if (t >= distance) sum += buffers[from][t - distance];
    from = 1 - from;
    buffers[from][t] = sum;
  }
  if (t < n) sums[t] = sum;
}

// Leaves gaps in shared memory, so that words which are a power of two apart lie in different
// banks.
__host__ __device__ constexpr unsigned Padded(unsigned i) { return i + i / 32 + i / 1024; }

// One block of kWideTile / 2 threads.
__global__ void BlellochKernel(const std::uint32_t* counts, unsigned n, std::uint32_t* starts) {
  constexpr unsigned kHalf = kWideTile / 2;
  __shared__ std::uint32_t sums[Padded(kWideTile)];
  const unsigned t = threadIdx.x;
  sums[Padded(t)] = t < n ? counts[t] : 0;
  sums[Padded(t + kHalf)] = t + kHalf < n ? counts[t + kHalf] : 0;
  for (unsigned width = 1; width <= kHalf; width *= 2) {
    __syncthreads();
    if (t >= kHalf / width) continue;
    const unsigned right = 2 * width * (t + 1) - 1;
    sums[Padded(right)] += sums[Padded(right - width)];
  }
  if (t == 0) sums[Padded(kWideTile - 1)] = 0;
  for (unsigned width = kHalf; width > 0; width /= 2) {
    __syncthreads();
    if (t >= kHalf / width) continue;
    const unsigned right = 2 * width * (t + 1) - 1;
    const std::uint32_t left_sum = sums[Padded(right - width)];
    const std::uint32_t before = sums[Padded(right)];
    sums[Padded(right - width)] = before;
    sums[Padded(right)] = before + left_sum;
  }
  __syncthreads();
  if (t < n) starts[t] = sums[Padded(t)];
  if (t + kHalf < n) starts[t + kHalf] = sums[Padded(t + kHalf)];
}

// A piece of a segmented scan: its sum since the last flag, and above it whether there is a flag.
using Piece = std::uint64_t;
constexpr Piece kFlag = Piece{1} << 32;

__device__ Piece Join(Piece left, Piece right) {
  if ((right & kFlag) != 0) return right;
  return (left & kFlag) | static_cast<std::uint32_t>(left + right);
}

__device__ std::uint32_t Join(std::uint32_t left, std::uint32_t right) { return left + right; }

// What the lanes up to the caller's have.
template <typename T>
__device__ T WarpScan(T mine) {
  const unsigned lane = threadIdx.x % kWarp;
  for (unsigned distance = 1; distance < kWarp; distance *= 2) {
    const T other = __shfl_up_sync(kAllLanes, mine, distance);
    if (lane >= distance) mine = Join(other, mine);
  }
  return mine;
}

// What stands before the calling thread's share in the block, and what the whole block has.
template <typename T>
struct Place {
  T before;
  T all;
};

template <typename T>
__device__ Place<T> BlockScan(T mine) {
  __shared__ T warps[kWarps];
  const unsigned warp = threadIdx.x / kWarp;
  const unsigned lane = threadIdx.x % kWarp;
  const T upto = WarpScan(mine);
  const T below = __shfl_up_sync(kAllLanes, upto, 1);
  if (lane == kWarp - 1) warps[warp] = upto;
  __syncthreads();
  Place<T> place{};
  for (unsigned w = 0; w < kWarps; ++w) {
    if (w == warp) place.before = place.all;
    place.all = Join(place.all, warps[w]);
  }
  if (lane > 0) place.before = Join(place.before, below);
  return place;
}

struct Four {
  std::uint32_t value[kPerThread];
};

__device__ std::size_t FirstOfThread(std::size_t tile) {
  return tile * kBlockTile + threadIdx.x * kPerThread;
}

// The values from i on, 0 behind the last one. i is a multiple of 4.
__device__ Four Load(const std::uint32_t* values, std::size_t n, std::size_t i) {
  if (i + kPerThread <= n) {
    const uint4 vector = *reinterpret_cast<const uint4*>(values + i);
    return {{vector.x, vector.y, vector.z, vector.w}};
  }
  Four few{};
  for (unsigned k = 0; i + k < n; ++k) few.value[k] = values[i + k];
  return few;
}

__device__ void Store(const Four& four, std::uint32_t* sums, std::size_t n, std::size_t i) {
  if (i + kPerThread <= n) {
    const uint4 vector{four.value[0], four.value[1], four.value[2], four.value[3]};
    *reinterpret_cast<uint4*>(sums + i) = vector;
    return;
  }
  for (unsigned k = 0; i + k < n; ++k) sums[i + k] = four.value[k];
}

// Phase 1: each block scans its tile, and tells its sum.
__global__ void ScanTilesKernel(const std::uint32_t* counts, std::size_t n, std::uint32_t* starts,
                                std::uint32_t* totals) {
  const std::size_t i = FirstOfThread(blockIdx.x);
  Four four = Load(counts, n, i);
  const std::uint32_t mine = four.value[0] + four.value[1] + four.value[2] + four.value[3];
  const Place<std::uint32_t> place = BlockScan(mine);
  std::uint32_t before = place.before;
  for (std::uint32_t& value : four.value) {
    const std::uint32_t count = value;
    value = before;
    before += count;
  }
  Store(four, starts, n, i);
  if (threadIdx.x == 0) totals[blockIdx.x] = place.all;
}

// Phase 2: one block scans the tiles' sums exclusively, in place.
template <typename T>
__global__ void ScanTotalsKernel(T* totals, std::size_t count) {
  T carry = 0;
  for (std::size_t first = 0; first < count; first += kThreads) {
    const std::size_t i = first + threadIdx.x;
    const Place<T> place = BlockScan(i < count ? totals[i] : 0);
    if (i < count) totals[i] = Join(carry, place.before);
    carry = Join(carry, place.all);
    __syncthreads();
  }
}

// Phase 3: each tile gets what stands before it.
__global__ void AddKernel(std::uint32_t* starts, std::size_t n, const std::uint32_t* before) {
  const std::size_t i = FirstOfThread(blockIdx.x);
  Four four = Load(starts, n, i);
  for (std::uint32_t& value : four.value) value += before[blockIdx.x];
  Store(four, starts, n, i);
}

// Bit k is whether the flag of value i + k is set.
__device__ unsigned LoadFlags(const std::uint8_t* flags, std::size_t n, std::size_t i) {
  if (i + kPerThread <= n) {
    const uchar4 four = *reinterpret_cast<const uchar4*>(flags + i);
    return (four.x != 0 ? 1 : 0) | (four.y != 0 ? 2 : 0) | (four.z != 0 ? 4 : 0) |
           (four.w != 0 ? 8 : 0);
  }
  unsigned bits = 0;
  for (unsigned k = 0; i + k < n; ++k) bits |= flags[i + k] != 0 ? 1u << k : 0;
  return bits;
}

// Phase 1 of the segmented scan. heads[b] is how many values of tile b stand before its first flag.
__global__ void ScanSegmentsKernel(const std::uint32_t* values, const std::uint8_t* flags,
                                   std::size_t n, std::uint32_t* sums, Piece* totals,
                                   unsigned* heads) {
  const std::size_t i = FirstOfThread(blockIdx.x);
  Four four = Load(values, n, i);
  const unsigned bits = LoadFlags(flags, n, i);
  const unsigned head = bits == 0 ? kPerThread : __ffs(bits) - 1;
  Piece piece = 0;
  for (unsigned k = 0; k < kPerThread; ++k) {
    const Piece flag = (bits >> k & 1) != 0 ? kFlag : 0;
    piece = Join(piece, flag | four.value[k]);
    four.value[k] = static_cast<std::uint32_t>(piece);
  }
  const Place<Piece> place = BlockScan(piece);
  for (unsigned k = 0; k < head; ++k) four.value[k] += static_cast<std::uint32_t>(place.before);
  Store(four, sums, n, i);
  const bool has_first_flag = (place.before & kFlag) == 0 && bits != 0;
  if (has_first_flag) heads[blockIdx.x] = threadIdx.x * kPerThread + head;
  if (threadIdx.x > 0) return;
  totals[blockIdx.x] = place.all;
  if ((place.all & kFlag) == 0) heads[blockIdx.x] = kBlockTile;
}

// Phase 3: what stands before a tile goes to its values before the first flag.
__global__ void AddToHeadsKernel(std::uint32_t* sums, std::size_t n, const Piece* before,
                                 const unsigned* heads) {
  const std::size_t end = min(blockIdx.x * kBlockTile + heads[blockIdx.x], n);
  const std::size_t i = FirstOfThread(blockIdx.x);
  Four four = Load(sums, end, i);
  for (std::uint32_t& value : four.value) value += static_cast<std::uint32_t>(before[blockIdx.x]);
  Store(four, sums, end, i);
}

// What a tile has published: the sum of its own values, or that of all values up to its end. State
// and sum go together in one word, so that nobody can see the one without the other.
constexpr std::uint64_t kOwnSum = std::uint64_t{1} << 32;
constexpr std::uint64_t kWholeSum = std::uint64_t{2} << 32;

// The sum of all values before `tile`. Called by all lanes of a warp; lane k looks at the tile that
// stands k + 1 places before.
__device__ std::uint32_t LookBack(const volatile std::uint64_t* published, unsigned tile) {
  const unsigned lane = threadIdx.x % kWarp;
  const unsigned nearer = (1u << lane) - 1;  // the lanes that look at nearer tiles
  std::uint32_t before = 0;
  for (unsigned end = tile;; end -= kWarp) {
    std::uint64_t word = kWholeSum;  // before the first tile there is nothing
    do {
      if (lane < end) word = published[end - 1 - lane];
    } while (__any_sync(kAllLanes, word < kOwnSum));
    const unsigned whole = __ballot_sync(kAllLanes, word >= kWholeSum);
    const std::uint32_t missing = (whole & nearer) == 0 ? static_cast<std::uint32_t>(word) : 0;
    before += __reduce_add_sync(kAllLanes, missing);
    if (whole != 0) return before;
  }
}

// All words of `published` and the counter are 0 before.
__global__ void LookBackKernel(const std::uint32_t* values, std::size_t n, std::uint32_t* sums,
                               volatile std::uint64_t* published, unsigned* counter) {
  __shared__ unsigned shared_tile;
  __shared__ std::uint32_t shared_before;
  if (threadIdx.x == 0) shared_tile = atomicAdd(counter, 1);
  __syncthreads();
  const unsigned tile = shared_tile;
  const std::size_t i = FirstOfThread(tile);
  Four four = Load(values, n, i);
  const std::uint32_t mine = four.value[0] + four.value[1] + four.value[2] + four.value[3];
  const Place<std::uint32_t> place = BlockScan(mine);
  if (threadIdx.x < kWarp) {
    if (threadIdx.x == 0) published[tile] = kOwnSum | place.all;
    const std::uint32_t before = LookBack(published, tile);
    if (threadIdx.x == 0) {
      published[tile] = kWholeSum | (before + place.all);
      shared_before = before;
    }
  }
  __syncthreads();
  std::uint32_t sum = shared_before + place.before;
  for (std::uint32_t& value : four.value) value = sum += value;
  Store(four, sums, n, i);
}

unsigned Tiles(std::size_t n) { return static_cast<unsigned>((n + kBlockTile - 1) / kBlockTile); }

}  // namespace

void InclusiveScanTile(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> sums,
                       cudaStream_t stream) {
  const auto n = static_cast<unsigned>(values.size());
  KoggeStoneKernel<<<1, kTile, 0, stream>>>(values.data(), n, sums.data());
  CUDA_CHECK(cudaGetLastError());
}

void ExclusiveScanTile(DeviceSpan<const std::uint32_t> counts, DeviceSpan<std::uint32_t> starts,
                       cudaStream_t stream) {
  const auto n = static_cast<unsigned>(counts.size());
  BlellochKernel<<<1, kWideTile / 2, 0, stream>>>(counts.data(), n, starts.data());
  CUDA_CHECK(cudaGetLastError());
}

void ExclusiveScan(DeviceSpan<const std::uint32_t> counts, DeviceSpan<std::uint32_t> starts,
                   DeviceSpan<std::uint64_t> workspace, cudaStream_t stream) {
  const std::size_t n = counts.size();
  if (n == 0) return;
  const unsigned tiles = Tiles(n);
  auto* const totals = reinterpret_cast<std::uint32_t*>(workspace.data());
  ScanTilesKernel<<<tiles, kThreads, 0, stream>>>(counts.data(), n, starts.data(), totals);
  CUDA_CHECK(cudaGetLastError());
  ScanTotalsKernel<<<1, kThreads, 0, stream>>>(totals, tiles);
  CUDA_CHECK(cudaGetLastError());
  AddKernel<<<tiles, kThreads, 0, stream>>>(starts.data(), n, totals);
}

void SegmentedScan(DeviceSpan<const std::uint32_t> values, DeviceSpan<const std::uint8_t> flags,
                   DeviceSpan<std::uint32_t> sums, DeviceSpan<std::uint64_t> workspace,
                   cudaStream_t stream) {
  const std::size_t n = values.size();
  if (n == 0) return;
  const unsigned tiles = Tiles(n);
  Piece* const totals = workspace.data();
  auto* const heads = reinterpret_cast<unsigned*>(totals + tiles);
  ScanSegmentsKernel<<<tiles, kThreads, 0, stream>>>(values.data(), flags.data(), n, sums.data(),
                                                     totals, heads);
  CUDA_CHECK(cudaGetLastError());
  ScanTotalsKernel<<<1, kThreads, 0, stream>>>(totals, tiles);
  CUDA_CHECK(cudaGetLastError());
  AddToHeadsKernel<<<tiles, kThreads, 0, stream>>>(sums.data(), n, totals, heads);
  CUDA_CHECK(cudaGetLastError());
}

void InclusiveScan(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> sums,
                   DeviceSpan<std::uint64_t> workspace, cudaStream_t stream) {
  const std::size_t n = values.size();
  if (n == 0) return;
  const unsigned tiles = Tiles(n);
  std::uint64_t* const published = workspace.data();
  auto* const counter = reinterpret_cast<unsigned*>(published + tiles);
  CUDA_CHECK(cudaMemsetAsync(published, 0, (tiles + 1) * sizeof(std::uint64_t), stream));
  LookBackKernel<<<tiles, kThreads, 0, stream>>>(values.data(), n, sums.data(), published, counter);
  CUDA_CHECK(cudaGetLastError());
}
