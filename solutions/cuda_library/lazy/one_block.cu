// Lazy: one block of 1024 threads does all work of each part; it sorts by one bit at a time.

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "common/cuda/check.h"
#include "labs/cuda_library/library.h"

namespace {

using std::uint32_t;

constexpr int kThreads = 1024;

// The elements of a thread: a stretch.
struct Stretch {
  int begin;
  int end;
};

__device__ Stretch StretchOf(int n) {
  const int each = (n + kThreads - 1) / kThreads;
  const int begin = min(n, static_cast<int>(threadIdx.x) * each);
  return {begin, min(n, begin + each)};
}

// The sum of `value` over all threads before this one; `total` becomes that over all.
template <typename T>
__device__ T Before(T value, T& total) {
  __shared__ T sums[kThreads];
  __syncthreads();
  const int t = static_cast<int>(threadIdx.x);
  sums[t] = value;
  for (int distance = 1; distance < kThreads; distance *= 2) {
    __syncthreads();
    const T sum = sums[t] + (t >= distance ? sums[t - distance] : T(0));
    __syncthreads();
    sums[t] = sum;
  }
  __syncthreads();
  total = sums[kThreads - 1];
  return sums[t] - value;
}

__global__ void DistanceKernel(const float* x, const float* y, int n, double* distance) {
  double sum = 0;
  for (int i = static_cast<int>(threadIdx.x); i < n; i += kThreads) {
    const double difference = static_cast<double>(x[i]) - static_cast<double>(y[i]);
    sum += difference * difference;
  }
  __shared__ double sums[kThreads];
  sums[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  double total = 0;
  for (const double of_thread : sums) total += of_thread;
  *distance = sqrt(total);
}

struct Items {
  uint32_t* keys;
  uint32_t* values;
};

// Sorts by the bits below `bits`; returns where the items are.
__device__ Items Sort(Items items, Items spare, int n, int bits) {
  const Stretch own = StretchOf(n);
  for (int bit = 0; bit < bits; ++bit) {
    int zeros = 0;
    for (int i = own.begin; i < own.end; ++i)
      zeros += 1 - static_cast<int>(items.keys[i] >> bit & 1);
    int all_zeros = 0;
    int zero = Before(zeros, all_zeros);
    int one = all_zeros + own.begin - zero;
    for (int i = own.begin; i < own.end; ++i) {
      const uint32_t key = items.keys[i];
      const int place = (key >> bit & 1) != 0 ? one++ : zero++;
      spare.keys[place] = key;
      spare.values[place] = items.values[i];
    }
    const Items sorted = spare;
    spare = items;
    items = sorted;
    __syncthreads();
  }
  return items;
}

__global__ void CountKernel(const uint32_t* keys, int n, int bits, uint32_t* distinct,
                            uint32_t* counts, uint32_t* number, uint32_t* space) {
  const Items items{space, space + n};
  for (int i = static_cast<int>(threadIdx.x); i < n; i += kThreads) {
    items.keys[i] = keys[i];
    items.values[i] = 0;
  }
  __syncthreads();
  const Items sorted = Sort(items, {space + 2 * n, space + 3 * n}, n, bits);
  const Stretch own = StretchOf(n);
  int heads = 0;
  for (int i = own.begin; i < own.end; ++i) heads += i == 0 || sorted.keys[i] != sorted.keys[i - 1];
  int runs = 0;
  int run = Before(heads, runs);
  uint32_t* const begins = sorted.values;
  for (int i = own.begin; i < own.end; ++i) {
    if (i > 0 && sorted.keys[i] == sorted.keys[i - 1]) continue;
    distinct[run] = sorted.keys[i];
    begins[run++] = static_cast<uint32_t>(i);
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < runs; i += kThreads) {
    counts[i] = (i + 1 < runs ? begins[i + 1] : static_cast<uint32_t>(n)) - begins[i];
  }
  if (threadIdx.x == 0) *number = static_cast<uint32_t>(runs);
}

// Unsigned numbers in the descending order of the scores.
__device__ uint32_t KeyOf(float score) {
  const uint32_t bits = __float_as_uint(score == 0 ? 0.0f : score);
  return (bits >> 31) != 0 ? bits : ~(bits | 0x80000000);
}

__global__ void TopKernel(const float* scores, const uint32_t* ids, const float* weights, int n,
                          int k, uint32_t* top_ids, float* top_weights, uint32_t* space) {
  const Items items{space, space + n};
  for (int i = static_cast<int>(threadIdx.x); i < n; i += kThreads) {
    items.keys[i] = KeyOf(scores[i]);
    items.values[i] = static_cast<uint32_t>(i);
  }
  __syncthreads();
  const Items sorted = Sort(items, {space + 2 * n, space + 3 * n}, n, 32);
  for (int i = static_cast<int>(threadIdx.x); i < k; i += kThreads) {
    top_ids[i] = ids[sorted.values[i]];
    top_weights[i] = weights[sorted.values[i]];
  }
}

__global__ void RowsKernel(const uint32_t* lengths, int n, uint32_t* offsets, uint32_t* nonempty,
                           uint32_t* number) {
  const Stretch own = StretchOf(n);
  uint32_t sum = 0;
  uint32_t rows = 0;
  for (int i = own.begin; i < own.end; ++i) {
    sum += lengths[i];
    rows += lengths[i] != 0 ? 1 : 0;
  }
  uint32_t all = 0;
  uint32_t all_rows = 0;
  uint32_t offset = Before(sum, all);
  uint32_t row = Before(rows, all_rows);
  for (int i = own.begin; i < own.end; ++i) {
    offsets[i] = offset;
    if (lengths[i] != 0) nonempty[row++] = static_cast<uint32_t>(i);
    offset += lengths[i];
  }
  if (threadIdx.x != 0) return;
  offsets[n] = all;
  *number = all_rows;
}

__global__ void SoftmaxKernel(const float* logits, float* probabilities, int rows, int columns) {
  for (int row = static_cast<int>(threadIdx.x); row < rows; row += kThreads) {
    const std::size_t begin = static_cast<std::size_t>(row) * columns;
    float largest = -INFINITY;
    for (int i = 0; i < columns; ++i) largest = fmaxf(largest, logits[begin + i]);
    float sum = 0;
    for (int i = 0; i < columns; ++i) sum += expf(logits[begin + i] - largest);
    for (int i = 0; i < columns; ++i) {
      probabilities[begin + i] = expf(logits[begin + i] - largest) / sum;
    }
  }
}

// Room for two copies of n keys and values.
class Space {
 public:
  Space(std::size_t n, cudaStream_t stream) : stream_(stream) {
    CUDA_CHECK(cudaMallocAsync(&words_, 4 * n * sizeof(uint32_t) + 4, stream));
  }
  ~Space() { cudaFreeAsync(words_, stream_); }
  Space(const Space&) = delete;
  Space& operator=(const Space&) = delete;
  uint32_t* words() const { return words_; }

 private:
  uint32_t* words_ = nullptr;
  cudaStream_t stream_;
};

}  // namespace

void Distance(DeviceSpan<const float> x, DeviceSpan<const float> y, DeviceSpan<double> distance,
              cudaStream_t stream) {
  DistanceKernel<<<1, kThreads, 0, stream>>>(x.data(), y.data(), static_cast<int>(x.size()),
                                             distance.data());
  CUDA_CHECK(cudaGetLastError());
}

void CountKeys(DeviceSpan<const uint32_t> keys, int key_bits, DeviceSpan<uint32_t> distinct,
               DeviceSpan<uint32_t> counts, DeviceSpan<uint32_t> number, cudaStream_t stream) {
  const Space space(keys.size(), stream);
  CountKernel<<<1, kThreads, 0, stream>>>(keys.data(), static_cast<int>(keys.size()), key_bits,
                                          distinct.data(), counts.data(), number.data(),
                                          space.words());
  CUDA_CHECK(cudaGetLastError());
}

void TopRecords(DeviceSpan<const float> scores, DeviceSpan<const uint32_t> ids,
                DeviceSpan<const float> weights, DeviceSpan<uint32_t> top_ids,
                DeviceSpan<float> top_weights, cudaStream_t stream) {
  const Space space(scores.size(), stream);
  TopKernel<<<1, kThreads, 0, stream>>>(
      scores.data(), ids.data(), weights.data(), static_cast<int>(scores.size()),
      static_cast<int>(top_ids.size()), top_ids.data(), top_weights.data(), space.words());
  CUDA_CHECK(cudaGetLastError());
}

void RowOffsets(DeviceSpan<const uint32_t> lengths, DeviceSpan<uint32_t> offsets,
                DeviceSpan<uint32_t> nonempty, DeviceSpan<uint32_t> number,
                [[maybe_unused]] DeviceSpan<std::uint8_t> storage, cudaStream_t stream) {
  RowsKernel<<<1, kThreads, 0, stream>>>(lengths.data(), static_cast<int>(lengths.size()),
                                         offsets.data(), nonempty.data(), number.data());
  CUDA_CHECK(cudaGetLastError());
}

void SoftmaxRows(DeviceSpan<const float> logits, DeviceSpan<float> probabilities, int rows,
                 int columns, cudaStream_t stream) {
  SoftmaxKernel<<<1, kThreads, 0, stream>>>(logits.data(), probabilities.data(), rows, columns);
  CUDA_CHECK(cudaGetLastError());
}
