// Breadth-first search, a launch for each level.

#include <cuda_runtime.h>

#include "common/cudasim/predict/measure/coursework/coursework.h"

namespace predict::coursework {
namespace {

constexpr unsigned kUnseen = ~0u;
constexpr unsigned kRoom = 1024;

struct Edges {
  const unsigned* offsets;
  const unsigned* targets;
};

// All vertices look whether they have a neighbour in the level before.
__global__ void SearchAll(Edges edges, const unsigned* levels, unsigned* next_levels,
                          unsigned level, unsigned* is_going_on, unsigned n) {
  const unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned mine = v < n ? levels[v] : 0;
  bool is_found = false;
  if (mine == kUnseen) {
    for (unsigned e = edges.offsets[v]; e < edges.offsets[v + 1] && !is_found; ++e) {
      is_found = levels[edges.targets[e]] == level;
    }
    if (is_found) mine = level + 1;
  }
  if (v < n) next_levels[v] = mine;
  if (__syncthreads_or(is_found) != 0 && threadIdx.x == 0) atomicOr(is_going_on, 1u);
}

// The level's vertices are in a queue, the next level's are put into another.
__global__ void SearchQueue(Edges edges, unsigned* levels, unsigned level, const unsigned* queue,
                            unsigned size, unsigned* next, unsigned* next_size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const unsigned v = queue[i];
  for (unsigned e = edges.offsets[v]; e < edges.offsets[v + 1]; ++e) {
    const unsigned w = edges.targets[e];
    if (atomicCAS(&levels[w], kUnseen, level + 1) == kUnseen) next[atomicAdd(next_size, 1u)] = w;
  }
}

// A block gathers its vertices in shared memory first.
__global__ void SearchPrivate(Edges edges, unsigned* levels, unsigned level, const unsigned* queue,
                              unsigned size, unsigned* next, unsigned* next_size) {
  __shared__ unsigned mine[kRoom];
  __shared__ unsigned mine_size;
  __shared__ unsigned first;
  if (threadIdx.x == 0) mine_size = 0;
  __syncthreads();
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) {
    const unsigned v = queue[i];
    for (unsigned e = edges.offsets[v]; e < edges.offsets[v + 1]; ++e) {
      const unsigned w = edges.targets[e];
      if (atomicCAS(&levels[w], kUnseen, level + 1) != kUnseen) continue;
      const unsigned at = atomicAdd(&mine_size, 1u);
      if (at < kRoom) {
        mine[at] = w;
      } else {
        next[atomicAdd(next_size, 1u)] = w;
      }
    }
  }
  __syncthreads();
  const unsigned found = min(mine_size, kRoom);
  if (threadIdx.x == 0) first = atomicAdd(next_size, found);
  __syncthreads();
  for (unsigned k = threadIdx.x; k < found; k += blockDim.x) next[first + k] = mine[k];
}

// Each vertex has edges to 2 to 9 others, and each edge goes both ways.
struct Graph {
  explicit Graph(unsigned n);
  std::vector<double> Results() const { return OnHost(levels); }
  Edges All() const { return {offsets->data(), targets->data()}; }
  // Vertex 0 is the only one of level 0.
  void Restart() const {
    levels->Fill(0xff);
    CUDA_CHECK(cudaMemsetAsync(levels->data(), 0, sizeof(unsigned)));
    CUDA_CHECK(cudaMemsetAsync(queues[0]->data(), 0, sizeof(unsigned)));
  }
  unsigned n;
  NumberArray offsets, targets, levels, size;
  NumberArray queues[2];
};

Graph::Graph(unsigned n) : n(n), levels(Room<unsigned>(n)), size(Room<unsigned>(1)) {
  std::vector<std::vector<unsigned>> neighbours(n);
  for (unsigned v = 0; v < n; ++v) {
    const unsigned count = 1 + Mixed(v) % 4;
    for (unsigned k = 0; k < count; ++k) {
      const unsigned w = Mixed(v * 8 + k) % n;
      neighbours[v].push_back(w);
      neighbours[w].push_back(v);
    }
  }
  std::vector<unsigned> first = {0};
  std::vector<unsigned> to;
  for (const std::vector<unsigned>& of_vertex : neighbours) {
    to.insert(to.end(), of_vertex.begin(), of_vertex.end());
    first.push_back(static_cast<unsigned>(to.size()));
  }
  offsets = std::make_shared<lab::DeviceArray<unsigned>>(first);
  targets = std::make_shared<lab::DeviceArray<unsigned>>(to);
  for (NumberArray& queue : queues) queue = Room<unsigned>(n);
}

void RunSearchAll(const Graph& p) {
  p.Restart();
  unsigned is_going_on = 1;
  unsigned* levels = p.levels->data();
  unsigned* next = p.queues[1]->data();
  for (unsigned level = 0; is_going_on != 0; ++level) {
    p.size->Fill(0);
    SearchAll<<<Blocks(p.n), 256>>>(p.All(), levels, next, level, p.size->data(), p.n);
    is_going_on = p.size->First();
    std::swap(levels, next);
  }
  // The last launch found nothing: both have the same levels.
}

template <void (*kKernel)(Edges, unsigned*, unsigned, const unsigned*, unsigned, unsigned*,
                          unsigned*)>
void RunSearch(const Graph& p) {
  p.Restart();
  unsigned size = 1;
  for (unsigned level = 0; size > 0; ++level) {
    p.size->Fill(0);
    kKernel<<<Blocks(size, 128), 128>>>(p.All(), p.levels->data(), level,
                                        p.queues[level % 2]->data(), size,
                                        p.queues[(level + 1) % 2]->data(), p.size->data());
    size = p.size->First();
  }
}

}  // namespace

std::vector<Problem> Frontiers() {
  return {
      Of<Graph>("Search", {1 << 10, 1 << 14, 1 << 17},
                {{"all", RunSearchAll},
                 {"queue", RunSearch<SearchQueue>},
                 {"private", RunSearch<SearchPrivate>}}),
  };
}

}  // namespace predict::coursework
