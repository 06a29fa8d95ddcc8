// The calls whose times are predicted and measured: see common/cudasim/predict/README.md.

#include "common/cudasim/predict/measure/workload.h"

#include "common/cudasim/predict/measure/power_law.h"
#include "labs/cuda_bfs/bfs.h"

using predict::Filled;
using predict::Floats;
using predict::Mixed;
using predict::Room;
using predict::Workload;

namespace {

using Call = std::function<void(cudaStream_t)>;

// An undirected power-law graph of 2^size vertices, 8 edges for each.
struct Graph {
  explicit Graph(sparse::CsrMatrix csr)
      : host(std::move(csr)),
        rows(host.row_pointers),
        neighbors(host.column_indices),
        distances(host.rows),
        parents(host.rows) {
    while (host.Length(source) == 0) ++source;
  }
  sparse::CsrMatrix host;
  lab::DeviceArray<unsigned> rows;
  lab::DeviceArray<unsigned> neighbors;
  lab::DeviceArray<unsigned> distances;
  lab::DeviceArray<unsigned> parents;
  unsigned source = 0;
};

std::shared_ptr<Graph> Made(int size) {
  const sparse::CooMatrix edges = predict::PowerLaw(size, 8);
  return std::make_shared<Graph>(sparse::ToCsr(sparse::WithMirrorImages(edges)));
}

using Search = void (*)(DeviceSpan<const unsigned>, DeviceSpan<const unsigned>, unsigned,
                        DeviceSpan<unsigned>, DeviceSpan<unsigned>, cudaStream_t);

Workload SearchOf(const char* name, Search function) {
  return {name, {10, 13, 16}, [function](int size) -> Call {
            const auto g = Made(size);
            return [=](cudaStream_t stream) {
              function(g->rows.span(), g->neighbors.span(), g->source, g->distances.span(),
                       g->parents.span(), stream);
            };
          }};
}

Call ByVertex(int size) {
  const auto g = Made(size);
  return [=](cudaStream_t stream) {
    SearchByVertex(g->rows.span(), g->neighbors.span(), g->source, g->distances.span(), stream);
  };
}

Call Hybrid(int size) {
  const auto g = Made(size);
  return [=](cudaStream_t stream) {
    SearchHybrid(g->host.row_pointers, g->host.column_indices, g->rows.span(), g->neighbors.span(),
                 g->source, g->distances.span(), g->parents.span(), stream);
  };
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<int> sizes{10, 13, 16};
  return predict::RunWorkloads({{"SearchByVertex", sizes, ByVertex},
                                SearchOf("SearchByQueue", SearchByQueue),
                                SearchOf("SearchByPrivateQueues", SearchByPrivateQueues),
                                {"SearchHybrid", sizes, Hybrid},
                                SearchOf("SearchBothWays", SearchBothWays)},
                               argc, argv);
}
