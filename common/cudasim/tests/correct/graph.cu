// Irregular work: sparse matrices and graphs in CSR form.
#include <climits>

#include "common/cudasim/tests/correct/correct.h"

namespace {

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
  const std::vector<int> random = Numbers(1000, 1000);
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
  DeviceArray<int> row_begin, column, value;
};

__global__ void SpmvScalar(const int* begin, const int* column, const int* value, const int* x,
                           int* y) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= kNodes) return;
  int sum = 0;
  for (int k = begin[row]; k < begin[row + 1]; ++k) sum += value[k] * x[column[k]];
  y[row] = sum;
}

__global__ void SpmvVector(const int* begin, const int* column, const int* value, const int* x,
                           int* y) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= kNodes) return;
  int sum = 0;
  for (int k = begin[row] + lane; k < begin[row + 1]; k += 32) sum += value[k] * x[column[k]];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (lane == 0) y[row] = sum;
}

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

// Labels propagate along edges in both directions until none changes.
__global__ void Propagate(const int* begin, const int* column, int* label, int* changed) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= kNodes) return;
  for (int k = begin[node]; k < begin[node + 1]; ++k) {
    const int mine = atomicAdd(&label[node], 0);
    const int theirs = atomicMin(&label[column[k]], mine);
    if (theirs < mine) atomicMin(&label[node], theirs);
    if (theirs != mine) atomicExch(changed, 1);
  }
}

bool Multiplies(void (*kernel)(const int*, const int*, const int*, const int*, int*), int grid,
                int block) {
  const Csr graph = MakeGraph();
  const std::vector<int> x = Numbers(kNodes);
  std::vector<int> expected(kNodes);
  for (int row = 0; row < kNodes; ++row) {
    for (int k = graph.row_begin[row]; k < graph.row_begin[row + 1]; ++k) {
      expected[row] += graph.value[k] * x[graph.column[k]];
    }
  }
  const DeviceCsr m(graph);
  const DeviceArray<int> dx(x), y(kNodes);
  kernel<<<grid, block>>>(m.row_begin.get(), m.column.get(), m.value.get(), dx.get(), y.get());
  return y.ToHost() == expected;
}

bool SpmvThreadPerRow() { return Multiplies(SpmvScalar, kGrid, kBlock); }
bool SpmvWarpPerRow() { return Multiplies(SpmvVector, kNodes / 2, 64); }

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

bool BreadthFirstByFrontiers() {
  const Csr graph = MakeGraph();
  const DeviceCsr g(graph);
  std::vector<int> start(kNodes, -1);
  start[0] = 0;
  const DeviceArray<int> level(start), a(kNodes), b(kNodes);
  int *frontier = a.get(), *next = b.get();
  int size = 1;
  for (int depth = 1; size > 0; ++depth) {
    const DeviceArray<int> next_size(1);
    Expand<<<kGrid, kBlock>>>(g.row_begin.get(), g.column.get(), frontier, size, level.get(), depth,
                              next, next_size.get());
    size = next_size.ToHost()[0];
    std::swap(frontier, next);
  }
  return level.ToHost() == Levels(graph);
}

bool ShortestPathsByRelaxation() {
  const Csr graph = MakeGraph();
  const DeviceCsr g(graph);
  std::vector<int> expected(kNodes, INT_MAX);
  expected[0] = 0;
  const DeviceArray<int> distance(expected);
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
    const DeviceArray<int> flag(1);
    Relax<<<kGrid, kBlock>>>(g.row_begin.get(), g.column.get(), g.value.get(), distance.get(),
                             flag.get());
    changed = flag.ToHost()[0];
  }
  return distance.ToHost() == expected;
}

bool ComponentsByLabels() {
  const Csr graph = MakeGraph();
  const DeviceCsr g(graph);
  std::vector<int> expected(kNodes);
  for (int i = 0; i < kNodes; ++i) expected[i] = i;
  const DeviceArray<int> label(expected);
  for (bool changed = true; changed;) {
    changed = false;
    for (int node = 0; node < kNodes; ++node) {
      for (int k = graph.row_begin[node]; k < graph.row_begin[node + 1]; ++k) {
        int &mine = expected[node], &theirs = expected[graph.column[k]];
        changed = changed || mine != theirs;
        mine = theirs = mine < theirs ? mine : theirs;
      }
    }
  }
  for (int changed = 1; changed != 0;) {
    const DeviceArray<int> flag(1);
    Propagate<<<kGrid, kBlock>>>(g.row_begin.get(), g.column.get(), label.get(), flag.get());
    changed = flag.ToHost()[0];
  }
  return label.ToHost() == expected;
}

}  // namespace

int main(int argc, char** argv) {
  return RunCase(argc, argv,
                 {CASE(SpmvThreadPerRow), CASE(SpmvWarpPerRow), CASE(BreadthFirstByFrontiers),
                  CASE(ShortestPathsByRelaxation), CASE(ComponentsByLabels)});
}
