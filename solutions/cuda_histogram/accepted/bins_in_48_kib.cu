// Right: bins that fit into 48 KiB are counted in shared memory, others in global memory.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "common/cuda/check.h"
#include "labs/cuda_histogram/histogram.h"

namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kSharedBins = 12288;  // 48 KiB

// 0 to 6, or 7 for what is no letter.
__device__ unsigned BinOf(char c) { return c >= 'a' && c <= 'z' ? (c - 'a') / 4 : kLetterBins; }

__global__ void GlobalKernel(const char* text, std::size_t n, unsigned* bins) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    const unsigned bin = BinOf(text[i]);
    if (bin < kLetterBins) atomicAdd(&bins[bin], 1u);
  }
}

__global__ void PrivateKernel(const char* text, std::size_t n, unsigned* bins) {
  __shared__ unsigned counts[kLetterBins];
  const unsigned t = threadIdx.x;
  if (t < kLetterBins) counts[t] = 0;
  __syncthreads();
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + t; i < n; i += stride) {
    const unsigned bin = BinOf(text[i]);
    if (bin < kLetterBins) atomicAdd(&counts[bin], 1u);
  }
  __syncthreads();
  if (t < kLetterBins) atomicAdd(&bins[t], counts[t]);
}

__global__ void AggregatedKernel(const char* text, std::size_t n, unsigned* bins) {
  __shared__ unsigned counts[kLetterBins];
  const unsigned t = threadIdx.x;
  if (t < kLetterBins) counts[t] = 0;
  __syncthreads();
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  unsigned last = kLetterBins;
  unsigned run = 0;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + t; i < n; i += stride) {
    const unsigned bin = BinOf(text[i]);
    if (bin == last) {
      ++run;
    } else {
      if (last < kLetterBins) atomicAdd(&counts[last], run);
      last = bin;
      run = 1;
    }
  }
  if (last < kLetterBins) atomicAdd(&counts[last], run);
  __syncthreads();
  if (t < kLetterBins) atomicAdd(&bins[t], counts[t]);
}

// Counts in shared memory, for which the launch leaves room.
__global__ void SharedKeysKernel(const unsigned* keys, std::size_t n, unsigned* bins,
                                 unsigned size) {
  extern __shared__ unsigned counts[];
  for (unsigned b = threadIdx.x; b < size; b += blockDim.x) counts[b] = 0;
  __syncthreads();
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    const unsigned key = keys[i];
    if (key < size) atomicAdd(&counts[key], 1u);
  }
  __syncthreads();
  for (unsigned b = threadIdx.x; b < size; b += blockDim.x) {
    if (counts[b] > 0) atomicAdd(&bins[b], counts[b]);
  }
}

__global__ void GlobalKeysKernel(const unsigned* keys, std::size_t n, unsigned* bins,
                                 unsigned size) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    const unsigned key = keys[i];
    if (key < size) atomicAdd(&bins[key], 1u);
  }
}

// Enough to fill a GPU, and fewer where a thread would have less than 16 elements.
unsigned BlocksFor(std::size_t n) {
  return static_cast<unsigned>(std::min<std::size_t>(n / (16 * kThreads) + 1, 1056));
}

void Clear(DeviceSpan<unsigned> bins, cudaStream_t stream) {
  CUDA_CHECK(cudaMemsetAsync(bins.data(), 0, bins.size_bytes(), stream));
}

}  // namespace

void CountLetters(DeviceSpan<const char> text, DeviceSpan<unsigned> bins, cudaStream_t stream) {
  Clear(bins, stream);
  const std::size_t n = text.size();
  GlobalKernel<<<BlocksFor(n), kThreads, 0, stream>>>(text.data(), n, bins.data());
  CUDA_CHECK(cudaGetLastError());
}

void CountLettersPrivate(DeviceSpan<const char> text, DeviceSpan<unsigned> bins,
                         cudaStream_t stream) {
  Clear(bins, stream);
  const std::size_t n = text.size();
  PrivateKernel<<<BlocksFor(n), kThreads, 0, stream>>>(text.data(), n, bins.data());
  CUDA_CHECK(cudaGetLastError());
}

void CountLettersAggregated(DeviceSpan<const char> text, DeviceSpan<unsigned> bins,
                            cudaStream_t stream) {
  Clear(bins, stream);
  const std::size_t n = text.size();
  AggregatedKernel<<<BlocksFor(n), kThreads, 0, stream>>>(text.data(), n, bins.data());
  CUDA_CHECK(cudaGetLastError());
}

void CountKeys(DeviceSpan<const unsigned> keys, DeviceSpan<unsigned> bins, cudaStream_t stream) {
  Clear(bins, stream);
  const std::size_t n = keys.size();
  const auto size = static_cast<unsigned>(bins.size());
  if (size <= kSharedBins) {
    SharedKeysKernel<<<BlocksFor(n), kThreads, bins.size_bytes(), stream>>>(keys.data(), n,
                                                                            bins.data(), size);
  } else {
    GlobalKeysKernel<<<BlocksFor(n), kThreads, 0, stream>>>(keys.data(), n, bins.data(), size);
  }
  CUDA_CHECK(cudaGetLastError());
}
