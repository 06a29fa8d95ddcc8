// Wrong: the lanes that add wait in a shuffle; the others have gone on to another one.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "common/cuda/check.h"
#include "labs/cuda_reduction/reduction.h"

namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr unsigned kAll = 0xffffffffu;

__global__ void TileKernel(const float* values, int n, float* sum) {
  __shared__ float partial[kThreads];
  const int t = threadIdx.x;
  float mine = 0;
  for (int i = t; i < n; i += kThreads) mine += values[i];
  partial[t] = mine;
  for (int stride = kThreads / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (t < stride) partial[t] += partial[t + stride];
  }
  if (t == 0) *sum = partial[0];
}

// Each block adds two values a thread. *sum is 0 before.
__global__ void SumKernel(const float* values, std::size_t n, float* sum) {
  __shared__ float partial[kThreads];
  const unsigned t = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * 2 * kThreads + t;
  partial[t] = (i < n ? values[i] : 0) + (i + kThreads < n ? values[i + kThreads] : 0);
  for (unsigned stride = kThreads / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (t < stride) partial[t] += partial[t + stride];
  }
  if (t == 0) atomicAdd(sum, partial[0]);
}

__device__ float WarpSum(float value) {
  const int lane = threadIdx.x % 32;
  for (int offset = 16; offset > 0; offset /= 2) {
    if (lane < offset) value += __shfl_down_sync(kAll, value, offset);
  }
  return value;
}

// *sum is 0 before.
__global__ void CoarsenedKernel(const float* values, std::size_t n, float* sum) {
  __shared__ float warps[kWarps];
  const std::size_t stride = std::size_t{gridDim.x} * kThreads;
  const unsigned lane = threadIdx.x % 32;
  float mine = 0;
  for (std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x; i < n; i += stride) {
    mine += values[i];
  }
  mine = WarpSum(mine);
  if (lane == 0) warps[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  mine = WarpSum(lane < kWarps ? warps[lane] : 0);
  if (lane == 0) atomicAdd(sum, mine);
}

__device__ bool IsBetter(const MaxLocation& a, const MaxLocation& b) {
  return a.value > b.value || (a.value == b.value && a.index < b.index);
}

__device__ MaxLocation WarpMaximum(MaxLocation best) {
  for (int offset = 16; offset > 0; offset /= 2) {
    const MaxLocation other{__shfl_down_sync(kAll, best.value, offset),
                            __shfl_down_sync(kAll, best.index, offset)};
    if (IsBetter(other, best)) best = other;
  }
  return best;
}

// The best of the block's threads, in thread 0.
__device__ MaxLocation BlockMaximum(MaxLocation best, MaxLocation nothing) {
  __shared__ MaxLocation warps[kWarps];
  const unsigned lane = threadIdx.x % 32;
  best = WarpMaximum(best);
  if (lane == 0) warps[threadIdx.x / 32] = best;
  __syncthreads();
  if (threadIdx.x >= 32) return nothing;
  best = nothing;
  if (lane < kWarps) best = warps[lane];
  return WarpMaximum(best);
}

__global__ void MaximumKernel(const float* values, std::size_t n, std::int64_t first,
                              MaxLocation nothing, MaxLocation* maxima) {
  MaxLocation best = nothing;
  const std::size_t stride = std::size_t{gridDim.x} * kThreads;
  for (std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x; i < n; i += stride) {
    const MaxLocation mine{values[i], first + static_cast<std::int64_t>(i)};
    if (IsBetter(mine, best)) best = mine;
  }
  best = BlockMaximum(best, nothing);
  if (threadIdx.x == 0) maxima[blockIdx.x] = best;
}

// One block.
__global__ void CombineKernel(const MaxLocation* maxima, unsigned count, MaxLocation nothing,
                              MaxLocation* maximum) {
  MaxLocation best = nothing;
  for (unsigned i = threadIdx.x; i < count; i += kThreads) {
    if (IsBetter(maxima[i], best)) best = maxima[i];
  }
  best = BlockMaximum(best, nothing);
  if (threadIdx.x == 0) *maximum = best;
}

// Enough for a large device, and 16 values or more for each thread.
unsigned Blocks(std::size_t n) { return std::min<std::size_t>(n / (16 * kThreads) + 1, 1056); }

// Memory from the stream's pool, given back however the function ends.
template <typename T>
class Scratch {
 public:
  Scratch(std::size_t bytes, cudaStream_t stream) : stream_(stream) {
    CUDA_CHECK(cudaMallocAsync(&data_, bytes, stream));
  }
  Scratch(const Scratch&) = delete;
  ~Scratch() { cudaFreeAsync(data_, stream_); }
  T* data() const { return data_; }

 private:
  T* data_ = nullptr;
  cudaStream_t stream_;
};

}  // namespace

void SumTile(DeviceSpan<const float> values, DeviceSpan<float> sum, cudaStream_t stream) {
  TileKernel<<<1, kThreads, 0, stream>>>(values.data(), static_cast<int>(values.size()),
                                         sum.data());
  CUDA_CHECK(cudaGetLastError());
}

void Sum(DeviceSpan<const float> values, DeviceSpan<float> sum, cudaStream_t stream) {
  CUDA_CHECK(cudaMemsetAsync(sum.data(), 0, sizeof(float), stream));
  const std::size_t n = values.size();
  if (n == 0) return;
  const unsigned blocks = (n + 2 * kThreads - 1) / (2 * kThreads);
  SumKernel<<<blocks, kThreads, 0, stream>>>(values.data(), n, sum.data());
  CUDA_CHECK(cudaGetLastError());
}

void SumCoarsened(DeviceSpan<const float> values, DeviceSpan<float> sum, cudaStream_t stream) {
  CUDA_CHECK(cudaMemsetAsync(sum.data(), 0, sizeof(float), stream));
  const std::size_t n = values.size();
  CoarsenedKernel<<<Blocks(n), kThreads, 0, stream>>>(values.data(), n, sum.data());
  CUDA_CHECK(cudaGetLastError());
}

void FirstMaximum(DeviceSpan<const float> values, std::int64_t first,
                  DeviceSpan<MaxLocation> maximum, cudaStream_t stream) {
  const std::size_t n = values.size();
  const unsigned blocks = Blocks(n);
  const MaxLocation nothing{-std::numeric_limits<float>::infinity(),
                            first + static_cast<std::int64_t>(n)};
  const Scratch<MaxLocation> maxima(blocks * sizeof(MaxLocation), stream);
  MaximumKernel<<<blocks, kThreads, 0, stream>>>(values.data(), n, first, nothing, maxima.data());
  CUDA_CHECK(cudaGetLastError());
  CombineKernel<<<1, kThreads, 0, stream>>>(maxima.data(), blocks, nothing, maximum.data());
  CUDA_CHECK(cudaGetLastError());
}
