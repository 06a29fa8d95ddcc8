// Lazy: every character and every key is an atomic addition in global memory, as in part 1.

#include <cuda_runtime.h>

#include <cstddef>

#include "common/cuda/check.h"
#include "labs/cuda_histogram/histogram.h"

namespace {

constexpr std::size_t kThreads = 256;

__global__ void LettersKernel(const char* text, std::size_t n, unsigned* bins) {
  const std::size_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n && text[i] >= 'a' && text[i] <= 'z') atomicAdd(&bins[(text[i] - 'a') / 4], 1u);
}

__global__ void KeysKernel(const unsigned* keys, std::size_t n, unsigned* bins, std::size_t size) {
  const std::size_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n && keys[i] < size) atomicAdd(&bins[keys[i]], 1u);
}

unsigned BlocksFor(std::size_t n) { return static_cast<unsigned>(n / kThreads + 1); }

}  // namespace

void CountLetters(DeviceSpan<const char> text, DeviceSpan<unsigned> bins, cudaStream_t stream) {
  CUDA_CHECK(cudaMemsetAsync(bins.data(), 0, bins.size_bytes(), stream));
  LettersKernel<<<BlocksFor(text.size()), kThreads, 0, stream>>>(text.data(), text.size(),
                                                                 bins.data());
  CUDA_CHECK(cudaGetLastError());
}

void CountLettersPrivate(DeviceSpan<const char> text, DeviceSpan<unsigned> bins,
                         cudaStream_t stream) {
  CountLetters(text, bins, stream);
}

void CountLettersAggregated(DeviceSpan<const char> text, DeviceSpan<unsigned> bins,
                            cudaStream_t stream) {
  CountLetters(text, bins, stream);
}

void CountKeys(DeviceSpan<const unsigned> keys, DeviceSpan<unsigned> bins, cudaStream_t stream) {
  CUDA_CHECK(cudaMemsetAsync(bins.data(), 0, bins.size_bytes(), stream));
  KeysKernel<<<BlocksFor(keys.size()), kThreads, 0, stream>>>(keys.data(), keys.size(), bins.data(),
                                                              bins.size());
  CUDA_CHECK(cudaGetLastError());
}
