// Sparse rows and graphs.

#include <cuda_runtime.h>

#include "common/cudasim/predict/calibrate/dependent.h"

namespace calibrate {
namespace {

constexpr unsigned kUnseen = ~0u;
constexpr unsigned kLevel = 2;  // that a walk expands

// Rows of unlike lengths, those of a graph: compressed sparse rows.
__global__ void RowsOfGraph(const unsigned* offsets, const unsigned* columns, const float* values,
                            const float* x, float* y, unsigned rows) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (unsigned e = offsets[row]; e < offsets[row + 1]; ++e) sum += values[e] * x[columns[e]];
  y[row] = sum;
}

__global__ void RowsByWarps(const unsigned* offsets, const unsigned* columns, const float* values,
                            const float* x, float* y, unsigned rows) {
  const unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= rows) return;
  float sum = 0;
  for (unsigned e = offsets[row] + threadIdx.x % 32; e < offsets[row + 1]; e += 32) {
    sum += values[e] * x[columns[e]];
  }
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lanes);
  if (threadIdx.x % 32 == 0) y[row] = sum;
}

__global__ void RowsOfEntries(const unsigned* rows, const unsigned* columns, const float* values,
                              const float* x, float* y, unsigned entries) {
  const unsigned e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < entries) atomicAdd(&y[rows[e]], values[e] * x[columns[e]]);
}

__global__ void WalkByVertices(const unsigned* offsets, const unsigned* columns, unsigned* levels,
                               unsigned vertices) {
  const unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= vertices || levels[v] != kLevel) return;
  for (unsigned e = offsets[v]; e < offsets[v + 1]; ++e) {
    const unsigned w = columns[e];
    if (levels[w] == kUnseen) levels[w] = kLevel + 1;
  }
}

__global__ void WalkByFrontier(const unsigned* offsets, const unsigned* columns, unsigned* levels,
                               const unsigned* frontier, unsigned size, unsigned* next,
                               unsigned* next_size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const unsigned v = frontier[i];
  for (unsigned e = offsets[v]; e < offsets[v + 1]; ++e) {
    const unsigned w = columns[e];
    if (levels[w] == kUnseen && atomicCAS(&levels[w], kUnseen, kLevel + 1) == kUnseen) {
      next[atomicAdd(next_size, 1)] = w;
    }
  }
}

__global__ void WalkWithoutAtomics(const unsigned* offsets, const unsigned* columns,
                                   const unsigned* levels, const unsigned* frontier, unsigned size,
                                   unsigned* is_next) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const unsigned v = frontier[i];
  for (unsigned e = offsets[v]; e < offsets[v + 1]; ++e) {
    const unsigned w = columns[e];
    if (levels[w] == kUnseen) is_next[w] = 1;
  }
}

__global__ void WalkBottomUp(const unsigned* offsets, const unsigned* columns, unsigned* levels,
                             unsigned vertices) {
  const unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= vertices || levels[v] != kUnseen) return;
  for (unsigned e = offsets[v]; e < offsets[v + 1]; ++e) {
    if (levels[columns[e]] == kLevel) {
      levels[v] = kLevel + 1;
      break;
    }
  }
}

// Each thread goes 16 edges from its vertex, in directions that look random.
__global__ void WalkAtRandom(const unsigned* offsets, const unsigned* columns, unsigned* ends,
                             unsigned walks) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= walks) return;
  unsigned v = i;
  unsigned random = i;
  for (int step = 0; step < 16; ++step) {
    random = random * 1664525u + 1013904223u;
    const unsigned begin = offsets[v];
    v = columns[begin + (random >> 16) % (offsets[v + 1] - begin)];
  }
  ends[i] = v;
}

// Vertices with 1 to 15 edges to vertices anywhere; some lie close by.
struct Graph {
  explicit Graph(unsigned edges);
  std::vector<unsigned> offsets;
  std::vector<unsigned> columns;
  std::vector<unsigned> rows;
  unsigned vertices() const { return static_cast<unsigned>(offsets.size()) - 1; }
};

Graph::Graph(unsigned edges) : offsets{0} {
  const unsigned n = edges / 8;
  for (unsigned v = 0; v < n; ++v) {
    const unsigned degree = 1 + Mixed(v) % 15;
    for (unsigned e = 0; e < degree; ++e) {
      columns.push_back(Mixed(v * 16 + e) % n);
      rows.push_back(v);
    }
    offsets.push_back(static_cast<unsigned>(columns.size()));
  }
}

