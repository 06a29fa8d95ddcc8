// Times the reference's histograms, and those of accepted solutions, beside CUB's.
//
//   histogram_bench [elements]...      2^27 and 2^30 unless said, less than 2^32
//
// Letters in 7 bins, and 32-bit keys in 256, each uniform and all equal. All run in turn, 21 times
// after three rounds of warming up; each time is that of CUDA events around one call, and the
// medians are compared. All counts are checked. Before that, two calls run at the same time on
// streams of their own.

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

#include "common/cuda/check.h"
#include "common/cuda/contest.h"
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

using lab::Contender;
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

// Poisoned bins for one of the counters and whether it counts right.
lab::StreamTask Task(const Counter& counter, const DeviceArray<unsigned>& bins, const Case& input) {
  return {[&bins] {
            bins.Fill(0xa5);
            CUDA_CHECK(cudaDeviceSynchronize());
          },
          [&counter, &bins](cudaStream_t stream) { counter.run(bins.span(), stream); },
          [&bins, &input] { return bins.OnHost() == input.want; }};
}

// The first one is what the others are compared with.
void Print(const std::vector<Contender>& contenders, const Case& input) {
  const double peer = contenders.front().Rate();
  for (std::size_t i = 1; i < contenders.size(); ++i) {
    const double mine = contenders[i].Rate();
    std::printf("| %-30s | %-40s | %8.1f | %8.1f | %6.3f |\n", input.name.c_str(),
                contenders[i].name.c_str(), mine, peer, mine / peer);
  }
}

bool Measure(const std::vector<Counter>& counters, const Case& input) {
  const DeviceArray<unsigned> left(input.want.size());
  const DeviceArray<unsigned> right(input.want.size());
  std::vector<Contender> contenders;
  for (const Counter& counter : counters) {
    const lab::StreamTask task = Task(counter, left, input);
    const bool is_peer = contenders.empty();  // its two calls would share the memory
    if (!is_peer && !lab::RunSideBySide(input.name + ": " + counter.name, task,
                                        Task(counter, right, input), 1)) {
      return false;
    }
    contenders.push_back({counter.name, static_cast<double>(input.bytes),
                          [run = task.run] { run(nullptr); }, task.is_right});
  }
  if (!lab::RunContest(contenders, Task(counters.front(), left, input).poison)) return false;
  Print(contenders, input);
  return true;
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

bool Run(std::size_t n, const DeviceArray<char>& memory) {
  return RunLetters("uniform", n, 'a', 26, memory) && RunLetters("all equal", n, 'g', 1, memory) &&
         RunKeys("uniform", n, 0, kKeyBins, memory) && RunKeys("all equal", n, 77, 1, memory);
}

void PrintHead() {
  std::printf("%s: medians of %d\n\n", lab::Machine().c_str(), lab::kContestRounds);
  std::printf("| %-30s | %-40s | %8s | %8s | %6s |\n", "case", "what", "GB/s", "CUB GB/s", "ratio");
  std::printf(
      "| ------------------------------ | ---------------------------------------- | "
      "-------: | -------: | -----: |\n");
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::size_t> sizes;
  for (int i = 1; i < argc; ++i) sizes.push_back(std::strtoull(argv[i], nullptr, 10));
  if (sizes.empty()) sizes = {std::size_t{1} << 27, std::size_t{1} << 30};
  if (std::any_of(sizes.begin(), sizes.end(), [](auto n) { return n < 1 || n > UINT32_MAX; })) {
    std::fprintf(stderr, "usage: %s [elements, 1 to 4294967295]...\n", argv[0]);
    return 2;
  }
  try {
    PrintHead();
    const DeviceArray<char> memory(std::size_t{64} << 20);
    for (const std::size_t n : sizes) {
      if (!Run(n, memory)) return 1;
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
