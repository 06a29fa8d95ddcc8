// Looking things up: intervals, hash tables, texts, trees; and tables of dynamic programming.

#include <cuda_runtime.h>

#include "common/cudasim/predict/measure/blind/blind.h"

namespace blind {
namespace {

constexpr unsigned kEmpty = ~0u;
constexpr unsigned kIntervals = 256;

// Which of the intervals, whose ends ascend, holds a fraction.
__global__ void IntervalByScan(const float* b, const float* ends, unsigned* r, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float value = b[i];
  unsigned at = 0;
  while (at + 1 < kIntervals && ends[at] <= value) ++at;
  r[i] = at;
}

__global__ void IntervalByHalving(const float* b, const float* ends, unsigned* r, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float value = b[i];
  unsigned low = 0;
  unsigned high = kIntervals - 1;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (ends[middle] <= value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  r[i] = low;
}

struct Intervals : Arrays {
  explicit Intervals(unsigned n)
      : Arrays(n, n), ends(Filled<float>(kIntervals, [](unsigned i) {
          return static_cast<float>(i + 1) / kIntervals;
        })) {}
  std::shared_ptr<lab::DeviceArray<float>> ends;
};

// n keys in a table of 2 n slots with open addresses, and in chains of n buckets; half of the
// queries find their key.
struct Table {
  explicit Table(unsigned n);
  unsigned n;
  std::shared_ptr<lab::DeviceArray<unsigned>> slots, heads, next, keys, queries, found;
};

Table::Table(unsigned n)
    : n(n),
      keys(Filled<unsigned>(n, [](unsigned i) { return Mixed(i) / 2; })),
      queries(Filled<unsigned>(n, [](unsigned i) { return Mixed(i ^ 5 * (i & 1)) / 2 + (i & 1); })),
      found(Room<unsigned>(2 * n)) {
  std::vector<unsigned> open(2 * n, kEmpty);
  std::vector<unsigned> first(n, kEmpty);
  std::vector<unsigned> chain(n);
  for (unsigned i = 0; i < n; ++i) {
    const unsigned key = Mixed(i) / 2;
    unsigned slot = Mixed(key) % (2 * n);
    while (open[slot] != kEmpty) slot = (slot + 1) % (2 * n);
    open[slot] = key;
    chain[i] = first[Mixed(key) % n];
    first[Mixed(key) % n] = i;
  }
  slots = std::make_shared<lab::DeviceArray<unsigned>>(open);
  heads = std::make_shared<lab::DeviceArray<unsigned>>(first);
  next = std::make_shared<lab::DeviceArray<unsigned>>(chain);
}

__device__ unsigned HashOf(unsigned x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

__global__ void LookUpOpen(const unsigned* slots, const unsigned* queries, unsigned* found,
                           unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned key = queries[i];
  unsigned slot = HashOf(key) % (2 * n);
  while (slots[slot] != kEmpty && slots[slot] != key) slot = (slot + 1) % (2 * n);
  found[i] = slots[slot];
}

__global__ void LookUpChained(const unsigned* heads, const unsigned* next, const unsigned* keys,
                              const unsigned* queries, unsigned* found, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned key = queries[i];
  unsigned at = heads[HashOf(key) % n];
  while (at != kEmpty && keys[at] != key) at = next[at];
  found[i] = at;
}

// The step to the next slot is 1, or depends on the key.
__device__ void InsertKey(unsigned* slots, unsigned size, unsigned key, unsigned step) {
  unsigned slot = HashOf(key) % size;
  while (true) {
    const unsigned was = atomicCAS(&slots[slot], kEmpty, key);
    if (was == kEmpty || was == key) return;
    slot = (slot + step) % size;
  }
}

__global__ void FillTableLinear(unsigned* slots, const unsigned* keys, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) InsertKey(slots, 2 * n, keys[i], 1);
}

__global__ void FillTableDouble(unsigned* slots, const unsigned* keys, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) InsertKey(slots, 2 * n, keys[i], HashOf(keys[i] + 1) | 1);
}

// Where a pattern of 8 letters from a small alphabet begins in a text.
struct Text {
  explicit Text(unsigned n)
      : n(n),
        letters(Filled<char>(n + 8, [](unsigned i) { return "abab"[Mixed(i / 3) % 4]; })),
        pattern(Filled<char>(8, [](unsigned i) { return "aaabbbab"[i]; })),
        found(Room<unsigned>(n)) {}
  unsigned n;
  std::shared_ptr<lab::DeviceArray<char>> letters, pattern;
  std::shared_ptr<lab::DeviceArray<unsigned>> found;
};

__global__ void MatchAt(const char* text, const char* pattern, unsigned* found, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned k = 0;
  while (k < 8 && text[i + k] == pattern[k]) ++k;
  found[i] = k == 8 ? 1 : 0;
}

// A thread goes through 64 letters by the automaton of Knuth, Morris and Pratt.
__global__ void MatchPieces(const char* text, const char* pattern, unsigned* found, unsigned n) {
  __shared__ int border[9];
  if (threadIdx.x == 0) {
    border[0] = -1;
    for (int i = 0, k = -1; i < 8;) {
      while (k >= 0 && pattern[i] != pattern[k]) k = border[k];
      border[++i] = ++k;
    }
  }
  __syncthreads();
  const unsigned begin = (blockIdx.x * blockDim.x + threadIdx.x) * 64;
  int k = 0;
  for (unsigned i = begin; i < begin + 64 && i < n; ++i) {
    while (k >= 0 && (k == 8 || text[i] != pattern[k])) k = border[k];
    if (++k == 8) found[i] = 1;
  }
}

// Edit distances of pairs of words of 32 letters: a thread for each pair, or a warp along
// diagonals.
__global__ void DistanceByThreads(const unsigned* k, unsigned* r, unsigned* rows, unsigned n) {
  const unsigned pair = blockIdx.x * blockDim.x + threadIdx.x;
  if (pair >= n) return;
  for (unsigned j = 0; j <= 32; ++j) rows[j * n + pair] = j;
  for (unsigned i = 0; i < 32; ++i) {
    unsigned corner = i;
    rows[pair] = i + 1;
    const unsigned letter = k[i * n + pair] % 4;
    for (unsigned j = 0; j < 32; ++j) {
      const unsigned above = rows[(j + 1) * n + pair];
      const unsigned left = rows[j * n + pair];
      const unsigned same = k[(32 + j) * n + pair] % 4 == letter ? 0 : 1;
      rows[(j + 1) * n + pair] = min(min(above, left) + 1, corner + same);
      corner = above;
    }
  }
  r[pair] = rows[32 * n + pair];
}

__global__ void DistanceByWarps(const unsigned* k, unsigned* r, unsigned n) {
  const unsigned pair = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const unsigned lane = threadIdx.x % 32;
  const unsigned letter = k[lane * n + pair] % 4;
  unsigned mine = lane + 1;  // of this lane's row, at the column before
  unsigned corner = lane;    // of the row above, two columns before
  for (unsigned step = 0; step < 63; ++step) {
    unsigned above = __shfl_up_sync(0xffffffffu, mine, 1);
    const unsigned column = step - lane;
    if (lane == 0) above = step + 1;
    if (column >= 32) continue;
    const unsigned same = k[(32 + column) * n + pair] % 4 == letter ? 0 : 1;
    mine = min(min(above, mine) + 1, corner + same);
    corner = above;
  }
  if (lane == 31) r[pair] = mine;
}

// A decision tree of 10 levels over 8 features: nodes in global or shared memory.
__device__ unsigned LeafOf(const float* limits, const float* sample, unsigned step) {
  unsigned node = 0;
  for (unsigned level = 0; level < 10; ++level) {
    node = 2 * node + 1 + (sample[node % 8 * step] > limits[node] ? 1 : 0);
  }
  return node;
}

__global__ void DecideGlobal(const float* a, const float* limits, unsigned* r, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) r[i] = LeafOf(limits, a + 8 * i, 1);
}

__global__ void DecideShared(const float* a, const float* limits, unsigned* r, unsigned n) {
  __shared__ float tree[1024];
  for (unsigned node = threadIdx.x; node < 1024; node += blockDim.x) tree[node] = limits[node];
  __syncthreads();
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) r[i] = LeafOf(tree, a + i, n);
}

