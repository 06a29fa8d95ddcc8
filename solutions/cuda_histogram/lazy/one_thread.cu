// Lazy: a single thread counts everything in a loop.

#include <cuda_runtime.h>

#include <cstddef>

#include "common/cuda/check.h"
#include "labs/cuda_histogram/histogram.h"

namespace {

__global__ void LettersKernel(const char* text, std::size_t n, unsigned* bins) {
  unsigned counts[kLetterBins] = {};
  for (std::size_t i = 0; i < n; ++i) {
    if (text[i] >= 'a' && text[i] <= 'z') ++counts[(text[i] - 'a') / 4];
  }
  for (std::size_t b = 0; b < kLetterBins; ++b) bins[b] = counts[b];
}

__global__ void KeysKernel(const unsigned* keys, std::size_t n, unsigned* bins, std::size_t size) {
  for (std::size_t b = 0; b < size; ++b) bins[b] = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (keys[i] < size) ++bins[keys[i]];
  }
}

}  // namespace

void CountLetters(DeviceSpan<const char> text, DeviceSpan<unsigned> bins, cudaStream_t stream) {
  LettersKernel<<<1, 1, 0, stream>>>(text.data(), text.size(), bins.data());
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
  KeysKernel<<<1, 1, 0, stream>>>(keys.data(), keys.size(), bins.data(), bins.size());
  CUDA_CHECK(cudaGetLastError());
}
