// Compares searches with a kernel that reads each edge once.
//
//   bfs_bench [scale]...      22 unless said
//
// The first graph is that of the Graph500 benchmark: R-MAT with its quarters, 2^scale vertices
// under shuffled names, 16 edges for each, undirected, with the loops and multiple edges that come
// out. Others are like social networks, R-MAT with more even quarters; like the web, with less even
// ones and names in order, so that neighbours are near; and like roads, a grid of as many vertices.
// Three sources are drawn among vertices with edges. The work of a search is the number of edges,
// each way once, of vertices that it reaches. All distances and parents are checked.

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/benchmark/device.h"
#include "common/cuda/check.h"
#include "common/cuda/device_array.h"
#include "common/lab/testing/inputs.h"
#include "common/sparse/generate.h"
#include "common/sparse/matrix.h"
#include "labs/cuda_bfs/bfs.h"

// All that these include is included already.
namespace frontier_in_a_bitmap {
#include "solutions/cuda_bfs/accepted/frontier_in_a_bitmap.cu"
}
namespace one_launch {
#include "solutions/cuda_bfs/accepted/one_launch.cu"
}
namespace warp_for_each_vertex {
#include "solutions/cuda_bfs/accepted/warp_for_each_vertex.cu"
}

namespace {

using lab::Candidate;
using lab::DeviceArray;

constexpr unsigned kCheckThreads = 256;
constexpr unsigned kCheckBlocks = 4096;
constexpr std::size_t kEdges = 16;  // for each vertex

// A graph in both memories.
struct Input {
  explicit Input(sparse::CsrMatrix from)
      : host(std::move(from)), row_starts(host.row_pointers), neighbors(host.column_indices) {}
  DeviceSpan<const unsigned> rows() const { return row_starts.span(); }
  DeviceSpan<const unsigned> edges() const { return neighbors.span(); }

  sparse::CsrMatrix host;
  DeviceArray<unsigned> row_starts;
  DeviceArray<unsigned> neighbors;
};

// What a search writes.
struct Output {
  explicit Output(std::size_t n) : distances(n), parents(n) {}
  void Poison() const {
    distances.Fill(0xa5);
    parents.Fill(0xa5);
    CUDA_CHECK(cudaDeviceSynchronize());
  }

  DeviceArray<unsigned> distances;
  DeviceArray<unsigned> parents;
};

struct Searcher {
  std::string name;
  std::function<void(const Output&, cudaStream_t)> run;
  bool gives_parents = true;
};

struct Kind {
  const char* name;
  std::function<sparse::CsrMatrix(std::size_t, lab::Random&)> graph;  // of 2^scale vertices
};

std::function<sparse::CsrMatrix(std::size_t, lab::Random&)> Rmat(
    const sparse::RmatQuarters& quarters, bool shuffles_names) {
  return [=](std::size_t scale, lab::Random& random) {
    std::vector<unsigned> names(std::size_t{1} << scale);
    std::iota(names.begin(), names.end(), 0u);
    if (shuffles_names) random.Shuffle(names);
    sparse::CooMatrix graph = sparse::Rmat(scale, kEdges << scale, random, quarters);
    for (unsigned& v : graph.row_indices) v = names[v];
    for (unsigned& v : graph.column_indices) v = names[v];
    return sparse::ToCsr(sparse::WithMirrorImages(graph));
  };
}

sparse::CsrMatrix Roads(std::size_t scale, lab::Random&) {
  return sparse::Grid(std::size_t{1} << scale / 2, std::size_t{1} << (scale - scale / 2));
}

const Kind kKinds[] = {{"R-MAT", Rmat({}, true)},
                       {"like a social network", Rmat({0.45, 0.22, 0.22, 0.11}, true)},
                       {"like the web", Rmat({0.65, 0.15, 0.15, 0.05}, false)},
                       {"like roads", Roads}};

std::vector<unsigned> Distances(const sparse::CsrMatrix& graph, unsigned source) {
  std::vector<unsigned> distances(graph.rows, kUnreached);
  distances[source] = 0;
  std::vector<unsigned> reached{source};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const unsigned u : graph.Row(reached[i])) {
      if (distances[u] != kUnreached) continue;
      distances[u] = distances[reached[i]] + 1;
      reached.push_back(u);
    }
  }
  return distances;
}

// A warp for each vertex looks whether an edge leads to its parent, which is then one from there.
__global__ void CheckKernel(const unsigned* row_starts, const unsigned* neighbors, unsigned n,
                            const unsigned* want, const unsigned* distances,
                            const unsigned* parents, unsigned source, unsigned* wrong) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned warps = gridDim.x * kCheckThreads / 32;
  for (unsigned v = (blockIdx.x * kCheckThreads + threadIdx.x) / 32; v < n; v += warps) {
    bool is_right = distances[v] == want[v];
    if (parents != nullptr && is_right) {
      const unsigned parent = parents[v];
      if (want[v] == kUnreached || v == source) {
        is_right = parent == (v == source ? source : kUnreached);
      } else {
        bool has_edge = false;
        for (unsigned e = row_starts[v] + lane; e < row_starts[v + 1]; e += 32) {
          has_edge |= neighbors[e] == parent;
        }
        is_right = __any_sync(0xffffffffu, has_edge) && want[parent] + 1 == want[v];
      }
    }
    if (!is_right && lane == 0) atomicAdd(wrong, 1u);
  }
}

