// Lazy: the tree of part 1 in every block and every part, without coarsening or shuffles.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "common/cuda/check.h"
#include "labs/cuda_reduction/reduction.h"

namespace {

constexpr unsigned kThreads = kTile / 2;

// Each block adds up its tile. *sum is 0 before.
__global__ void TreeKernel(const float* values, std::size_t n, float* sum) {
  __shared__ float partial[kThreads];
  const unsigned t = threadIdx.x;
  const std::size_t i = blockIdx.x * kTile + t;
  partial[t] = (i < n ? values[i] : 0) + (i + kThreads < n ? values[i + kThreads] : 0);
  for (unsigned stride = kThreads / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (t < stride) partial[t] += partial[t + stride];
  }
  if (t == 0) atomicAdd(sum, partial[0]);
}

__device__ void Take(const MaxLocation& other, MaxLocation& best) {
  const bool equal = other.value == best.value;
  if (other.value > best.value || (equal && other.index < best.index)) best = other;
}

// The same tree for maxima: one for each tile.
__device__ void MaximumOfBlock(MaxLocation mine, MaxLocation* maxima) {
  __shared__ MaxLocation best[kThreads];
  const unsigned t = threadIdx.x;
  best[t] = mine;
  for (unsigned stride = kThreads / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (t < stride) Take(best[t + stride], best[t]);
  }
  if (t == 0) maxima[blockIdx.x] = best[0];
}

__global__ void FirstKernel(const float* values, std::size_t n, std::int64_t first,
                            MaxLocation nothing, MaxLocation* maxima) {
  const std::size_t i = blockIdx.x * kTile + threadIdx.x;
  MaxLocation mine = nothing;
  if (i < n) Take({values[i], first + static_cast<std::int64_t>(i)}, mine);
  const std::size_t other = i + kThreads;
  if (other < n) Take({values[other], first + static_cast<std::int64_t>(other)}, mine);
  MaximumOfBlock(mine, maxima);
}

__global__ void NextKernel(const MaxLocation* from, std::size_t n, MaxLocation nothing,
                           MaxLocation* maxima) {
  const std::size_t i = blockIdx.x * kTile + threadIdx.x;
  MaxLocation mine = i < n ? from[i] : nothing;
  if (i + kThreads < n) Take(from[i + kThreads], mine);
  MaximumOfBlock(mine, maxima);
}

unsigned Blocks(std::size_t n) { return static_cast<unsigned>((n + kTile - 1) / kTile); }

// Device memory that is taken and given back in the order of the stream.
class Scratch {
 public:
  Scratch(std::size_t count, cudaStream_t stream) : stream_(stream) {
    CUDA_CHECK(cudaMallocAsync(&data_, count * sizeof(MaxLocation), stream));
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { cudaFreeAsync(data_, stream_); }
  MaxLocation* data() const { return static_cast<MaxLocation*>(data_); }

 private:
  void* data_ = nullptr;
  cudaStream_t stream_;
};

}  // namespace

void Sum(DeviceSpan<const float> values, DeviceSpan<float> sum, cudaStream_t stream) {
  CUDA_CHECK(cudaMemsetAsync(sum.data(), 0, sizeof(float), stream));
  const std::size_t n = values.size();
  if (n == 0) return;
  TreeKernel<<<Blocks(n), kThreads, 0, stream>>>(values.data(), n, sum.data());
  CUDA_CHECK(cudaGetLastError());
}

void SumTile(DeviceSpan<const float> values, DeviceSpan<float> sum, cudaStream_t stream) {
  Sum(values, sum, stream);
}

void SumCoarsened(DeviceSpan<const float> values, DeviceSpan<float> sum, cudaStream_t stream) {
  Sum(values, sum, stream);
}

void FirstMaximum(DeviceSpan<const float> values, std::int64_t first,
                  DeviceSpan<MaxLocation> maximum, cudaStream_t stream) {
  const std::size_t n = values.size();
  const MaxLocation nothing{-std::numeric_limits<float>::infinity(),
                            first + static_cast<std::int64_t>(n)};
  unsigned left = Blocks(n) + 1;
  const Scratch one(left, stream);
  const Scratch other(left, stream);
  MaxLocation* from = one.data();
  MaxLocation* to = other.data();
  FirstKernel<<<left, kThreads, 0, stream>>>(values.data(), n, first, nothing, from);
  CUDA_CHECK(cudaGetLastError());
  for (; left > kTile; left = Blocks(left)) {
    NextKernel<<<Blocks(left), kThreads, 0, stream>>>(from, left, nothing, to);
    CUDA_CHECK(cudaGetLastError());
    std::swap(from, to);
  }
  NextKernel<<<1, kThreads, 0, stream>>>(from, left, nothing, maximum.data());
  CUDA_CHECK(cudaGetLastError());
}
