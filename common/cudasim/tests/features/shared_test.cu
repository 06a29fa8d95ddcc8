// __shared__ variables, static and dynamic, and the barriers that make them useful.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <numeric>
#include <type_traits>
#include <vector>

#include "common/cudasim/tests/features/device_vector.h"

namespace {

__global__ void ReverseBlocks(int* values) {
  __shared__ int tile[64];
  int* const mine = values + blockIdx.x * blockDim.x;
  tile[threadIdx.x] = mine[threadIdx.x];
  __syncthreads();
  mine[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

TEST(SharedTest, EachBlockHasItsOwn) {
  std::vector<int> values(10 * 64);
  std::iota(values.begin(), values.end(), 0);
  DeviceVector<int> d(values);
  ReverseBlocks<<<10, 64>>>(d.get());
  const std::vector<int> got = d.ToHost();
  for (int i = 0; i < 640; ++i) ASSERT_EQ(got[i], i / 64 * 64 + 63 - i % 64);
}

__global__ void AddTwoVariables(int* sums) {
  __shared__ int numbers[32];
  __shared__ int hundreds[32];
  numbers[threadIdx.x] = threadIdx.x;
  hundreds[threadIdx.x] = 100;
  __syncthreads();
  sums[threadIdx.x] = numbers[31 - threadIdx.x] + hundreds[threadIdx.x];
}

const std::vector<int> sums_before_main = [] {
  DeviceVector<int> sums(32);
  AddTwoVariables<<<1, 32>>>(sums.get());
  return sums.ToHost();
}();

TEST(SharedTest, HasPlacesBeforeMain) {
  for (int i = 0; i < 32; ++i) EXPECT_EQ(sums_before_main[i], 131 - i);
}

template <class T>
__global__ void TreeSum(const T* in, T* out, int n) {
  extern __shared__ unsigned char memory[];
  T* const partial = reinterpret_cast<T*>(memory);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  partial[threadIdx.x] = i < n ? in[i] : T();
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}

TEST(SharedTest, ReducesInDynamicMemory) {
  std::vector<double> values(1000);
  std::iota(values.begin(), values.end(), 1.0);
  DeviceVector<double> in(values);
  DeviceVector<double> out(8);
  TreeSum<<<8, 128, 128 * sizeof(double)>>>(in.get(), out.get(), 1000);
  const std::vector<double> sums = out.ToHost();
  EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), 0.0), 500500.0);
}

__global__ void Transpose(const float* in, float* out, int width, int height) {
  __shared__ float tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x;
  int y = blockIdx.y * 16 + threadIdx.y;
  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  if (x < height && y < width) out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}

TEST(SharedTest, TransposesThroughATwoDimensionalTile) {
  const int width = 37;
  const int height = 21;
  std::vector<float> values(width * height);
  std::iota(values.begin(), values.end(), 0.0f);
  DeviceVector<float> in(values);
  DeviceVector<float> out(values.size());
  Transpose<<<dim3(3, 2), dim3(16, 16)>>>(in.get(), out.get(), width, height);
  const std::vector<float> got = out.ToHost();
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) ASSERT_EQ(got[x * height + y], values[y * width + x]);
  }
}

__device__ float* Scratch() {
  __shared__ float scratch[4];
  return scratch;
}

__global__ void UseScratch(float* out) {
  if (threadIdx.x < 4) Scratch()[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = Scratch()[threadIdx.x % 4];
}

TEST(SharedTest, MayBeDeclaredInADeviceFunction) {
  DeviceVector<float> out(8);
  UseScratch<<<1, 8>>>(out.get());
  EXPECT_EQ(out.ToHost(), (std::vector<float>{0, 1, 2, 3, 0, 1, 2, 3}));
}

extern __shared__ int global_dynamic[];

template <class T>
__global__ void DeclaredTypes(T* out) {
  __shared__ T tile[4][8];
  __shared__ int count, rows[2];
  extern __shared__ short dynamic[];
  static_assert(std::is_same_v<decltype(tile), T[4][8]>);
  static_assert(std::is_same_v<decltype(count), int> && std::is_same_v<decltype(rows), int[2]>);
  static_assert(std::is_same_v<decltype(dynamic), short[]>);
  static_assert(std::is_same_v<decltype((count)), int&>);
  static_assert(std::is_same_v<decltype(global_dynamic), int[]>);
  decltype(count) copy = 3;
  dynamic[threadIdx.x] = 0;
  if (threadIdx.x == 0) count = copy;
  __syncthreads();
  tile[0][threadIdx.x] = static_cast<T>(count + sizeof(decltype(tile)));
  out[threadIdx.x] = tile[0][threadIdx.x];
}

TEST(SharedTest, HasTheDeclaredTypes) {
  DeviceVector<float> out(4);
  DeclaredTypes<<<1, 4, 16>>>(out.get());
  EXPECT_EQ(out.ToHost(), std::vector<float>(4, 3 + 128));
}

__global__ void AddTenToRows(int* out) {
  constexpr int kRows = 4;
  constexpr int kColumns = 8;
  __shared__ int rows[kRows][kColumns];
  rows[0][threadIdx.x] = 1;
  for (int r = 1; r < kRows; ++r) rows[r][threadIdx.x] = r + 1;
  for (int i = threadIdx.x; i < kRows * kColumns; i += kColumns) rows[0][i] += 10;
  for (int r = 0; r < kRows; ++r) out[r * kColumns + threadIdx.x] = rows[r][threadIdx.x];
}

// C++ lets a compiler end the loop after the first row; nvcc goes on, and programs rely on it.
TEST(SharedTest, GoesFromRowToRowByOneIndex) {
  DeviceVector<int> out(32);
  AddTenToRows<<<1, 8>>>(out.get());
  const std::vector<int> got = out.ToHost();
  for (int i = 0; i < 32; ++i) EXPECT_EQ(got[i], 11 + i / 8) << "word " << i;
}

}  // namespace
