// Neighbours on a grid: halos, ghost cells, sweeps.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <vector>

#include "common/cudasim/tests/features/device_vector.h"
#include "common/cudasim/tests/features/numbers.h"

namespace correct_stencil {

constexpr int kRadius = 2;
constexpr int kBlock = 32;
constexpr int kCount = 131;
constexpr int kGrid = (kCount + kBlock - 1) / kBlock;

__constant__ int weights[2 * kRadius + 1];
__device__ int weighted_calls;

std::vector<int> Weights() { return {1, -2, 3, -4, 5}; }

std::vector<int> Convolved(const std::vector<int>& in) {
  const std::vector<int> w = Weights();
  std::vector<int> out(in.size());
  for (int i = 0; i < kCount; ++i) {
    for (int k = -kRadius; k <= kRadius; ++k) {
      if (i + k >= 0 && i + k < kCount) out[i] += w[k + kRadius] * in[i + k];
    }
  }
  return out;
}

// The tile with halo cells on both sides.
__global__ void ConvolveTile(const int* in, int* out) {
  __shared__ int tile[kBlock + 2 * kRadius];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const int t = threadIdx.x + kRadius;
  tile[t] = i < kCount ? in[i] : 0;
  if (threadIdx.x < kRadius) {
    tile[t - kRadius] = i >= kRadius ? in[i - kRadius] : 0;
    tile[t + kBlock] = i + kBlock < kCount ? in[i + kBlock] : 0;
  }
  __syncthreads();
  int sum = 0;
  for (int k = -kRadius; k <= kRadius; ++k) sum += weights[k + kRadius] * tile[t + k];
  if (i < kCount) out[i] = sum;
}

// All sweeps in one block: a barrier between reading and writing.
__global__ void SmoothInPlace(int* values, int n, int sweeps) {
  const int i = threadIdx.x;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    const int left = i > 0 ? values[i - 1] : 0;
    const int right = i < n - 1 ? values[i + 1] : 0;
    __syncthreads();
    values[i] += left + right;
    __syncthreads();
  }
}

bool ConvolvesWith(void (*kernel)(const int*, int*)) {
  const std::vector<int> w = Weights(), values = SmallNumbers(kCount);
  cudaMemcpyToSymbol(weights, w.data(), w.size() * sizeof(int));
  const DeviceVector<int> in(values), out(kCount);
  kernel<<<kGrid, kBlock>>>(in.get(), out.get());
  return out.ToHost() == Convolved(values);
}

TEST(StencilTest, ConvolutionWithHalo) { EXPECT_TRUE(ConvolvesWith(ConvolveTile)); }

std::vector<int> SmoothedTwice(std::vector<int> values, int sweeps) {
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    const std::vector<int> old = values;
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] += (i > 0 ? old[i - 1] : 0) + (i + 1 < old.size() ? old[i + 1] : 0);
    }
  }
  return values;
}

TEST(StencilTest, SweepsInOneBlock) {
  const std::vector<int> values = SmallNumbers(77);
  const DeviceVector<int> data(values);
  SmoothInPlace<<<1, 77>>>(data.get(), 77, 3);
  EXPECT_EQ(data.ToHost(), SmoothedTwice(values, 3));
}

// Consecutive threads, also of two blocks, share a word; each changes a byte of its own.
__global__ void SmoothBytes(unsigned char* values, int n) {
  __shared__ unsigned char tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  const int count = min(static_cast<int>(blockDim.x), n - static_cast<int>(i - t));
  if (i < n) tile[t] = values[i];
  __syncthreads();
  if (t >= count) return;
  const int left = t > 0 ? tile[t - 1] : 0;
  const int right = t + 1 < count ? tile[t + 1] : 0;
  values[i] = static_cast<unsigned char>(values[i] + left + right);
}

TEST(StencilTest, BytesInPlace) {
  constexpr int kOdd = 27;
  std::vector<unsigned char> values(kCount);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<unsigned char>(i % 50);
  const DeviceVector<unsigned char> data(values);
  SmoothBytes<<<(kCount + kOdd - 1) / kOdd, kOdd>>>(data.get(), kCount);
  const std::vector<unsigned char> got = data.ToHost();
  for (int i = 0; i < kCount; ++i) {
    const bool first = i % kOdd == 0;
    const bool last = i % kOdd == kOdd - 1 || i == kCount - 1;
    const int expected = i % 50 + (first ? 0 : (i - 1) % 50) + (last ? 0 : (i + 1) % 50);
    ASSERT_EQ(got[static_cast<std::size_t>(i)], expected);
  }
}

}  // namespace correct_stencil