// The knapsack problem: a launch, or a barrier, for each of 64 things.
__global__ void PackThing(const unsigned* best, unsigned* next, unsigned n, unsigned weight) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  next[i] = i >= weight ? max(best[i], best[i - weight] + weight % 13) : best[i];
}

__global__ void PackInOneBlock(unsigned* best, unsigned* next, unsigned n) {
  for (unsigned thing = 0; thing < 64; ++thing) {
    const unsigned weight = 1 + thing * 37 % 100;
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x) {
      next[i] = i >= weight ? max(best[i], best[i - weight] + weight % 13) : best[i];
    }
    __syncthreads();
    unsigned* const kept = best;
    best = next;
    next = kept;
  }
}

template <typename Input>
std::shared_ptr<Input> Make(unsigned n) {
  return std::make_shared<Input>(n);
}

std::vector<Workload> Tables() {
  using T = const Table&;
  std::vector<Workload> all;
  Append(all, Versions<Table>("LookUp", {1 << 14, 1 << 18, 1 << 20}, Make<Table>,
                              {{"open",
                                [](T t) {
                                  LookUpOpen<<<t.n / 256, 256>>>(t.slots->data(), t.queries->data(),
                                                                 t.found->data(), t.n);
                                }},
                               {"chained", [](T t) {
                                  LookUpChained<<<t.n / 256, 256>>>(
                                      t.heads->data(), t.next->data(), t.keys->data(),
                                      t.queries->data(), t.found->data(), t.n);
                                }}}));
  Append(all, Versions<Table>(
                  "FillTable", {1 << 14, 1 << 18, 1 << 20}, Make<Table>,
                  {{"linear",
                    [](T t) {
                      t.found->Fill(0xff);
                      FillTableLinear<<<t.n / 256, 256>>>(t.found->data(), t.keys->data(), t.n);
                    }},
                   {"double", [](T t) {
                      t.found->Fill(0xff);
                      FillTableDouble<<<t.n / 256, 256>>>(t.found->data(), t.keys->data(), t.n);
                    }}}));
  return all;
}

}  // namespace

