// Lazy: a single warp makes the whole search in one launch, with a barrier after each level.

#include <cuda_runtime.h>

#include <cstddef>
#include <span>

#include "common/cuda/check.h"
#include "labs/cuda_bfs/bfs.h"

namespace {

constexpr unsigned kThreads = 32;

// What others may write at the same time.
__device__ unsigned Look(const unsigned* word) {
  return *static_cast<const volatile unsigned*>(word);
}

// The queue holds all vertices that were reached, level after level.
__global__ void SearchKernel(const unsigned* row_starts, const unsigned* neighbors, unsigned n,
                             unsigned source, unsigned* distances, unsigned* parents,
                             unsigned* queue) {
  __shared__ unsigned queued;
  for (unsigned v = threadIdx.x; v < n; v += kThreads) {
    distances[v] = v == source ? 0 : kUnreached;
    if (parents != nullptr) parents[v] = v == source ? source : kUnreached;
  }
  if (threadIdx.x == 0) {
    queue[0] = source;
    queued = 1;
  }
  __syncthreads();
  unsigned begin = 0;
  for (unsigned level = 0;; ++level) {
    const unsigned end = queued;
    __syncthreads();
    if (begin == end) return;
    for (unsigned i = begin + threadIdx.x; i < end; i += kThreads) {
      const unsigned v = queue[i];
      for (unsigned e = row_starts[v]; e < row_starts[v + 1]; ++e) {
        const unsigned u = neighbors[e];
        if (Look(&distances[u]) != kUnreached) continue;
        if (atomicCAS(&distances[u], kUnreached, level + 1) != kUnreached) continue;
        if (parents != nullptr) parents[u] = v;
        queue[atomicAdd(&queued, 1u)] = u;
      }
    }
    __syncthreads();
    begin = end;
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
  SearchKernel<<<1, kThreads, 0, stream>>>(row_starts.data(), neighbors.data(), n, source,
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
