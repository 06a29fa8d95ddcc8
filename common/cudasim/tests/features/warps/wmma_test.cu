// nvcuda::wmma: all types, shapes and layouts against sums on the host.
#include <mma.h>

#include <cmath>
#include <limits>

#include "common/cudasim/tests/features/test.h"

namespace {

namespace wmma = nvcuda::wmma;
using Rows = wmma::row_major;
using Columns = wmma::col_major;

constexpr int kPad = 16;  // elements between rows or columns

// c = 2 * (a * b + 1)
template <int M, int N, int K, class T, class C, class ALayout, class BLayout, class E>
__global__ void Multiply(const E* a, const E* b, C* c, wmma::layout_t layout) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, ALayout> a_part;
  wmma::fragment<wmma::matrix_b, M, N, K, T, BLayout> b_part;
  wmma::fragment<wmma::accumulator, M, N, K, C> sum;
  wmma::fill_fragment(sum, 1.0f);
  wmma::load_matrix_sync(a_part, a, (std::is_same_v<ALayout, Rows> ? K : M) + kPad);
  wmma::load_matrix_sync(b_part, b, (std::is_same_v<BLayout, Rows> ? N : K) + kPad);
  wmma::mma_sync(sum, a_part, b_part, sum);
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = sum.x[i] + sum.x[i];
  wmma::store_matrix_sync(c, sum, (layout == wmma::mem_row_major ? N : M) + kPad, layout);
}

int AAt(int row, int column) { return (row * 3 + column * 5) % 7 - 3; }
int BAt(int row, int column) { return (row * 2 + column * 5) % 9 - 4; }

// A matrix with kPad elements between its rows or columns.
template <class E, class At>
std::vector<E> Matrix(int rows, int columns, bool by_rows, At at) {
  std::vector<E> values(by_rows ? rows * (columns + kPad) : columns * (rows + kPad), E(0.0f));
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      values[by_rows ? i * (columns + kPad) + j : j * (rows + kPad) + i] =
          E(static_cast<float>(at(i, j)));
    }
  }
  return values;
}

template <int M, int N, int K, class T, class C, class ALayout, class BLayout, class E = T>
void ExpectProduct() {
  const bool a_rows = std::is_same_v<ALayout, Rows>;
  const bool b_rows = std::is_same_v<BLayout, Rows>;
  DeviceVector<E> a(Matrix<E>(M, K, a_rows, AAt));
  DeviceVector<E> b(Matrix<E>(K, N, b_rows, BAt));
  for (const wmma::layout_t layout : {wmma::mem_row_major, wmma::mem_col_major}) {
    const bool by_rows = layout == wmma::mem_row_major;
    DeviceVector<C> c(by_rows ? M * (N + kPad) : N * (M + kPad));
    Multiply<M, N, K, T, C, ALayout, BLayout><<<1, 32>>>(a.get(), b.get(), c.get(), layout);
    const std::vector<C> got = c.ToHost();
    for (int i = 0; i < M; ++i) {
      for (int j = 0; j < N; ++j) {
        int sum = 1;
        for (int k = 0; k < K; ++k) sum += AAt(i, k) * BAt(k, j);
        const C found = got[by_rows ? i * (N + kPad) + j : j * (M + kPad) + i];
        ASSERT_EQ(static_cast<double>(static_cast<float>(found)), 2 * sum) << i << " " << j;
      }
    }
  }
}

TEST(WmmaTest, MultipliesInEveryLayoutAndShape) {
  ExpectProduct<16, 16, 16, half, float, Rows, Rows>();
  ExpectProduct<16, 16, 16, half, float, Rows, Columns>();
  ExpectProduct<16, 16, 16, half, half, Columns, Columns>();
  ExpectProduct<32, 8, 16, half, float, Columns, Rows>();
  ExpectProduct<8, 32, 16, half, half, Columns, Rows>();
}

TEST(WmmaTest, MultipliesOtherTypes) {
  ExpectProduct<32, 8, 16, __nv_bfloat16, float, Rows, Columns>();
  ExpectProduct<16, 16, 16, signed char, int, Columns, Rows>();
  ExpectProduct<16, 16, 8, wmma::precision::tf32, float, Rows, Columns, float>();
  ExpectProduct<8, 8, 4, double, double, Columns, Rows>();
}

template <class T, class C>
__global__ void Square(C* c, T factor, C start, bool saturates) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, T, Rows> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, T, Columns> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, C> sum;
  wmma::fill_fragment(a, factor);
  wmma::fill_fragment(b, factor);
  wmma::fill_fragment(sum, start);
  wmma::mma_sync(sum, a, b, sum, saturates);
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}

TEST(WmmaTest, IntegersSaturateOnDemand) {
  constexpr int kMost = std::numeric_limits<int>::max();
  DeviceVector<int> c(256);
  Square<signed char, int><<<1, 32>>>(c.get(), 100, kMost - 5, true);
  EXPECT_EQ(c.ToHost()[77], kMost);
  Square<signed char, int><<<1, 32>>>(c.get(), 100, kMost - 5, false);
  EXPECT_EQ(c.ToHost()[77], static_cast<int>(kMost - 5u + 160000u));
  Square<unsigned char, int><<<1, 32>>>(c.get(), 200, 0, false);
  EXPECT_EQ(c.ToHost()[77], 640000);
}

// 1 + 16 * 2^-12: a sum in half precision would lose each of the products.
TEST(WmmaTest, AnAccumulatorOfHalfIsRoundedOnce) {
  DeviceVector<half> c(256);
  Square<half, half><<<1, 32>>>(c.get(), half(0.015625f), half(1.0f), false);
  EXPECT_EQ(static_cast<float>(c.ToHost()[0]), 1.0f + 16.0f / 4096);
}

TEST(WmmaTest, RoundsToTf32) {
  EXPECT_EQ(wmma::__float_to_tf32(1.0f + std::ldexp(1.0f, -11)), 1.0f + std::ldexp(1.0f, -10));
  EXPECT_EQ(wmma::__float_to_tf32(1.0f + std::ldexp(1.0f, -12)), 1.0f);
  EXPECT_EQ(wmma::__float_to_tf32(-3.0f), -3.0f);
  EXPECT_EQ(wmma::__float_to_tf32(INFINITY), INFINITY);
  EXPECT_TRUE(std::isnan(wmma::__float_to_tf32(NAN)));
}

}  // namespace