// Of breadth-first search from 16 vertices, those up to kLevel.
std::vector<unsigned> Levels(const Graph& graph, std::vector<unsigned>& frontier) {
  std::vector<unsigned> levels(graph.vertices(), kUnseen);
  const unsigned sources = std::max(16u, graph.vertices() / 256);
  for (unsigned v = 0; v < sources; ++v) {
    levels[v] = 0;
    frontier.push_back(v);
  }
  for (unsigned level = 1; level <= kLevel; ++level) {
    std::vector<unsigned> next;
    for (const unsigned v : frontier) {
      for (unsigned e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e) {
        const unsigned w = graph.columns[e];
        if (levels[w] != kUnseen) continue;
        levels[w] = level;
        next.push_back(w);
      }
    }
    frontier = next;
  }
  return levels;
}

// On the device, with what a walk begins from.
struct DeviceGraph {
  template <typename T>
  using Array = lab::DeviceArray<T>;

  explicit DeviceGraph(unsigned edges) : DeviceGraph(Graph(edges), {}) {}
  DeviceGraph(const Graph& graph, std::vector<unsigned> of_level)
      : vertices(graph.vertices()),
        entries(static_cast<unsigned>(graph.columns.size())),
        offsets(graph.offsets),
        columns(graph.columns),
        rows(graph.rows),
        before(Levels(graph, of_level)),
        levels(vertices),
        frontier(of_level),
        next(vertices + 1),
        values(entries),
        x(vertices),
        y(vertices) {
    values.Fill(0);
    x.Fill(0);
    y.Fill(0);
  }
  void Restart(cudaStream_t stream) const {
    CUDA_CHECK(cudaMemcpyAsync(levels.data(), before.data(), levels.bytes(),
                               cudaMemcpyDeviceToDevice, stream));
    CUDA_CHECK(cudaMemsetAsync(next.data(), 0, next.bytes(), stream));
  }
  unsigned frontier_size() const { return static_cast<unsigned>(frontier.size()); }

  unsigned vertices;
  unsigned entries;
  Array<unsigned> offsets, columns, rows, before, levels, frontier, next;
  Array<float> values, x, y;
};

unsigned Blocks(unsigned threads) { return (threads + 255) / 256; }

Workload GraphOf(const char* name, void (*run)(const DeviceGraph&)) {
  return {name, {14, 18, 22}, [=](int log) {
            const auto graph = std::make_shared<DeviceGraph>(1u << log);
            return [=](cudaStream_t stream) {
              graph->Restart(stream);
              CUDA_CHECK(cudaStreamSynchronize(stream));
              run(*graph);
            };
          }};
}

}  // namespace

std::vector<Workload> Walks() {
  using G = const DeviceGraph&;
  return {
      GraphOf("RowsOfGraph",
              [](G g) {
                RowsOfGraph<<<Blocks(g.vertices), 256>>>(g.offsets.data(), g.columns.data(),
                                                         g.values.data(), g.x.data(), g.y.data(),
                                                         g.vertices);
              }),
      GraphOf("RowsByWarps",
              [](G g) {
                RowsByWarps<<<Blocks(32 * g.vertices), 256>>>(g.offsets.data(), g.columns.data(),
                                                              g.values.data(), g.x.data(),
                                                              g.y.data(), g.vertices);
              }),
      GraphOf("RowsOfEntries",
              [](G g) {
                RowsOfEntries<<<Blocks(g.entries), 256>>>(g.rows.data(), g.columns.data(),
                                                          g.values.data(), g.x.data(), g.y.data(),
                                                          g.entries);
              }),
      GraphOf("WalkByVertices",
              [](G g) {
                WalkByVertices<<<Blocks(g.vertices), 256>>>(g.offsets.data(), g.columns.data(),
                                                            g.levels.data(), g.vertices);
              }),
      GraphOf("WalkByFrontier",
              [](G g) {
                WalkByFrontier<<<Blocks(g.frontier_size()), 256>>>(
                    g.offsets.data(), g.columns.data(), g.levels.data(), g.frontier.data(),
                    g.frontier_size(), g.next.data() + 1, g.next.data());
              }),
      GraphOf("WalkWithoutAtomics",
              [](G g) {
                WalkWithoutAtomics<<<Blocks(g.frontier_size()), 256>>>(
                    g.offsets.data(), g.columns.data(), g.levels.data(), g.frontier.data(),
                    g.frontier_size(), g.next.data());
              }),
      GraphOf("WalkBottomUp",
              [](G g) {
                WalkBottomUp<<<Blocks(g.vertices), 256>>>(g.offsets.data(), g.columns.data(),
                                                          g.levels.data(), g.vertices);
              }),
      GraphOf("WalkAtRandom",
              [](G g) {
                WalkAtRandom<<<Blocks(g.vertices), 256>>>(g.offsets.data(), g.columns.data(),
                                                          g.next.data(), g.vertices);
              }),
      GraphOf("WalkAlone",
              [](G g) {
                WalkAtRandom<<<1, 1>>>(g.offsets.data(), g.columns.data(), g.next.data(), 1);
              }),
  };
}

}  // namespace calibrate
