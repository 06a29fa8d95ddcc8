// Graphs whose sizes are numbers of vertices.

#include <cuda_runtime.h>

#include "common/cudasim/predict/measure/blind/blind.h"

namespace blind {
namespace {

using Numbers = std::shared_ptr<lab::DeviceArray<unsigned>>;

// An undirected graph with about 8 edges at each vertex: neighbours ascend.
struct Graph {
  explicit Graph(unsigned n);
  unsigned n;
  unsigned edges = 0;
  Numbers offsets, columns, rows, labels;
  std::shared_ptr<lab::DeviceArray<float>> weights, ranks, sums;
};

Graph::Graph(unsigned n) : n(n), labels(Room<unsigned>(n + 1)) {
  std::vector<std::vector<unsigned>> neighbours(n);
  for (unsigned e = 0; e < 4 * n; ++e) {
    const unsigned v = Mixed(e) % n;
    // Half of the edges are short, so that there are triangles.
    const unsigned w = e % 2 == 0 ? Mixed(e + 12345) % n : (v + 1 + Mixed(e + 99) % 8) % n;
    if (v == w) continue;
    neighbours[v].push_back(w);
    neighbours[w].push_back(v);
  }
  std::vector<unsigned> first = {0};
  std::vector<unsigned> to;
  std::vector<unsigned> from;
  for (unsigned v = 0; v < n; ++v) {
    std::sort(neighbours[v].begin(), neighbours[v].end());
    for (const unsigned w : neighbours[v]) {
      to.push_back(w);
      from.push_back(v);
    }
    first.push_back(static_cast<unsigned>(to.size()));
  }
  edges = first.back();
  offsets = std::make_shared<lab::DeviceArray<unsigned>>(first);
  columns = std::make_shared<lab::DeviceArray<unsigned>>(to);
  rows = std::make_shared<lab::DeviceArray<unsigned>>(from);
  weights = Filled<float>(edges, [](unsigned e) { return static_cast<float>(1 + Mixed(e) % 9); });
  ranks = Filled<float>(n, [](unsigned v) { return v == 0 ? 0.0f : 1e9f; });
  sums = Room<float>(n);
}

__device__ unsigned RootOf(unsigned* parents, unsigned v) {
  unsigned parent = parents[v];
  while (parent != v) {
    const unsigned above = parents[parent];
    parents[v] = above;
    v = parent;
    parent = above;
  }
  return v;
}

__global__ void Own(unsigned* parents, unsigned n) {
  const unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n) parents[v] = v;
}

// Components by union-find, an edge for each thread; or each vertex takes its neighbours' least
// label, eight times.
__global__ void Unite(const unsigned* rows, const unsigned* columns, unsigned* parents,
                      unsigned edges) {
  const unsigned e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= edges || rows[e] > columns[e]) return;
  unsigned v = RootOf(parents, rows[e]);
  unsigned w = RootOf(parents, columns[e]);
  while (v != w) {
    if (v < w) {
      const unsigned kept = v;
      v = w;
      w = kept;
    }
    if (atomicCAS(&parents[v], v, w) == v) return;
    v = RootOf(parents, v);
    w = RootOf(parents, w);
  }
}

__global__ void OwnLabel(unsigned* labels, unsigned n) {
  const unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n) labels[v] = v;
}

__global__ void Spread(const unsigned* offsets, const unsigned* columns, unsigned* labels,
                       unsigned n) {
  const unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  unsigned least = labels[v];
  for (unsigned e = offsets[v]; e < offsets[v + 1]; ++e) least = min(least, labels[columns[e]]);
  labels[v] = least;
}

// A step of PageRank: each vertex adds up what its neighbours give, or gives to them.
__global__ void RankByPulling(const unsigned* offsets, const unsigned* columns, const float* ranks,
                              float* sums, unsigned n) {
  const unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  float sum = 0;
  for (unsigned e = offsets[v]; e < offsets[v + 1]; ++e) {
    const unsigned w = columns[e];
    sum += ranks[w] / static_cast<float>(offsets[w + 1] - offsets[w]);
  }
  sums[v] = 0.15f + 0.85f * sum;
}

__global__ void RankByPushing(const unsigned* offsets, const unsigned* columns, const float* ranks,
                              float* sums, unsigned n) {
  const unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  const unsigned end = offsets[v + 1];
  const float share = 0.85f * ranks[v] / static_cast<float>(end - offsets[v]);
  for (unsigned e = offsets[v]; e < end; ++e) atomicAdd(&sums[columns[e]], share);
}

