// Lists and merges, whose loads need the value of a load before them.

#include <cuda_runtime.h>

#include "common/cudasim/predict/calibrate/dependent.h"

namespace calibrate {
namespace {

constexpr unsigned kTile = 1024;

__global__ void Chase(const unsigned* next, unsigned* last, unsigned lists, unsigned apart,
                      int steps) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= lists) return;
  unsigned at = i * apart;
  for (int s = 0; s < steps; ++s) at = next[at];
  last[i] = at;
}

// `lists` threads of each block follow a list in shared memory.
__global__ void ChaseTile(const unsigned* next, unsigned* last, unsigned lists, int steps) {
  __shared__ unsigned tile[kTile];
  for (unsigned i = threadIdx.x; i < kTile; i += blockDim.x) tile[i] = next[i] % kTile;
  __syncthreads();
  if (threadIdx.x >= lists) return;
  unsigned at = threadIdx.x;
  for (int s = 0; s < steps; ++s) at = tile[at];
  last[blockIdx.x * blockDim.x + threadIdx.x] = at;
}

__device__ void Merge(const unsigned* a, unsigned a_size, const unsigned* b, unsigned b_size,
                      unsigned* c) {
  unsigned i = 0;
  unsigned j = 0;
  for (unsigned k = 0; k < a_size + b_size; ++k) {
    if (j == b_size || (i < a_size && a[i] <= b[j])) {
      c[k] = a[i++];
    } else {
      c[k] = b[j++];
    }
  }
}

// A thread merges two neighbouring runs.
__global__ void MergeRuns(const unsigned* runs, unsigned* c, unsigned n, unsigned run) {
  const unsigned begin = (blockIdx.x * blockDim.x + threadIdx.x) * 2 * run;
  if (begin < n) Merge(runs + begin, run, runs + begin + run, run, c + begin);
}

// A thread finds where its element of a run goes in the merged one.
__global__ void MergeByRanks(const unsigned* runs, unsigned* c, unsigned n, unsigned run) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned other = (i / run ^ 1) * run;
  const unsigned key = runs[i];
  const unsigned rank = LowerBound(runs + other, run, (i / run) % 2 == 0 ? key : key + 1);
  c[i / (2 * run) * (2 * run) + i % run + rank] = key;
}

// Two runs of half a tile in shared memory; each thread finds its first elements by binary search
// and merges four of them.
__global__ void MergeTile(const unsigned* runs, unsigned* c) {
  __shared__ unsigned tile[kTile];
  const unsigned first = blockIdx.x * kTile;
  for (unsigned i = threadIdx.x; i < kTile; i += blockDim.x) tile[i] = runs[first + i];
  __syncthreads();
  constexpr unsigned kHalf = kTile / 2;
  const unsigned diagonal = threadIdx.x * 4;
  unsigned low = diagonal > kHalf ? diagonal - kHalf : 0;
  unsigned high = diagonal < kHalf ? diagonal : kHalf;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (tile[middle] <= tile[kHalf + diagonal - 1 - middle]) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  unsigned i = low;
  unsigned j = kHalf + diagonal - low;
  for (unsigned k = 0; k < 4; ++k) {
    const bool left = j == kTile || (i < kHalf && tile[i] <= tile[j]);
    c[first + diagonal + k] = left ? tile[i++] : tile[j++];
  }
}

Workload ListOf(const char* name, std::function<void(const unsigned*, unsigned*, unsigned)> run) {
  return {name, {12, 14, 18, 22, 24}, [=](int log) {
            const unsigned n = 1u << log;
            // A generator of period n visits all elements.
            const auto next =
                Filled<unsigned>(n, [=](unsigned i) { return (i * 1664525u + 1013904223u) % n; });
            const auto last = Room<unsigned>(n);
            return [=](cudaStream_t) { run(next->data(), last->data(), n); };
          }};
}

Workload MergeOf(const char* name, unsigned run,
                 std::function<void(unsigned*, unsigned*, unsigned)> merge) {
  return {name, {14, 18, 22}, [=](int log) {
            const unsigned n = 1u << log;
            const auto runs =
                Filled<unsigned>(n, [=](unsigned i) { return i % run * 16 + Mixed(i) % 16; });
            const auto c = Room<unsigned>(n);
            return [=](cudaStream_t) { merge(runs->data(), c->data(), n); };
          }};
}

std::vector<Workload> Lists() {
  using In = const unsigned*;
  using Out = unsigned*;
  return {
      ListOf("ChaseAlone", [](In a, Out b, unsigned) { Chase<<<1, 1>>>(a, b, 1, 0, 1024); }),
      ListOf("ChaseInWarp",
             [](In a, Out b, unsigned n) { Chase<<<1, 32>>>(a, b, 32, n / 32, 512); }),
      ListOf(
          "ChaseInBlocks",
          [](In a, Out b, unsigned n) { Chase<<<132, 128>>>(a, b, std::min(n, 16896u), 1, 64); }),
      ListOf("ChaseInGrid",
             [](In a, Out b, unsigned n) { Chase<<<n / 1024, 256>>>(a, b, n / 4, 4, 16); }),
      ListOf("ChaseTileAlone",
             [](In a, Out b, unsigned n) { ChaseTile<<<n / 4096, 256>>>(a, b, 1, 256); }),
      ListOf("ChaseTile",
             [](In a, Out b, unsigned n) { ChaseTile<<<n / 4096, 256>>>(a, b, 256, 256); }),
  };
}

std::vector<Workload> Merges() {
  using Runs = unsigned*;
  return {
      MergeOf("MergeAlone", 1024,
              [](Runs a, Runs c, unsigned) { MergeRuns<<<1, 1>>>(a, c, 1, 1024); }),
      MergeOf("MergeRuns16", 16,
              [](Runs a, Runs c, unsigned n) { MergeRuns<<<n / 32 / 128, 128>>>(a, c, n, 16); }),
      MergeOf("MergeRuns128", 128,
              [](Runs a, Runs c, unsigned n) { MergeRuns<<<n / 256 / 32, 32>>>(a, c, n, 128); }),
      MergeOf("MergeByRanks", 1024,
              [](Runs a, Runs c, unsigned n) { MergeByRanks<<<n / 256, 256>>>(a, c, n, 1024); }),
      MergeOf("MergeTile", kTile / 2,
              [](Runs a, Runs c, unsigned n) { MergeTile<<<n / kTile, 256>>>(a, c); }),
  };
}

}  // namespace

std::vector<Workload> Chains() {
  std::vector<Workload> all = Lists();
  for (const auto& more : {Searches(), Merges()}) all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace calibrate
