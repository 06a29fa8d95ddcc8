// Wrong: text and keys are copied to the host and counted there.

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

#include "common/cuda/check.h"
#include "labs/cuda_histogram/histogram.h"

namespace {

constexpr unsigned kThreads = 256;

unsigned BinOf(char c) { return c >= 'a' && c <= 'z' ? (c - 'a') / 4 : kLetterBins; }

template <typename T>
std::vector<T> ToHost(DeviceSpan<const T> values, cudaStream_t stream) {
  std::vector<T> host(values.size());
  CUDA_CHECK(cudaMemcpyAsync(host.data(), values.data(), values.size_bytes(),
                             cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  return host;
}

void ToDevice(const std::vector<unsigned>& counts, DeviceSpan<unsigned> bins, cudaStream_t stream) {
  CUDA_CHECK(cudaMemcpyAsync(bins.data(), counts.data(), bins.size_bytes(), cudaMemcpyHostToDevice,
                             stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
}

}  // namespace

void CountLetters(DeviceSpan<const char> text, DeviceSpan<unsigned> bins, cudaStream_t stream) {
  std::vector<unsigned> counts(kLetterBins + 1);
  for (const char character : ToHost(text, stream)) ++counts[BinOf(character)];
  ToDevice(counts, bins, stream);
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
  ToDevice(counts, bins, stream);
}