// Triangles at each edge: the neighbours of both ends are merged, or looked up.
__global__ void TrianglesByMerging(const unsigned* offsets, const unsigned* rows,
                                   const unsigned* columns, unsigned* total, unsigned edges) {
  const unsigned e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= edges || rows[e] > columns[e]) return;
  unsigned i = offsets[rows[e]];
  unsigned j = offsets[columns[e]];
  const unsigned i_end = offsets[rows[e] + 1];
  const unsigned j_end = offsets[columns[e] + 1];
  unsigned count = 0;
  while (i < i_end && j < j_end) {
    const unsigned a = columns[i];
    const unsigned b = columns[j];
    count += a == b ? 1 : 0;
    i += a <= b ? 1 : 0;
    j += b <= a ? 1 : 0;
  }
  if (count > 0) atomicAdd(total, count);
}

__global__ void TrianglesBySearching(const unsigned* offsets, const unsigned* rows,
                                     const unsigned* columns, unsigned* total, unsigned edges) {
  const unsigned e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= edges || rows[e] > columns[e]) return;
  const unsigned i_end = offsets[rows[e] + 1];
  const unsigned j_begin = offsets[columns[e]];
  const unsigned j_end = offsets[columns[e] + 1];
  unsigned count = 0;
  for (unsigned i = offsets[rows[e]]; i < i_end; ++i) {
    const unsigned a = columns[i];
    unsigned low = j_begin;
    unsigned high = j_end;
    while (low < high) {
      const unsigned middle = (low + high) / 2;
      if (columns[middle] < a) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low < j_end && columns[low] == a) ++count;
  }
  if (count > 0) atomicAdd(total, count);
}

// A round of Bellman and Ford's shortest paths: by edges or by vertices. Distances that are not
// negative are ordered as their bits.
__global__ void RelaxEdges(const unsigned* rows, const unsigned* columns, const float* weights,
                           unsigned* distances, unsigned edges) {
  const unsigned e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= edges) return;
  const float through = __uint_as_float(distances[rows[e]]) + weights[e];
  if (through < __uint_as_float(distances[columns[e]])) {
    atomicMin(&distances[columns[e]], __float_as_uint(through));
  }
}

__global__ void RelaxVertices(const unsigned* offsets, const unsigned* columns,
                              const float* weights, unsigned* distances, unsigned n) {
  const unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  float least = __uint_as_float(distances[v]);
  for (unsigned e = offsets[v]; e < offsets[v + 1]; ++e) {
    least = fminf(least, __uint_as_float(distances[columns[e]]) + weights[e]);
  }
  distances[v] = __float_as_uint(least);
}

// The least colour that no neighbour with a smaller number has, if those have any: colours are
// tried one by one, or taken from a set of bits.
__global__ void ColourByScan(const unsigned* offsets, const unsigned* columns, unsigned* colours,
                             unsigned n) {
  const unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  for (unsigned colour = 1;; ++colour) {
    bool taken = false;
    for (unsigned e = offsets[v]; e < offsets[v + 1] && !taken; ++e) {
      taken = columns[e] < v && columns[e] % 16 + 1 == colour;
    }
    if (taken) continue;
    colours[v] = colour;
    return;
  }
}

__global__ void ColourByBits(const unsigned* offsets, const unsigned* columns, unsigned* colours,
                             unsigned n) {
  const unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  unsigned taken = 0;
  for (unsigned e = offsets[v]; e < offsets[v + 1]; ++e) {
    const unsigned w = columns[e];
    if (w < v) taken |= 1u << w % 16;
  }
  colours[v] = static_cast<unsigned>(__ffs(static_cast<int>(~taken)));
}

// Distances to the end of a list: all threads jump twice as far in each launch, or one follows it.
__global__ void JumpPointers(const unsigned* next, const unsigned* rank, unsigned* next_after,
                             unsigned* rank_after, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned other = next[i];
  rank_after[i] = rank[i] + rank[other];
  next_after[i] = next[other];
}

__global__ void FollowList(const unsigned* next, unsigned* rank, unsigned n) {
  unsigned at = 0;
  for (unsigned i = 0; i < n; ++i) {
    rank[at] = n - 1 - i;
    at = next[at];
  }
}

// A list whose elements are shuffled; it begins at 0, and the last element's next one is itself.
struct List {
  explicit List(unsigned n);
  unsigned n;
  Numbers next, jumps, jumps_after, rank, rank_after;
};

List::List(unsigned n)
    : n(n),
      jumps(Room<unsigned>(n)),
      jumps_after(Room<unsigned>(n)),
      rank(Room<unsigned>(n)),
      rank_after(Room<unsigned>(n)) {
  std::vector<unsigned> order(n);
  for (unsigned i = 0; i < n; ++i) order[i] = i;
  for (unsigned i = n - 1; i > 1; --i) std::swap(order[i], order[1 + Mixed(i) % i]);
  std::vector<unsigned> after(n);
  for (unsigned i = 0; i < n; ++i) after[order[i]] = order[std::min(i + 1, n - 1)];
  next = std::make_shared<lab::DeviceArray<unsigned>>(after);
}

