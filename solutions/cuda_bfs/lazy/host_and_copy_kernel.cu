// Lazy: the host searches; one kernel copies its results, and another one reads the graph.

#include <cuda_runtime.h>

#include <cstddef>
#include <queue>
#include <span>
#include <vector>

#include "common/cuda/check.h"
#include "labs/cuda_bfs/bfs.h"

namespace {

constexpr std::size_t kThreads = 256;

unsigned BlocksFor(std::size_t n) { return static_cast<unsigned>((n + kThreads - 1) / kThreads); }

__global__ void CopyKernel(const unsigned* from, unsigned* to, std::size_t n) {
  const std::size_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) to[i] = from[i];
}

// Device memory that is taken and given back in the order of the stream.
class Scratch {
 public:
  Scratch(std::size_t n, cudaStream_t stream) : stream_(stream) {
    CUDA_CHECK(cudaMallocAsync(&data_, n * sizeof(unsigned), stream));
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { cudaFreeAsync(data_, stream_); }
  unsigned* data() const { return static_cast<unsigned*>(data_); }

 private:
  void* data_ = nullptr;
  cudaStream_t stream_;
};

void Copy(const unsigned* from, unsigned* to, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  CopyKernel<<<BlocksFor(n), kThreads, 0, stream>>>(from, to, n);
  CUDA_CHECK(cudaGetLastError());
}

// Lets a kernel read the input, and throws away what it has read.
void Read(DeviceSpan<const unsigned> values, cudaStream_t stream) {
  if (values.empty()) return;
  const Scratch scratch(values.size(), stream);
  Copy(values.data(), scratch.data(), values.size(), stream);
}

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
  if (host.empty()) return;
  const Scratch scratch(host.size(), stream);
  CUDA_CHECK(cudaMemcpyAsync(scratch.data(), host.data(), values.size_bytes(),
                             cudaMemcpyHostToDevice, stream));
  Copy(scratch.data(), values.data(), host.size(), stream);
  CUDA_CHECK(cudaStreamSynchronize(stream));
}

}  // namespace

void SearchByVertex(DeviceSpan<const unsigned> row_starts, DeviceSpan<const unsigned> neighbors,
                    unsigned source, DeviceSpan<unsigned> distances, cudaStream_t stream) {
  Read(row_starts, stream);
  Read(neighbors, stream);
  Finish(Search(ToHost(row_starts, stream), ToHost(neighbors, stream), source, distances.size())
             .distances,
         distances, stream);
}

void SearchByQueue(DeviceSpan<const unsigned> row_starts, DeviceSpan<const unsigned> neighbors,
                   unsigned source, DeviceSpan<unsigned> distances, DeviceSpan<unsigned> parents,
                   cudaStream_t stream) {
  Read(row_starts, stream);
  Read(neighbors, stream);
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

void SearchHybrid(std::span<const unsigned>, std::span<const unsigned>,
                  DeviceSpan<const unsigned> row_starts, DeviceSpan<const unsigned> neighbors,
                  unsigned source, DeviceSpan<unsigned> distances, DeviceSpan<unsigned> parents,
                  cudaStream_t stream) {
  SearchByQueue(row_starts, neighbors, source, distances, parents, stream);
}

void SearchBothWays(DeviceSpan<const unsigned> row_starts, DeviceSpan<const unsigned> neighbors,
                    unsigned source, DeviceSpan<unsigned> distances, DeviceSpan<unsigned> parents,
                    cudaStream_t stream) {
  SearchByQueue(row_starts, neighbors, source, distances, parents, stream);
}