bool IsRight(const Input& input, const DeviceArray<unsigned>& want, unsigned source,
             const Output& output, bool gives_parents) {
  const DeviceArray<unsigned> wrong(1);
  wrong.Fill(0);
  CheckKernel<<<kCheckBlocks, kCheckThreads>>>(
      input.row_starts.data(), input.neighbors.data(), static_cast<unsigned>(input.host.rows),
      want.data(), output.distances.data(), gives_parents ? output.parents.data() : nullptr, source,
      wrong.data());
  CUDA_CHECK(cudaGetLastError());
  return wrong.First() == 0;
}

// The sum of all neighbors, and of those of threads that have none left.
__global__ void ReadKernel(const uint4* neighbors, std::size_t quads, unsigned* sum) {
  unsigned mine = 0;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < quads; i += stride) {
    const uint4 four = neighbors[i];
    mine += four.x + four.y + four.z + four.w;
  }
  mine = __reduce_add_sync(0xffffffffu, mine);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, mine);
}

// The baseline. Up to three of the edges are left out.
Candidate ReadsEachEdge(const Input& input, const DeviceArray<unsigned>& sum, double edges) {
  const std::size_t quads = input.host.size() / 4;
  unsigned want = 0;
  for (std::size_t e = 0; e < quads * 4; ++e) want += input.host.column_indices[e];
  return {"reads each edge once", edges,
          [&input, &sum, quads] {
            CUDA_CHECK(cudaMemsetAsync(sum.data(), 0, sizeof(unsigned)));
            ReadKernel<<<132 * 8, 256>>>(reinterpret_cast<const uint4*>(input.neighbors.data()),
                                         quads, sum.data());
            CUDA_CHECK(cudaGetLastError());
          },
          [&sum, want] { return sum.First() == want; }};
}

using DeviceSearch = void (*)(DeviceSpan<const unsigned>, DeviceSpan<const unsigned>, unsigned,
                              DeviceSpan<unsigned>, DeviceSpan<unsigned>, cudaStream_t);

Searcher Ours(const char* name, DeviceSearch search, const Input& input, unsigned source) {
  return {name, [search, &input, source](const Output& output, cudaStream_t stream) {
            search(input.rows(), input.edges(), source, output.distances.span(),
                   output.parents.span(), stream);
          }};
}

std::vector<Searcher> Searchers(const Input& input, unsigned source) {
  return {Ours("one_launch, part 5", one_launch::SearchBothWays, input, source),
          Ours("frontier_in_a_bitmap, part 5", frontier_in_a_bitmap::SearchBothWays, input, source),
          Ours("reference, part 5", SearchBothWays, input, source),
          Ours("warp_for_each_vertex, part 3", warp_for_each_vertex::SearchByPrivateQueues, input,
               source),
          Ours("reference, part 3", SearchByPrivateQueues, input, source),
          Ours("reference, part 2", SearchByQueue, input, source),
          {"reference, part 4",
           [&input, source](const Output& output, cudaStream_t stream) {
             SearchHybrid(input.host.row_pointers, input.host.column_indices, input.rows(),
                          input.edges(), source, output.distances.span(), output.parents.span(),
                          stream);
           }},
          {"reference, part 1",
           [&input, source](const Output& output, cudaStream_t stream) {
             SearchByVertex(input.rows(), input.edges(), source, output.distances.span(), stream);
           },
           false}};
}

// The edges of vertices that are reached; a loop stands there once, the others twice.
double EdgesReached(const sparse::CsrMatrix& graph, const std::vector<unsigned>& distances) {
  double edges = 0;
  for (std::size_t v = 0; v < graph.rows; ++v) {
    if (distances[v] != kUnreached) edges += static_cast<double>(graph.Length(v));
  }
  return edges / 2;
}

bool Measure(const Input& input, unsigned source) {
  const std::vector<unsigned> distances = Distances(input.host, source);
  const DeviceArray<unsigned> want(distances);
  const double edges = EdgesReached(input.host, distances);
  const std::string name =
      "source " + std::to_string(source) + ", degree " + std::to_string(input.host.Length(source));
  const Output output(input.host.rows);
  const DeviceArray<unsigned> sum(1);
  std::vector<Candidate> candidates{ReadsEachEdge(input, sum, edges)};
  for (const Searcher& searcher : Searchers(input, source)) {
    candidates.push_back({searcher.name, edges,
                          [run = searcher.run, &output] { run(output, nullptr); },
                          [&input, &want, &output, source, parents = searcher.gives_parents] {
                            return IsRight(input, want, source, output, parents);
                          }});
  }
  return lab::CompareOnDevice(
      name, candidates, [&output] { output.Poison(); }, "GTEPS");
}

bool RunKind(const Kind& kind, std::size_t scale) {
  lab::Random edges(1);
  const Input input(kind.graph(scale, edges));
  std::printf("%s, scale %zu: %zu vertices, %zu edges counted each way\n", kind.name, scale,
              input.host.rows, input.host.size());
  lab::Random random(2);
  for (int drawn = 0; drawn < 3;) {
    const auto source = random.UniformInt<unsigned>(0, static_cast<unsigned>(input.host.rows - 1));
    if (input.host.Length(source) == 0) continue;
    if (!Measure(input, source)) return false;
    ++drawn;
  }
  return true;
}

bool Run(std::size_t scale) {
  return std::all_of(std::begin(kKinds), std::end(kKinds),
                     [scale](const Kind& kind) { return RunKind(kind, scale); });
}

}  // namespace

int main(int argc, char** argv) { return lab::RunSizes(argc, argv, {"scale", 1, 25, {22}}, Run); }
