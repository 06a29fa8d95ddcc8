// Compares histograms with CUB's.
//
//   histogram_bench [elements]...      2^27 and 2^30 unless said
//
// Letters in 7 bins, and 32-bit keys in 256, each uniform and all equal. All counts are checked.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <functional>
#include <string>
#include <vector>

#include "common/benchmark/device.h"
#include "common/cuda/check.h"
#include "common/cuda/device_array.h"
#include "labs/cuda_histogram/histogram.h"

// All that these include is included already.
namespace packed_counts {
#include "solutions/cuda_histogram/accepted/packed_counts_in_registers.cu"
}
namespace vectors_of_four {
#include "solutions/cuda_histogram/accepted/vectors_of_four.cu"
}
namespace words_at_once {
#include "solutions/cuda_histogram/accepted/words_at_once.cu"
}

namespace {

using lab::Candidate;
using lab::DeviceArray;

constexpr unsigned kFillThreads = 256;
constexpr unsigned kFillBlocks = 4096;
constexpr unsigned kKeyBins = 256;

// A histogram of `bins` on a stream.
struct Counter {
  std::string name;
  std::function<void(DeviceSpan<unsigned> bins, cudaStream_t)> run;
};

// One input, how many bytes it has, and the counts that it must give.
struct Case {
  std::string name;
  std::size_t bytes;
  std::vector<unsigned> want;
};

// Numbers below `range`, different for each i; for a range of 1 all are 0.
__device__ unsigned Mixed(std::size_t i, unsigned range) {
  auto x = static_cast<unsigned>(i) * 2654435761u;
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return __umulhi(x ^ x >> 16, range);
}

template <typename T>
__global__ void FillKernel(T* values, std::size_t n, unsigned first, unsigned range) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    values[i] = static_cast<T>(first + Mixed(i, range));
  }
}

// How often the value `blockIdx.y` stands there.
template <typename T>
__global__ void CountOneKernel(const T* values, std::size_t n, unsigned* counts) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  unsigned mine = 0;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    mine += static_cast<unsigned>(values[i]) == blockIdx.y;
  }
  atomicAdd(&counts[blockIdx.y], mine);
}

// n values from `first` on, uniform among `range` of them; and how often each below 256 occurs.
template <typename T>
struct Input {
  Input(std::size_t n, unsigned first, unsigned range) : values(n), occurrences(256) {
    FillKernel<<<kFillBlocks, kFillThreads>>>(values.data(), n, first, range);
    CUDA_CHECK(cudaGetLastError());
    const DeviceArray<unsigned> counts(256);
    counts.Fill(0);
    CountOneKernel<<<dim3(1024, 256), kFillThreads>>>(values.data(), n, counts.data());
    CUDA_CHECK(cudaGetLastError());
    occurrences = counts.OnHost();
  }
  DeviceSpan<const T> span() const { return values.span(); }

  DeviceArray<T> values;
  std::vector<unsigned> occurrences;
};

// CUB with memory that is allocated before. It counts `bins.size()` bins of equal width from
// `lower` to `upper`, which is not counted any more.
template <typename T, typename N>
void CubHistogram(const DeviceArray<char>& memory, const T* samples, N n, DeviceSpan<unsigned> bins,
                  unsigned lower, unsigned upper, cudaStream_t stream) {
  std::size_t bytes = 0;
  const auto levels = static_cast<int>(bins.size() + 1);
  CUDA_CHECK(cub::DeviceHistogram::HistogramEven(nullptr, bytes, samples, bins.data(), levels,
                                                 lower, upper, n, stream));
  if (bytes > memory.size()) throw std::runtime_error("error: CUB asks for more memory");
  CUDA_CHECK(cub::DeviceHistogram::HistogramEven(memory.data(), bytes, samples, bins.data(), levels,
                                                 lower, upper, n, stream));
}