void RankByJumps(const List& list) {
  CUDA_CHECK(cudaMemcpyAsync(list.jumps->data(), list.next->data(), list.next->bytes(),
                             cudaMemcpyDeviceToDevice));
  for (unsigned far = 1; far < list.n; far *= 4) {
    JumpPointers<<<Blocks(list.n), 256>>>(list.jumps->data(), list.rank->data(),
                                          list.jumps_after->data(), list.rank_after->data(),
                                          list.n);
    JumpPointers<<<Blocks(list.n), 256>>>(list.jumps_after->data(), list.rank_after->data(),
                                          list.jumps->data(), list.rank->data(), list.n);
  }
}

void StartDistances(const Graph& g) {
  CUDA_CHECK(cudaMemcpyAsync(g.labels->data(), g.ranks->data(), g.ranks->bytes(),
                             cudaMemcpyDeviceToDevice));
}

template <typename Input>
std::shared_ptr<Input> Make(unsigned n) {
  return std::make_shared<Input>(n);
}

const std::vector<int> kSizes = {1 << 11, 1 << 15, 1 << 18};

std::vector<Workload> Components() {
  using G = const Graph&;
  return Versions<Graph>("Components", kSizes, Make<Graph>,
                         {{"union",
                           [](G g) {
                             Own<<<Blocks(g.n), 256>>>(g.labels->data(), g.n);
                             Unite<<<Blocks(g.edges), 256>>>(g.rows->data(), g.columns->data(),
                                                             g.labels->data(), g.edges);
                           }},
                          {"labels", [](G g) {
                             OwnLabel<<<Blocks(g.n), 256>>>(g.labels->data(), g.n);
                             for (int round = 0; round < 8; ++round) {
                               Spread<<<Blocks(g.n), 256>>>(g.offsets->data(), g.columns->data(),
                                                            g.labels->data(), g.n);
                             }
                           }}});
}

}  // namespace

std::vector<Workload> Graphs() {
  using G = const Graph&;
  std::vector<Workload> all = Components();
  Append(all, Versions<Graph>(
                  "PageRank", kSizes, Make<Graph>,
                  {{"pull",
                    [](G g) {
                      RankByPulling<<<Blocks(g.n), 256>>>(g.offsets->data(), g.columns->data(),
                                                          g.ranks->data(), g.sums->data(), g.n);
                    }},
                   {"push", [](G g) {
                      RankByPushing<<<Blocks(g.n), 256>>>(g.offsets->data(), g.columns->data(),
                                                          g.ranks->data(), g.sums->data(), g.n);
                    }}}));
  Append(all, Versions<Graph>("Triangles", kSizes, Make<Graph>,
                              {{"merge",
                                [](G g) {
                                  TrianglesByMerging<<<Blocks(g.edges), 256>>>(
                                      g.offsets->data(), g.rows->data(), g.columns->data(),
                                      g.labels->data(), g.edges);
                                }},
                               {"search", [](G g) {
                                  TrianglesBySearching<<<Blocks(g.edges), 256>>>(
                                      g.offsets->data(), g.rows->data(), g.columns->data(),
                                      g.labels->data(), g.edges);
                                }}}));
  Append(all, Versions<Graph>("Relax", kSizes, Make<Graph>,
                              {{"edges",
                                [](G g) {
                                  StartDistances(g);
                                  RelaxEdges<<<Blocks(g.edges), 256>>>(
                                      g.rows->data(), g.columns->data(), g.weights->data(),
                                      g.labels->data(), g.edges);
                                }},
                               {"vertices", [](G g) {
                                  StartDistances(g);
                                  RelaxVertices<<<Blocks(g.n), 256>>>(
                                      g.offsets->data(), g.columns->data(), g.weights->data(),
                                      g.labels->data(), g.n);
                                }}}));
  Append(all, Versions<Graph>("Colour", kSizes, Make<Graph>,
                              {{"scan",
                                [](G g) {
                                  ColourByScan<<<Blocks(g.n), 256>>>(
                                      g.offsets->data(), g.columns->data(), g.labels->data(), g.n);
                                }},
                               {"bits", [](G g) {
                                  ColourByBits<<<Blocks(g.n), 256>>>(
                                      g.offsets->data(), g.columns->data(), g.labels->data(), g.n);
                                }}}));
  using L = const List&;
  Append(all, Versions<List>("List", {1 << 8, 1 << 12, 1 << 16}, Make<List>,
                             {{"jumps", RankByJumps}, {"thread", [](L l) {
                                                         FollowList<<<1, 1>>>(l.next->data(),
                                                                              l.rank->data(), l.n);
                                                       }}}));
  return all;
}

}  // namespace blind
