// Counting with atomic operations.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <vector>

#include "common/cudasim/tests/features/device_vector.h"
#include "common/cudasim/tests/features/numbers.h"

namespace correct_histogram {

constexpr int kBlock = 96;
constexpr int kCount = 2000;
constexpr int kBins = 17;
constexpr int kGrid = 5;

std::vector<unsigned> Expected(const std::vector<int>& values) {
  std::vector<unsigned> bins(kBins);
  for (const int value : values) ++bins[static_cast<std::size_t>(value)];
  return bins;
}

// A private copy for each block (Hwu, Kirk, El Hajj, chapter 9).
__global__ void Privatised(const int* in, int n, unsigned* bins) {
  __shared__ unsigned mine[kBins];
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    atomicAdd(&mine[in[i]], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) {
    if (mine[b] > 0) atomicAdd(&bins[b], mine[b]);
  }
}

// A copy for each warp in dynamic shared memory: barriers only before and after.
__global__ void PerWarp(const int* in, int n, unsigned* bins) {
  extern __shared__ unsigned copies[];
  const int warps = blockDim.x / 32;
  for (int b = threadIdx.x; b < kBins * warps; b += blockDim.x) copies[b] = 0;
  __syncthreads();
  unsigned* const mine = copies + kBins * (threadIdx.x / 32);
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    atomicAdd_block(&mine[in[i]], 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) {
    unsigned total = 0;
    for (int warp = 0; warp < warps; ++warp) total += copies[warp * kBins + b];
    atomicAdd(&bins[b], total);
  }
}

// A byte at a time by CAS on its word.
__global__ void ByCompareAndSwap(const int* in, int n, unsigned* bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned* const bin = &bins[in[i]];
  unsigned seen = atomicAdd(bin, 0u);
  for (unsigned expected = ~seen; seen != expected;) {
    expected = seen;
    seen = atomicCAS(bin, expected, expected + 1);
  }
}

// The programming guide's way to build any atomic operation: a plain read of the first value, then
// a compare-and-swap, which fails if the value has changed.
__device__ double AddDouble(double* address, double value) {
  auto* const bits = reinterpret_cast<unsigned long long*>(address);
  unsigned long long seen = *bits;
  unsigned long long assumed;
  do {
    assumed = seen;
    seen = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != seen);
  return __longlong_as_double(seen);
}

__global__ void AddDoubles(double* sums) {
  __shared__ double mine;
  if (threadIdx.x == 0) mine = 0;
  __syncthreads();
  AddDouble(&mine, threadIdx.x);
  AddDouble(&mine, 1);
  AddDouble(&sums[1], threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) AddDouble(&sums[0], mine);
}

using Kernel = void (*)(const int*, int, unsigned*);

bool Counts(Kernel kernel, int grid, int block, std::size_t bytes = 0) {
  const std::vector<int> values = SmallNumbers(kCount, kBins);
  const DeviceVector<int> in(values);
  const DeviceVector<unsigned> bins(kBins);
  kernel<<<grid, block, bytes>>>(in.get(), kCount, bins.get());
  return bins.ToHost() == Expected(values);
}

constexpr int kFullGrid = (kCount + kBlock - 1) / kBlock;

TEST(HistogramTest, PrivatisedBins) { EXPECT_TRUE(Counts(Privatised, kGrid, kBlock)); }
TEST(HistogramTest, BinsPerWarp) {
  EXPECT_TRUE(Counts(PerWarp, kGrid, kBlock, kBins * 3 * sizeof(unsigned)));
}
TEST(HistogramTest, CompareAndSwapBins) {
  EXPECT_TRUE(Counts(ByCompareAndSwap, kFullGrid, kBlock));
}

TEST(HistogramTest, PlainReadBeforeCompareAndSwap) {
  constexpr double kSum = kGrid * kBlock * (kBlock - 1) / 2;
  const DeviceVector<double> sums(2);
  AddDoubles<<<kGrid, kBlock>>>(sums.get());
  EXPECT_EQ(sums.ToHost(), (std::vector<double>{kSum + kGrid * kBlock, kSum}));
}

}  // namespace correct_histogram
