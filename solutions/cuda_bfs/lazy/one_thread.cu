// Lazy: a single thread searches with a queue, as the host would.

#include <cuda_runtime.h>

#include <cstddef>
#include <span>

#include "common/cuda/check.h"
#include "labs/cuda_bfs/bfs.h"

namespace {

__global__ void SearchKernel(const unsigned* row_starts, const unsigned* neighbors, unsigned n,
                             unsigned source, unsigned* distances, unsigned* parents,
                             unsigned* queue) {
  for (unsigned v = 0; v < n; ++v) {
    distances[v] = kUnreached;
    if (parents != nullptr) parents[v] = kUnreached;
  }
  unsigned end = 0;
  queue[end++] = source;
  distances[source] = 0;
  if (parents != nullptr) parents[source] = source;
  for (unsigned i = 0; i < end; ++i) {
    const unsigned v = queue[i];
    for (unsigned e = row_starts[v]; e < row_starts[v + 1]; ++e) {
      const unsigned u = neighbors[e];
      if (distances[u] != kUnreached) continue;
      distances[u] = distances[v] + 1;
      if (parents != nullptr) parents[u] = v;
      queue[end++] = u;
    }
  }
}

// Device memory that is taken and given back in the order of the stream.
class Words {
 public:
  Words(std::size_t count, cudaStream_t stream) : stream_(stream) {
    CUDA_CHECK(cudaMallocAsync(&data_, count * sizeof(unsigned), stream));
  }
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;
  ~Words() { cudaFreeAsync(data_, stream_); }
  unsigned* data() const { return static_cast<unsigned*>(data_); }

 private:
  void* data_ = nullptr;
  cudaStream_t stream_;
};

// `parents` may be null.
void Search(DeviceSpan<const unsigned> row_starts, DeviceSpan<const unsigned> neighbors,
            unsigned source, DeviceSpan<unsigned> distances, unsigned* parents,
            cudaStream_t stream) {
  const auto n = static_cast<unsigned>(distances.size());
  if (n == 0) return;
  const Words queue(n, stream);
  SearchKernel<<<1, 1, 0, stream>>>(row_starts.data(), neighbors.data(), n, source,
                                    distances.data(), parents, queue.data());
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void SearchByVertex(DeviceSpan<const unsigned> row_starts, DeviceSpan<const unsigned> neighbors,
                    unsigned source, DeviceSpan<unsigned> distances, cudaStream_t stream) {
  Search(row_starts, neighbors, source, distances, nullptr, stream);
}

void SearchByQueue(DeviceSpan<const unsigned> row_starts, DeviceSpan<const unsigned> neighbors,
                   unsigned source, DeviceSpan<unsigned> distances, DeviceSpan<unsigned> parents,
                   cudaStream_t stream) {
  Search(row_starts, neighbors, source, distances, parents.data(), stream);
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
