// Sorting and what is next to it.

#include <cuda_runtime.h>

#include "common/cudasim/predict/measure/blind/blind.h"

namespace blind {
namespace {

constexpr unsigned kTile = 512;

__device__ void Exchange(unsigned& a, unsigned& b, bool ascending) {
  if ((a > b) != ascending) return;
  const unsigned kept = a;
  a = b;
  b = kept;
}

// Bitonic sort (Batcher 1968): a launch for each step, or those within a tile in shared memory.
__global__ void BitonicStep(unsigned* r, unsigned run, unsigned apart) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned i = t / apart * 2 * apart + t % apart;
  Exchange(r[i], r[i + apart], (i & run) == 0);
}

__global__ void BitonicTile(unsigned* r, unsigned first_run, unsigned last_run) {
  __shared__ unsigned tile[kTile];
  const unsigned first = blockIdx.x * kTile;
  for (unsigned i = threadIdx.x; i < kTile; i += blockDim.x) tile[i] = r[first + i];
  for (unsigned run = first_run; run <= last_run; run *= 2) {
    for (unsigned apart = min(run / 2, kTile / 2); apart > 0; apart /= 2) {
      __syncthreads();
      const unsigned i = threadIdx.x / apart * 2 * apart + threadIdx.x % apart;
      Exchange(tile[i], tile[i + apart], ((first + i) & run) == 0);
    }
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < kTile; i += blockDim.x) r[first + i] = tile[i];
}

void SortBySteps(const Arrays& p) {
  p.Restart();
  for (unsigned run = 2; run <= p.n; run *= 2) {
    for (unsigned apart = run / 2; apart > 0; apart /= 2) {
      BitonicStep<<<p.n / 512, 256>>>(p.r, run, apart);
    }
  }
}

__global__ void BitonicLongStep(unsigned* r, unsigned run, unsigned apart) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned i = t / apart * 2 * apart + t % apart;
  Exchange(r[i], r[i + apart], (i & run) == 0);
}

void SortByTiles(const Arrays& p) {
  p.Restart();
  BitonicTile<<<p.n / kTile, kTile / 2>>>(p.r, 2, kTile);
  for (unsigned run = 2 * kTile; run <= p.n; run *= 2) {
    for (unsigned apart = run / 2; apart >= kTile; apart /= 2) {
      BitonicLongStep<<<p.n / 512, 256>>>(p.r, run, apart);
    }
    BitonicTile<<<p.n / kTile, kTile / 2>>>(p.r, run, run);
  }
}

// One pass of a merge sort over runs of 32: a thread merges two, or finds its element's rank in the
// other run.
struct Runs : Arrays {
  explicit Runs(unsigned n) : Arrays(n, n) {
    keys = Filled<unsigned>(n, [](unsigned i) { return i % 32 * 32 + Mixed(i) % 32; });
    k = keys->data();
  }
};

__global__ void PassByThreads(const unsigned* k, unsigned* r, unsigned n) {
  const unsigned begin = (blockIdx.x * blockDim.x + threadIdx.x) * 64;
  if (begin >= n) return;
  unsigned i = begin;
  unsigned j = begin + 32;
  for (unsigned to = begin; to < begin + 64; ++to) {
    const bool left = j == begin + 64 || (i < begin + 32 && k[i] <= k[j]);
    r[to] = left ? k[i++] : k[j++];
  }
}

__global__ void PassByRanks(const unsigned* k, unsigned* r, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned key = k[i];
  const unsigned other = (i / 32 ^ 1) * 32;
  const bool first = i / 32 % 2 == 0;
  unsigned rank = 0;
  for (unsigned step = 32; step > 0; step /= 2) {
    const unsigned next = rank + step;
    if (next > 32) continue;
    const unsigned value = k[other + next - 1];
    if (value < key || (!first && value == key)) rank = next;
  }
  r[i / 64 * 64 + i % 32 + rank] = key;
}

