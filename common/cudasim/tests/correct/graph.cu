// Irregular work: sparse matrices and graphs in CSR form.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <climits>
#include <vector>

#include "common/cudasim/tests/features/device_vector.h"
#include "common/cudasim/tests/features/numbers.h"

namespace correct_graph {

constexpr int kNodes = 60;
constexpr int kBlock = 32;
constexpr int kGrid = (kNodes + kBlock - 1) / kBlock;

// Rows of 0 to 6 entries; row_begin has kNodes + 1 elements.
struct Csr {
  std::vector<int> row_begin{0};
  std::vector<int> column;
  std::vector<int> value;
};

Csr MakeGraph() {
  Csr graph;
  const std::vector<int> random = SmallNumbers(1000, 1000);
  std::size_t next = 0;
  for (int row = 0; row < kNodes; ++row) {
    const int degree = row == 7 ? 0 : random[next++] % 6 + 1;
    for (int k = 0; k < degree; ++k) {
      graph.column.push_back(random[next++] % kNodes);
      graph.value.push_back(random[next++] % 9 + 1);
    }
    graph.row_begin.push_back(static_cast<int>(graph.column.size()));
  }
  return graph;
}

struct DeviceCsr {
  explicit DeviceCsr(const Csr& graph)
      : row_begin(graph.row_begin), column(graph.column), value(graph.value) {}
  DeviceVector<int> row_begin, column, value;
};

// The thread that discovers a node puts it into the next frontier.
__global__ void Expand(const int* begin, const int* column, const int* frontier, int size,
                       int* level, int depth, int* next, int* next_size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const int node = frontier[i];
  for (int k = begin[node]; k < begin[node + 1]; ++k) {
    if (atomicCAS(&level[column[k]], -1, depth) == -1) next[atomicAdd(next_size, 1)] = column[k];
  }
}

__global__ void Relax(const int* begin, const int* column, const int* weight, int* distance,
                      int* changed) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= kNodes) return;
  const int mine = atomicAdd(&distance[node], 0);
  if (mine == INT_MAX) return;
  for (int k = begin[node]; k < begin[node + 1]; ++k) {
    const int through = mine + weight[k];
    if (atomicMin(&distance[column[k]], through) > through) atomicExch(changed, 1);
  }
}

std::vector<int> Levels(const Csr& graph) {
  std::vector<int> level(kNodes, -1), queue{0};
  level[0] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const int node = queue[i];
    for (int k = graph.row_begin[node]; k < graph.row_begin[node + 1]; ++k) {
      if (level[graph.column[k]] != -1) continue;
      level[graph.column[k]] = level[node] + 1;
      queue.push_back(graph.column[k]);
    }
  }
  return level;
}

TEST(CsrTest, BreadthFirstByFrontiers) {
  const Csr graph = MakeGraph();
  const DeviceCsr g(graph);
  std::vector<int> start(kNodes, -1);
  start[0] = 0;
  const DeviceVector<int> level(start), a(kNodes), b(kNodes);
  int *frontier = a.get(), *next = b.get();
  int size = 1;
  for (int depth = 1; size > 0; ++depth) {
    const DeviceVector<int> next_size(1);
    Expand<<<kGrid, kBlock>>>(g.row_begin.get(), g.column.get(), frontier, size, level.get(), depth,
                              next, next_size.get());
    size = next_size.ToHost()[0];
    std::swap(frontier, next);
  }
  EXPECT_EQ(level.ToHost(), Levels(graph));
}

TEST(CsrTest, ShortestPathsByRelaxation) {
  const Csr graph = MakeGraph();
  const DeviceCsr g(graph);
  std::vector<int> expected(kNodes, INT_MAX);
  expected[0] = 0;
  const DeviceVector<int> distance(expected);
  for (int pass = 0; pass < kNodes; ++pass) {
    for (int node = 0; node < kNodes; ++node) {
      if (expected[node] == INT_MAX) continue;
      for (int k = graph.row_begin[node]; k < graph.row_begin[node + 1]; ++k) {
        int& other = expected[graph.column[k]];
        if (expected[node] + graph.value[k] < other) other = expected[node] + graph.value[k];
      }
    }
  }
  for (int changed = 1; changed != 0;) {
    const DeviceVector<int> flag(1);
    Relax<<<kGrid, kBlock>>>(g.row_begin.get(), g.column.get(), g.value.get(), distance.get(),
                             flag.get());
    changed = flag.ToHost()[0];
  }
  EXPECT_EQ(distance.ToHost(), expected);
}

}  // namespace correct_graph
