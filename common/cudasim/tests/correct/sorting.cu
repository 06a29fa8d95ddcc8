// Sorting, merging and compaction.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "common/cudasim/tests/features/device_vector.h"
#include "common/cudasim/tests/features/numbers.h"

namespace correct_sorting {

constexpr int kBlock = 64;

std::vector<int> Sorted(std::vector<int> values) {
  std::sort(values.begin(), values.end());
  return values;
}

__global__ void Bitonic(int* values) {
  __shared__ int tile[kBlock];
  const unsigned t = threadIdx.x;
  tile[t] = values[t];
  for (unsigned size = 2; size <= kBlock; size *= 2) {
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const unsigned other = t ^ stride;
      if (other > t && (tile[t] > tile[other]) == ((t & size) == 0)) {
        const int swapped = tile[t];
        tile[t] = tile[other];
        tile[other] = swapped;
      }
    }
  }
  __syncthreads();
  values[t] = tile[t];
}

__global__ void OddEven(int* values, int n) {
  for (int phase = 0; phase < n; ++phase) {
    const int i = 2 * threadIdx.x + phase % 2;
    if (i + 1 < n && values[i] > values[i + 1]) {
      const int swapped = values[i];
      values[i] = values[i + 1];
      values[i + 1] = swapped;
    }
    __syncthreads();
  }
}

// One pass of a radix sort for each bit: ranks by vote counts.
__global__ void Radix(int* values, int bits) {
  __shared__ int zeros_of_warp[kBlock / 32];
  __shared__ int next[kBlock];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  for (int bit = 0; bit < bits; ++bit) {
    const int value = values[t];
    const bool zero = (value >> bit & 1) == 0;
    const unsigned votes = __ballot_sync(0xffffffffu, zero);
    if (lane == 0) zeros_of_warp[warp] = __popc(votes);
    __syncthreads();
    int before = __popc(votes & ((1u << lane) - 1)), total = 0;
    for (int w = 0; w < kBlock / 32; ++w) {
      if (w < warp) before += zeros_of_warp[w];
      total += zeros_of_warp[w];
    }
    next[zero ? before : total + t - before] = value;
    __syncthreads();
    values[t] = next[t];
    __syncthreads();
  }
}

TEST(SortingTest, BitonicSort) {
  const std::vector<int> values = SmallNumbers(kBlock);
  const DeviceVector<int> data(values);
  Bitonic<<<1, kBlock>>>(data.get());
  EXPECT_EQ(data.ToHost(), Sorted(values));
}

TEST(SortingTest, OddEvenSort) {
  const std::vector<int> values = SmallNumbers(49);
  const DeviceVector<int> data(values);
  OddEven<<<1, 25>>>(data.get(), 49);
  EXPECT_EQ(data.ToHost(), Sorted(values));
}

TEST(SortingTest, RadixSort) {
  const std::vector<int> values = SmallNumbers(kBlock, 128);
  const DeviceVector<int> data(values);
  Radix<<<1, kBlock>>>(data.get(), 7);
  EXPECT_EQ(data.ToHost(), Sorted(values));
}

}  // namespace correct_sorting
