// Lazy: the kernel of part 1, which looks at every vertex in every level, in every part.

#include <cuda_runtime.h>

#include <cstddef>
#include <span>

#include "common/cuda/check.h"
#include "labs/cuda_bfs/bfs.h"

namespace {

constexpr unsigned kThreads = 256;

// What others may write at the same time.
__device__ unsigned Look(const unsigned* word) {
  return *static_cast<const volatile unsigned*>(word);
}

// `parents` may be null.
__global__ void LevelKernel(const unsigned* row_starts, const unsigned* neighbors, unsigned n,
                            unsigned level, unsigned* distances, unsigned* parents,
                            unsigned* last) {
  const unsigned v = blockIdx.x * kThreads + threadIdx.x;
  if (v >= n || Look(&distances[v]) != level) return;
  for (unsigned e = row_starts[v]; e < row_starts[v + 1]; ++e) {
    const unsigned u = neighbors[e];
    if (Look(&distances[u]) != kUnreached) continue;
    if (atomicCAS(&distances[u], kUnreached, level + 1) != kUnreached) continue;
    if (parents != nullptr) parents[u] = v;
    atomicExch(last, level + 1);
  }
}

__global__ void StartKernel(unsigned source, unsigned* distances, unsigned* parents) {
  distances[source] = 0;
  if (parents != nullptr) parents[source] = source;
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
  const std::size_t bytes = distances.size_bytes();
  const Words last(1, stream);
  CUDA_CHECK(cudaMemsetAsync(last.data(), 0, sizeof(unsigned), stream));
  CUDA_CHECK(cudaMemsetAsync(distances.data(), 0xff, bytes, stream));
  if (parents != nullptr) CUDA_CHECK(cudaMemsetAsync(parents, 0xff, bytes, stream));
  StartKernel<<<1, 1, 0, stream>>>(source, distances.data(), parents);
  CUDA_CHECK(cudaGetLastError());
  unsigned reached = 0;
  for (unsigned level = 0; level == reached; ++level) {
    LevelKernel<<<n / kThreads + 1, kThreads, 0, stream>>>(
        row_starts.data(), neighbors.data(), n, level, distances.data(), parents, last.data());
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(
        cudaMemcpyAsync(&reached, last.data(), sizeof(unsigned), cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
  }
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