std::vector<Workload> Lookups() {
  using A = const Arrays&;
  std::vector<Workload> all = Tables();
  using I = const Intervals&;
  Append(
      all,
      Versions<Intervals>(
          "Interval", {1 << 12, 1 << 16, 1 << 18}, Make<Intervals>,
          {{"scan", [](I p) { IntervalByScan<<<p.n / 256, 256>>>(p.b, p.ends->data(), p.r, p.n); }},
           {"halving",
            [](I p) { IntervalByHalving<<<p.n / 256, 256>>>(p.b, p.ends->data(), p.r, p.n); }}}));
  using T = const Text&;
  Append(all, Versions<Text>("Match", {1 << 14, 1 << 18, 1 << 21}, Make<Text>,
                             {{"positions",
                               [](T t) {
                                 MatchAt<<<t.n / 256, 256>>>(t.letters->data(), t.pattern->data(),
                                                             t.found->data(), t.n);
                               }},
                              {"pieces", [](T t) {
                                 MatchPieces<<<Blocks(t.n / 64, 128), 128>>>(
                                     t.letters->data(), t.pattern->data(), t.found->data(), t.n);
                               }}}));
  Append(all, OfArrays("Distance", {256, 4096}, 64,
                       {{"threads",
                         [](A p) {
                           DistanceByThreads<<<p.n / 64, 64>>>(
                               p.k, p.r, reinterpret_cast<unsigned*>(p.c), p.n);
                         }},
                        {"warps", [](A p) { DistanceByWarps<<<p.n / 8, 256>>>(p.k, p.r, p.n); }}}));
  Append(all,
         OfArrays("Decide", {1 << 12, 1 << 16, 1 << 19}, 8,
                  {{"global", [](A p) { DecideGlobal<<<p.n / 256, 256>>>(p.a, p.b, p.r, p.n); }},
                   {"shared", [](A p) { DecideShared<<<p.n / 256, 256>>>(p.a, p.b, p.r, p.n); }}}));
  Append(all, OfArrays("Pack", {1 << 12, 1 << 15}, 1,
                       {{"launches",
                         [](A p) {
                           for (unsigned thing = 0; thing < 64; thing += 2) {
                             const unsigned first = 1 + thing * 37 % 100;
                             const unsigned second = 1 + (thing + 1) * 37 % 100;
                             PackThing<<<p.n / 256, 256>>>(p.r, p.k, p.n, first);
                             PackThing<<<p.n / 256, 256>>>(p.k, p.r, p.n, second);
                           }
                         }},
                        {"block", [](A p) { PackInOneBlock<<<1, 1024>>>(p.r, p.k, p.n); }}}));
  return all;
}

}  // namespace blind
