// Searches, whose loads need the value of a load before them.

#include <cuda_runtime.h>

#include "common/cudasim/predict/calibrate/dependent.h"

namespace calibrate {
namespace {

constexpr unsigned kTile = 1024;

__global__ void SearchInLoop(const unsigned* keys, const unsigned* sorted, unsigned* found,
                             unsigned n, unsigned count) {
  const unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
    found[i] = LowerBound(sorted, n, keys[i] % n);
  }
}

// n is a power of two: each step adds a half or does not.
__global__ void SearchByHalves(const unsigned* keys, const unsigned* sorted, unsigned* found,
                               unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned key = keys[i] % n;
  unsigned at = 0;
  for (unsigned half = n / 2; half > 0; half /= 2) at += sorted[at + half - 1] < key ? half : 0;
  found[i] = at;
}

__global__ void SearchTile(const unsigned* keys, const unsigned* sorted, unsigned* found) {
  __shared__ unsigned tile[kTile];
  for (unsigned i = threadIdx.x; i < kTile; i += blockDim.x) tile[i] = sorted[i];
  __syncthreads();
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  found[i] = LowerBound(tile, kTile, keys[i] % kTile);
}

struct Node {
  unsigned key;
  unsigned child[2];
};

// A balanced search tree whose node 0 is the root; a child 0 is none.
__global__ void DescendTree(const Node* nodes, const unsigned* keys, unsigned* found, unsigned n,
                            unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const unsigned key = keys[i] % n;
  unsigned at = 0;
  unsigned steps = 0;
  do {
    at = nodes[at].child[nodes[at].key < key];
    ++steps;
  } while (at != 0);
  found[i] = steps;
}

// Each thread looks for the first 0 of 64 values, which lie together or a row apart.
__global__ void FindFirst(const unsigned* values, unsigned* found, unsigned rows, unsigned row,
                          unsigned step) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  unsigned k = 0;
  while (k < 64 && values[i * row + k * step] != 0) ++k;
  found[i] = k;
}

__global__ void FindAlone(const unsigned* values, unsigned* found) {
  unsigned k = 0;
  while (values[k] != 7) ++k;
  *found = k;
}

// A balanced tree of the keys below n, a power of two.
std::vector<Node> Tree(unsigned n) {
  std::vector<Node> nodes(n);
  // The root is at 0, the other nodes anywhere.
  const auto place = [n](unsigned key) { return (key - n / 2) * 2654435769u % n; };
  std::vector<std::array<unsigned, 2>> ranges = {{0, n}};
  while (!ranges.empty()) {
    const auto [low, high] = ranges.back();
    ranges.pop_back();
    const unsigned middle = (low + high) / 2;
    Node& node = nodes[place(middle)];
    node = {middle, {0, 0}};
    if (low < middle) {
      node.child[0] = place((low + middle) / 2);
      ranges.push_back({low, middle});
    }
    if (middle + 1 < high) {
      node.child[1] = place((middle + 1 + high) / 2);
      ranges.push_back({middle + 1, high});
    }
  }
  return nodes;
}

using SearchRun = std::function<void(const unsigned*, const unsigned*, unsigned*, unsigned)>;
Workload SearchOf(const char* name, SearchRun run) {
  return {name, {14, 18, 22}, [=](int log) {
            const unsigned n = 1u << log;
            const auto keys = Filled<unsigned>(n, [](unsigned i) { return Mixed(i); });
            const auto sorted = Filled<unsigned>(n, [](unsigned i) { return i; });
            const auto found = Room<unsigned>(n);
            return [=](cudaStream_t) { run(keys->data(), sorted->data(), found->data(), n); };
          }};
}

Workload TreeOf(const char* name, unsigned most) {
  return {name, {14, 18, 22}, [=](int log) {
            const unsigned n = 1u << log;
            const unsigned count = std::min(n, most);
            const auto nodes = std::make_shared<lab::DeviceArray<Node>>(Tree(n));
            const auto keys = Filled<unsigned>(n, [](unsigned i) { return Mixed(i); });
            const auto found = Room<unsigned>(n);
            return [=](cudaStream_t) {
              DescendTree<<<(count + 255) / 256, std::min(count, 256u)>>>(
                  nodes->data(), keys->data(), found->data(), n, count);
            };
          }};
}

Workload FindOf(const char* name, bool in_rows) {
  return {name, {14, 18, 22}, [=](int log) {
            const unsigned n = 1u << log;
            const unsigned rows = n / 64;
            const auto values = Filled<unsigned>(n, [](unsigned i) { return Mixed(i) % 32; });
            const auto found = Room<unsigned>(rows);
            return [=](cudaStream_t) {
              FindFirst<<<rows / 128, 128>>>(values->data(), found->data(), rows, in_rows ? 64 : 1,
                                             in_rows ? 1 : rows);
            };
          }};
}

}  // namespace

std::vector<Workload> Searches() {
  using In = const unsigned*;
  return {
      SearchOf("SearchAlone",
               [](In k, In s, unsigned* f, unsigned n) { SearchInLoop<<<1, 1>>>(k, s, f, n, 64); }),
      SearchOf("SearchInWarp", [](In k, In s, unsigned* f,
                                  unsigned n) { SearchInLoop<<<1, 32>>>(k, s, f, n, 1024); }),
      SearchOf("SearchInLoop", [](In k, In s, unsigned* f,
                                  unsigned n) { SearchInLoop<<<264, 256>>>(k, s, f, n, n); }),
      SearchOf("SearchByHalves", [](In k, In s, unsigned* f,
                                    unsigned n) { SearchByHalves<<<n / 256, 256>>>(k, s, f, n); }),
      SearchOf("SearchTile",
               [](In k, In s, unsigned* f, unsigned n) { SearchTile<<<n / 256, 256>>>(k, s, f); }),
      TreeOf("DescendAlone", 1),
      TreeOf("DescendInWarp", 32),
      TreeOf("DescendInGrid", 1u << 20),
      FindOf("FindInRows", true),
      FindOf("FindInColumns", false),
      {"FindAlone",
       {10, 12},
       [](int log) {
         const unsigned n = 1u << log;
         const auto values = Filled<unsigned>(n, [=](unsigned i) { return i + 1 == n ? 7 : 1; });
         return [=, found = Room<unsigned>(1)](cudaStream_t) {
           FindAlone<<<1, 1>>>(values->data(), found->data());
         };
       }},
  };
}

}  // namespace calibrate