// Tiles of 256 are sorted by exchanges of neighbours, or by counting smaller elements.
__global__ void TileByExchanges(const unsigned* k, unsigned* r) {
  __shared__ unsigned tile[256];
  tile[threadIdx.x] = k[blockIdx.x * 256 + threadIdx.x];
  for (unsigned step = 0; step < 256; ++step) {
    __syncthreads();
    const unsigned i = 2 * threadIdx.x + step % 2;
    if (i + 1 < 256) Exchange(tile[i], tile[i + 1], true);
  }
  __syncthreads();
  r[blockIdx.x * 256 + threadIdx.x] = tile[threadIdx.x];
}

__global__ void TileByCounting(const unsigned* k, unsigned* r) {
  __shared__ unsigned tile[256];
  const unsigned mine = k[blockIdx.x * 256 + threadIdx.x];
  tile[threadIdx.x] = mine;
  __syncthreads();
  unsigned rank = 0;
  for (unsigned i = 0; i < 256; ++i) {
    rank += tile[i] < mine || (tile[i] == mine && i < threadIdx.x) ? 1 : 0;
  }
  r[blockIdx.x * 256 + rank] = mine;
}

// Each thread makes a heap of 32 keys, which lie side by side or `step` apart.
__device__ void MakeHeap(unsigned* heap, unsigned step) {
  for (unsigned root = 16; root-- > 0;) {
    unsigned at = root;
    const unsigned key = heap[at * step];
    while (2 * at + 1 < 32) {
      unsigned child = 2 * at + 1;
      unsigned largest = heap[child * step];
      if (child + 1 < 32 && heap[(child + 1) * step] > largest) {
        ++child;
        largest = heap[child * step];
      }
      if (largest <= key) break;
      heap[at * step] = largest;
      at = child;
    }
    heap[at * step] = key;
  }
}

__global__ void HeapsTogether(unsigned* r) {
  MakeHeap(r + 32 * (blockIdx.x * blockDim.x + threadIdx.x), 1);
}

__global__ void HeapsInColumns(unsigned* r, unsigned n) {
  MakeHeap(r + blockIdx.x * blockDim.x + threadIdx.x, n);
}

// Insertion sort of 16 keys by each thread.
__global__ void InsertTogether(unsigned* r) {
  unsigned* const keys = r + 16 * (blockIdx.x * blockDim.x + threadIdx.x);
  for (unsigned i = 1; i < 16; ++i) {
    const unsigned key = keys[i];
    unsigned at = i;
    for (; at > 0 && keys[at - 1] > key; --at) keys[at] = keys[at - 1];
    keys[at] = key;
  }
}

__global__ void InsertInTile(unsigned* r) {
  __shared__ unsigned tile[16][128];
  const unsigned first = blockIdx.x * 2048;
  for (unsigned i = threadIdx.x; i < 2048; i += 128) tile[i % 16][i / 16] = r[first + i];
  __syncthreads();
  for (unsigned i = 1; i < 16; ++i) {
    const unsigned key = tile[i][threadIdx.x];
    unsigned at = i;
    for (; at > 0 && tile[at - 1][threadIdx.x] > key; --at) {
      tile[at][threadIdx.x] = tile[at - 1][threadIdx.x];
    }
    tile[at][threadIdx.x] = key;
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 2048; i += 128) r[first + i] = tile[i % 16][i / 16];
}

// Multiples of four go to the front, in any order.
__global__ void KeepByThreads(const unsigned* k, unsigned* r, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && k[i] % 4 == 0) r[1 + atomicAdd(r, 1)] = k[i];
}

__global__ void KeepByWarps(const unsigned* k, unsigned* r, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned key = i < n ? k[i] : 1;
  const unsigned kept = __ballot_sync(0xffffffffu, key % 4 == 0);
  const unsigned lane = threadIdx.x % 32;
  unsigned first = 0;
  if (lane == 0) first = atomicAdd(r, __popc(kept));
  first = __shfl_sync(0xffffffffu, first, 0);
  if (key % 4 == 0) r[1 + first + __popc(kept & ((1u << lane) - 1))] = key;
}

