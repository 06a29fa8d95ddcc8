// __shared__ variables, static and dynamic, and the barriers that make them useful.
#include <type_traits>

#include "common/cudasim/tests/features/test.h"

namespace {

__global__ void AddTwoVariables(int* sums) {
  __shared__ int numbers[32];
  __shared__ int hundreds[32];
  numbers[threadIdx.x] = threadIdx.x;
  hundreds[threadIdx.x] = 100;
  __syncthreads();
  sums[threadIdx.x] = numbers[31 - threadIdx.x] + hundreds[threadIdx.x];
}

const std::vector<int> sums_before_main = StoredBy(AddTwoVariables, 32, 32);

TEST(SharedTest, HasPlacesBeforeMain) {
  for (int i = 0; i < 32; ++i) EXPECT_EQ(sums_before_main[i], 131 - i);
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
  const std::vector<int> got = StoredBy(AddTenToRows, 32, 8);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(got[i], 11 + i / 8) << "word " << i;
}

}  // namespace
