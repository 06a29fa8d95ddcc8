// Wrong: nobody asks whether the launch failed, and all counts are 0 then.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "common/cuda/check.h"
#include "labs/cuda_histogram/histogram.h"

namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kLetters = 26;
constexpr unsigned kLettersPerBin = 4;
constexpr unsigned kNoBin = kLetterBins;
constexpr std::size_t kElementsPerThread = 16;
constexpr int kBlocksPerMultiprocessor = 2048 / kThreads;  // all that can be resident
constexpr std::size_t kMostSharedBins = 48 * 1024 / sizeof(unsigned);

__device__ std::size_t FirstOfThread() { return std::size_t{blockIdx.x} * kThreads + threadIdx.x; }

__device__ std::size_t ThreadsOfGrid() { return std::size_t{gridDim.x} * kThreads; }

// Characters before 'a', and negative ones, wrap around to large numbers.
__device__ unsigned BinOf(char character) {
  const unsigned letter = static_cast<unsigned>(character) - 'a';
  return letter < kLetters ? letter / kLettersPerBin : kNoBin;
}

__global__ void GlobalKernel(const char* text, std::size_t n, unsigned* bins) {
  for (std::size_t i = FirstOfThread(); i < n; i += ThreadsOfGrid()) {
    const unsigned bin = BinOf(text[i]);
    if (bin != kNoBin) atomicAdd(&bins[bin], 1u);
  }
}

// The next two are called by all threads of the block; barriers around them are the caller's.
__device__ void Clear(unsigned* counts, unsigned size) {
  for (unsigned b = threadIdx.x; b < size; b += kThreads) counts[b] = 0;
}

__device__ void Merge(const unsigned* counts, unsigned size, unsigned* bins) {
  for (unsigned b = threadIdx.x; b < size; b += kThreads) {
    if (counts[b] > 0) atomicAdd(&bins[b], counts[b]);
  }
}

__global__ void PrivateKernel(const char* text, std::size_t n, unsigned* bins) {
  __shared__ unsigned counts[kLetterBins];
  Clear(counts, kLetterBins);
  __syncthreads();
  for (std::size_t i = FirstOfThread(); i < n; i += ThreadsOfGrid()) {
    const unsigned bin = BinOf(text[i]);
    if (bin != kNoBin) atomicAdd(&counts[bin], 1u);
  }
  __syncthreads();
  Merge(counts, kLetterBins, bins);
}

__global__ void AggregatedKernel(const char* text, std::size_t n, unsigned* bins) {
  __shared__ unsigned counts[kLetterBins];
  Clear(counts, kLetterBins);
  __syncthreads();
  unsigned run_bin = kNoBin;
  unsigned run = 0;
  for (std::size_t i = FirstOfThread(); i < n; i += ThreadsOfGrid()) {
    const unsigned bin = BinOf(text[i]);
    if (bin != run_bin) {
      if (run_bin != kNoBin) atomicAdd(&counts[run_bin], run);
      run_bin = bin;
      run = 0;
    }
    ++run;
  }
  if (run_bin != kNoBin) atomicAdd(&counts[run_bin], run);
  __syncthreads();
  Merge(counts, kLetterBins, bins);
}

// The launch gives it room for `size` counts in shared memory.
__global__ void SharedKeysKernel(const unsigned* keys, std::size_t n, unsigned* bins,
                                 unsigned size) {
  extern __shared__ unsigned counts[];
  Clear(counts, size);
  __syncthreads();
  for (std::size_t i = FirstOfThread(); i < n; i += ThreadsOfGrid()) {
    const unsigned key = keys[i];
    if (key < size) atomicAdd(&counts[key], 1u);
  }
  __syncthreads();
  Merge(counts, size, bins);
}

__global__ void GlobalKeysKernel(const unsigned* keys, std::size_t n, unsigned* bins,
                                 unsigned size) {
  for (std::size_t i = FirstOfThread(); i < n; i += ThreadsOfGrid()) {
    const unsigned key = keys[i];
    if (key < size) atomicAdd(&bins[key], 1u);
  }
}

// As many blocks as the device can hold, or fewer where a thread would have little to do.
unsigned BlocksFor(std::size_t n) {
  int device = 0;
  int multiprocessors = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  const std::size_t wanted = n / (kThreads * kElementsPerThread) + 1;
  return static_cast<unsigned>(
      std::min<std::size_t>(wanted, kBlocksPerMultiprocessor * multiprocessors));
}

void Zero(DeviceSpan<unsigned> bins, cudaStream_t stream) {
  CUDA_CHECK(cudaMemsetAsync(bins.data(), 0, bins.size_bytes(), stream));
}

}  // namespace

void CountLetters(DeviceSpan<const char> text, DeviceSpan<unsigned> bins, cudaStream_t stream) {
  Zero(bins, stream);
  const std::size_t n = text.size();
  GlobalKernel<<<BlocksFor(n), kThreads, 0, stream>>>(text.data(), n, bins.data());
  CUDA_CHECK(cudaGetLastError());
}

void CountLettersPrivate(DeviceSpan<const char> text, DeviceSpan<unsigned> bins,
                         cudaStream_t stream) {
  Zero(bins, stream);
  const std::size_t n = text.size();
  PrivateKernel<<<BlocksFor(n), kThreads, 0, stream>>>(text.data(), n, bins.data());
}

void CountLettersAggregated(DeviceSpan<const char> text, DeviceSpan<unsigned> bins,
                            cudaStream_t stream) {
  Zero(bins, stream);
  const std::size_t n = text.size();
  AggregatedKernel<<<BlocksFor(n), kThreads, 0, stream>>>(text.data(), n, bins.data());
  CUDA_CHECK(cudaGetLastError());
}

void CountKeys(DeviceSpan<const unsigned> keys, DeviceSpan<unsigned> bins, cudaStream_t stream) {
  Zero(bins, stream);
  const std::size_t n = keys.size();
  const auto size = static_cast<unsigned>(bins.size());
  if (bins.size() <= kMostSharedBins) {
    SharedKeysKernel<<<BlocksFor(n), kThreads, bins.size_bytes(), stream>>>(keys.data(), n,
                                                                            bins.data(), size);
  } else {
    GlobalKeysKernel<<<BlocksFor(n), kThreads, 0, stream>>>(keys.data(), n, bins.data(), size);
  }
  CUDA_CHECK(cudaGetLastError());
}
