// Times searches of the reference and of accepted solutions beside a kernel that reads each edge
// once.
//
//   bfs_bench [scale [edges for each vertex]]      22 and 16 unless said
//
// The graph is that of the Graph500 benchmark: R-MAT with its quarters, 2^scale vertices under
// shuffled names, undirected, with the loops and multiple edges that come out. Three sources are
// drawn among vertices with edges. All contenders run in turn, 21 times after three rounds of
// warming up; each time is that of CUDA events around one call, and medians are told. The work of a
// search is the number of edges, each way once, of vertices that it reaches. All distances and
// parents are checked after each run. Before that, two calls run at the same time on streams of
// their own.

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/cuda/check.h"
#include "common/cuda/contest.h"
#include "common/cuda/device_array.h"
#include "common/lab/inputs.h"
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

using lab::Contender;
using lab::DeviceArray;

constexpr unsigned kCheckThreads = 256;
constexpr unsigned kCheckBlocks = 4096;

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

sparse::CsrMatrix Graph(std::size_t scale, std::size_t edges) {
  lab::Random random(1);
  std::vector<unsigned> names(std::size_t{1} << scale);
  std::iota(names.begin(), names.end(), 0u);
  random.Shuffle(names);
  sparse::CooMatrix graph = sparse::Rmat(scale, edges << scale, random);
  for (unsigned& v : graph.row_indices) v = names[v];
  for (unsigned& v : graph.column_indices) v = names[v];
  return sparse::ToCsr(sparse::WithMirrorImages(graph));
}

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

// What the others are compared with. Up to three of the edges are left out.
Contender ReadsEachEdge(const Input& input, const DeviceArray<unsigned>& sum, double edges) {
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

void Print(const std::vector<Contender>& contenders, const std::string& name) {
  const double peer = contenders.front().Median();
  for (const Contender& contender : contenders) {
    std::printf("| %-24s | %-38s | %8.3f | %8.2f | %7.3f |\n", name.c_str(), contender.name.c_str(),
                contender.Median(), contender.Rate(), peer / contender.Median());
  }
}

bool Measure(const Input& input, unsigned source) {
  const std::vector<unsigned> distances = Distances(input.host, source);
  const DeviceArray<unsigned> want(distances);
  const double edges = EdgesReached(input.host, distances);
  const std::string name =
      "source " + std::to_string(source) + ", degree " + std::to_string(input.host.Length(source));
  const Output left(input.host.rows);
  const Output right(input.host.rows);
  const DeviceArray<unsigned> sum(1);
  std::vector<Contender> contenders{ReadsEachEdge(input, sum, edges)};
  for (const Searcher& searcher : Searchers(input, source)) {
    const auto task = [&](const Output& output) {
      return lab::StreamTask{
          [&output] { output.Poison(); },
          [run = searcher.run, &output](cudaStream_t stream) { run(output, stream); },
          [&input, &want, &output, source, parents = searcher.gives_parents] {
            return IsRight(input, want, source, output, parents);
          }};
    };
    const lab::StreamTask one = task(left);
    if (!lab::RunSideBySide(name + ": " + searcher.name, one, task(right), 1)) return false;
    contenders.push_back({searcher.name, edges, [run = one.run] { run(nullptr); }, one.is_right});
  }
  if (!lab::RunContest(contenders, [&left] { left.Poison(); })) return false;
  Print(contenders, name);
  return true;
}

bool Run(std::size_t scale, std::size_t edges) {
  const Input input(Graph(scale, edges));
  std::printf("%s: medians of %d\nR-MAT, scale %zu: %zu vertices, %zu edges counted each way\n\n",
              lab::Machine().c_str(), lab::kContestRounds, scale, input.host.rows,
              input.host.size());
  std::printf("| %-24s | %-38s | %8s | %8s | %7s |\n", "case", "what", "ms", "GTEPS", "ratio");
  std::printf(
      "| ------------------------ | -------------------------------------- | "
      "-------: | -------: | ------: |\n");
  lab::Random random(2);
  for (int drawn = 0; drawn < 3;) {
    const auto source = random.UniformInt<unsigned>(0, static_cast<unsigned>(input.host.rows - 1));
    if (input.host.Length(source) == 0) continue;
    if (!Measure(input, source)) return false;
    ++drawn;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t scale = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 22;
  const std::size_t edges = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 16;
  if (scale < 1 || scale > 26 || edges < 1 || edges > 64 || (edges << scale) > (1u << 30) - 1) {
    std::fprintf(stderr, "usage: %s [scale, 1 to 26 [edges, 1 to 64]]\n", argv[0]);
    return 2;
  }
  try {
    lab::KeepPooledMemory();
    return Run(scale, edges) ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