// How many keys there are of each of 16 digits, in each block: with counters in shared memory, or
// of a thread's own.
__global__ void DigitsByAtomics(const unsigned* k, unsigned* r) {
  __shared__ unsigned counts[16];
  if (threadIdx.x < 16) counts[threadIdx.x] = 0;
  __syncthreads();
  const unsigned first = blockIdx.x * 4096;
  for (unsigned i = threadIdx.x; i < 4096; i += blockDim.x)
    atomicAdd(&counts[k[first + i] % 16], 1);
  __syncthreads();
  if (threadIdx.x < 16) r[threadIdx.x * gridDim.x + blockIdx.x] = counts[threadIdx.x];
}

__global__ void DigitsOfThreads(const unsigned* k, unsigned* r) {
  __shared__ unsigned char counts[16][256];
  for (unsigned d = 0; d < 16; ++d) counts[d][threadIdx.x] = 0;
  const unsigned first = blockIdx.x * 4096;
  for (unsigned i = threadIdx.x; i < 4096; i += 256) ++counts[k[first + i] % 16][threadIdx.x];
  __syncthreads();
  if (threadIdx.x >= 16) return;
  unsigned sum = 0;
  for (unsigned t = 0; t < 256; ++t) sum += counts[threadIdx.x][t];
  r[threadIdx.x * gridDim.x + blockIdx.x] = sum;
}

}  // namespace

std::vector<Workload> Sorting() {
  using A = const Arrays&;
  std::vector<Workload> all;
  Append(all, OfArrays("Bitonic", {1 << 12, 1 << 16}, 1,
                       {{"steps", SortBySteps}, {"tiles", SortByTiles}}));
  Append(
      all,
      Versions<Runs>(
          "Pass", {1 << 13, 1 << 17, 1 << 20}, [](unsigned n) { return std::make_shared<Runs>(n); },
          {{"threads",
            [](const Runs& p) { PassByThreads<<<Blocks(p.n / 64, 128), 128>>>(p.k, p.r, p.n); }},
           {"ranks", [](const Runs& p) { PassByRanks<<<p.n / 256, 256>>>(p.k, p.r, p.n); }}}));
  Append(all, OfArrays("Tile", {1 << 12, 1 << 15, 1 << 17}, 1,
                       {{"exchanges", [](A p) { TileByExchanges<<<p.n / 256, 256>>>(p.k, p.r); }},
                        {"counting", [](A p) { TileByCounting<<<p.n / 256, 256>>>(p.k, p.r); }}}));
  Append(all, OfArrays("Heap", {1 << 8, 1 << 14}, 32,
                       {{"together",
                         [](A p) {
                           p.Restart();
                           HeapsTogether<<<p.n / 128, 128>>>(p.r);
                         }},
                        {"columns", [](A p) {
                           p.Restart();
                           HeapsInColumns<<<p.n / 128, 128>>>(p.r, p.n);
                         }}}));
  Append(all, OfArrays("Insert", {1 << 8, 1 << 14}, 16,
                       {{"together",
                         [](A p) {
                           p.Restart();
                           InsertTogether<<<p.n / 128, 128>>>(p.r);
                         }},
                        {"tile", [](A p) {
                           p.Restart();
                           InsertInTile<<<p.n / 128, 128>>>(p.r);
                         }}}));
  Append(all, OfArrays("Keep", {1 << 14, 1 << 18, 1 << 21}, 2,
                       {{"threads",
                         [](A p) {
                           p.numbers->Fill(0);
                           KeepByThreads<<<p.n / 256, 256>>>(p.k, p.r, p.n);
                         }},
                        {"warps", [](A p) {
                           p.numbers->Fill(0);
                           KeepByWarps<<<p.n / 256, 256>>>(p.k, p.r, p.n);
                         }}}));
  Append(all, OfArrays("Digits", {1 << 14, 1 << 18, 1 << 21}, 1,
                       {{"atomics", [](A p) { DigitsByAtomics<<<p.n / 4096, 256>>>(p.k, p.r); }},
                        {"threads", [](A p) { DigitsOfThreads<<<p.n / 4096, 256>>>(p.k, p.r); }}}));
  return all;
}

}  // namespace blind