template <typename T>
Counter Cub(const DeviceArray<char>& memory, const T* samples, std::size_t n, unsigned lower,
            unsigned upper) {
  return {"cub::DeviceHistogram::HistogramEven",
          [=, &memory](DeviceSpan<unsigned> bins, cudaStream_t stream) {
            if (n <= INT32_MAX) {
              CubHistogram(memory, samples, static_cast<int>(n), bins, lower, upper, stream);
            } else {
              CubHistogram(memory, samples, static_cast<std::int64_t>(n), bins, lower, upper,
                           stream);
            }
          }};
}

template <typename T>
Counter Ours(const char* name,
             void (*count)(DeviceSpan<const T>, DeviceSpan<unsigned>, cudaStream_t),
             const Input<T>& input) {
  return {name, [count, &input](DeviceSpan<unsigned> bins, cudaStream_t stream) {
            count(input.span(), bins, stream);
          }};
}

bool Measure(const std::vector<Counter>& counters, const Case& input) {
  const DeviceArray<unsigned> bins(input.want.size());
  std::vector<Candidate> candidates;
  for (const Counter& counter : counters) {
    candidates.push_back({counter.name, static_cast<double>(input.bytes),
                          [&counter, &bins] { counter.run(bins.span(), nullptr); },
                          [&bins, &input] { return bins.OnHost() == input.want; }});
  }
  return lab::CompareOnDevice(input.name, candidates, [&bins] {
    bins.Fill(0xa5);
    CUDA_CHECK(cudaDeviceSynchronize());
  });
}

std::vector<unsigned> LetterBins(const std::vector<unsigned>& occurrences) {
  std::vector<unsigned> bins(kLetterBins);
  for (unsigned letter = 0; letter < 26; ++letter) bins[letter / 4] += occurrences['a' + letter];
  return bins;
}

// CUB's last bin has four letters, too: there must be no '{' and no '|'.
bool RunLetters(const char* name, std::size_t n, unsigned first, unsigned range,
                const DeviceArray<char>& memory) {
  const Input<char> input(n, first, range);
  const auto* const bytes = reinterpret_cast<const unsigned char*>(input.values.data());
  std::vector<Counter> counters{
      Cub(memory, bytes, n, 'a', 'a' + 28),
      Ours("words_at_once, part 3", words_at_once::CountLettersAggregated, input),
      Ours("packed_counts_in_registers, part 3", packed_counts::CountLettersAggregated, input),
      Ours("vectors_of_four, part 3", vectors_of_four::CountLettersAggregated, input),
      Ours("reference, part 3", CountLettersAggregated, input),
      Ours("reference, part 2", CountLettersPrivate, input)};
  // An atomic addition to one of seven addresses for each of 2^30 characters takes seconds.
  if (n <= std::size_t{1} << 27) {
    counters.push_back(Ours("reference, part 1", CountLetters, input));
  }
  return Measure(counters,
                 {std::to_string(n) + " chars, " + name, n, LetterBins(input.occurrences)});
}

bool RunKeys(const char* name, std::size_t n, unsigned first, unsigned range,
             const DeviceArray<char>& memory) {
  const Input<unsigned> input(n, first, range);
  const std::vector<Counter> counters{
      Cub(memory, input.values.data(), n, 0, kKeyBins),
      Ours("words_at_once, part 4", words_at_once::CountKeys, input),
      Ours("reference, part 4", CountKeys, input)};
  return Measure(counters,
                 {std::to_string(n) + " keys, " + name, n * sizeof(unsigned), input.occurrences});
}

bool Run(std::size_t n) {
  const DeviceArray<char> memory(std::size_t{64} << 20);
  return RunLetters("uniform", n, 'a', 26, memory) && RunLetters("all equal", n, 'g', 1, memory) &&
         RunKeys("uniform", n, 0, kKeyBins, memory) && RunKeys("all equal", n, 77, 1, memory);
}

}  // namespace

int main(int argc, char** argv) {
  return lab::RunSizes(
      argc, argv, {"elements", 1, UINT32_MAX, {std::size_t{1} << 27, std::size_t{1} << 30}}, Run);
}
