// Right: value and index in one word of 64 bits, of which the largest is found by an atomic
// operation.

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
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(kAll, value, offset);
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

// Larger for larger values and, of equal ones, for smaller indices; 0 for a NaN. Floats compare
// like their bits, once those of negative ones are turned round.
__device__ unsigned long long Key(float value, std::size_t index) {
  if (value != value) return 0;
  const auto bits = static_cast<unsigned>(__float_as_int(value == 0 ? 0.0f : value));
  const unsigned ordered = bits >> 31 ? ~bits : bits | 0x80000000u;
  return static_cast<unsigned long long>(ordered) << 32 | ~static_cast<unsigned>(index);
}

__global__ void MaximumKernel(const float* values, std::size_t n, unsigned long long* key) {
  __shared__ unsigned long long warps[kWarps];
  const std::size_t stride = std::size_t{gridDim.x} * kThreads;
  const unsigned lane = threadIdx.x % 32;
  unsigned long long best = 0;
  for (std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x; i < n; i += stride) {
    best = max(best, Key(values[i], i));
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    best = max(best, __shfl_xor_sync(kAll, best, offset));
  }
  if (lane == 0) warps[threadIdx.x / 32] = best;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (const unsigned long long warp : warps) best = max(best, warp);
  atomicMax(key, best);
}

__global__ void UnpackKernel(const unsigned long long* key, std::int64_t first, MaxLocation nothing,
                             MaxLocation* maximum) {
  if (*key == 0) {
    *maximum = nothing;
    return;
  }
  const auto ordered = static_cast<unsigned>(*key >> 32);
  const unsigned bits = ordered >> 31 ? ordered & 0x7fffffffu : ~ordered;
  *maximum = {__int_as_float(static_cast<int>(bits)), first + ~static_cast<unsigned>(*key)};
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
  const MaxLocation nothing{-std::numeric_limits<float>::infinity(),
                            first + static_cast<std::int64_t>(n)};
  const Scratch<unsigned long long> key(sizeof(unsigned long long), stream);
  CUDA_CHECK(cudaMemsetAsync(key.data(), 0, sizeof(*key.data()), stream));
  MaximumKernel<<<Blocks(n), kThreads, 0, stream>>>(values.data(), n, key.data());
  CUDA_CHECK(cudaGetLastError());
  UnpackKernel<<<1, 1, 0, stream>>>(key.data(), first, nothing, maximum.data());
  CUDA_CHECK(cudaGetLastError());
}
