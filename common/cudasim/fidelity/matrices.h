// Loads and stores of matrices by wmma and ldmatrix, from global and shared memory. One warp a
// block; rows or columns are kStride elements apart.
#pragma once

#include <mma.h>

#include "case.h"

namespace wmma = nvcuda::wmma;
using ByRows = wmma::row_major;
using ByColumns = wmma::col_major;

constexpr int kStride = 64;
constexpr int kTile = 32 * kStride;  // elements from a block's matrix to the next one's

// c = a * b + c for one warp.
template <int M, int N, int K, class T, class C, class ALayout, class BLayout, class E>
__device__ inline void MultiplyTile(const E* a, const E* b, C* c, int stride, wmma::layout_t at) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, ALayout> a_part;
  wmma::fragment<wmma::matrix_b, M, N, K, T, BLayout> b_part;
  wmma::fragment<wmma::accumulator, M, N, K, C> sum;
  wmma::load_matrix_sync(a_part, a, stride);
  wmma::load_matrix_sync(b_part, b, stride);
  wmma::load_matrix_sync(sum, c, stride, at);
  wmma::mma_sync(sum, a_part, b_part, sum);
  wmma::store_matrix_sync(c, sum, stride, at);
}

#define MATRIX_KERNEL(name, M, N, K, T, C, a_layout, b_layout, in, out, at)           \
  __global__ void name(Memory m) {                                                    \
    const int tile = static_cast<int>(blockIdx.x) * kTile;                            \
    MultiplyTile<M, N, K, T, C, a_layout, b_layout>((in) + tile, (in) + kTile + tile, \
                                                    (out) + tile, kStride, wmma::at); \
  }

MATRIX_KERNEL(HalfRowsColumns, 16, 16, 16, __half, float, ByRows, ByColumns, m.halves, m.out,
              mem_row_major)
MATRIX_KERNEL(HalfColumnsRows, 16, 16, 16, __half, float, ByColumns, ByRows, m.halves, m.out,
              mem_col_major)
MATRIX_KERNEL(HalfInHalf, 16, 16, 16, __half, __half, ByRows, ByRows, m.halves,
              reinterpret_cast<__half*>(m.longs), mem_row_major)
MATRIX_KERNEL(HalfInHalfByColumns, 16, 16, 16, __half, __half, ByColumns, ByColumns, m.halves,
              reinterpret_cast<__half*>(m.longs), mem_col_major)
MATRIX_KERNEL(TallHalf, 32, 8, 16, __half, float, ByRows, ByColumns, m.halves, m.out, mem_row_major)
MATRIX_KERNEL(WideHalf, 8, 32, 16, __half, float, ByColumns, ByRows, m.halves, m.out, mem_row_major)
MATRIX_KERNEL(WideHalfByColumns, 8, 32, 16, __half, float, ByRows, ByColumns, m.halves, m.out,
              mem_col_major)
MATRIX_KERNEL(WideHalfInHalf, 8, 32, 16, __half, __half, ByRows, ByColumns, m.halves,
              reinterpret_cast<__half*>(m.longs), mem_row_major)
MATRIX_KERNEL(WideBytes, 8, 32, 16, signed char, int, ByRows, ByColumns,
              reinterpret_cast<const signed char*>(m.ints), m.counts, mem_row_major)
MATRIX_KERNEL(TallBytes, 32, 8, 16, signed char, int, ByColumns, ByRows,
              reinterpret_cast<const signed char*>(m.ints), m.counts, mem_col_major)
MATRIX_KERNEL(BytesRowsColumns, 16, 16, 16, signed char, int, ByRows, ByColumns,
              reinterpret_cast<const signed char*>(m.ints), m.counts, mem_row_major)
MATRIX_KERNEL(BytesColumnsRows, 16, 16, 16, signed char, int, ByColumns, ByRows,
              reinterpret_cast<const signed char*>(m.ints), m.counts, mem_col_major)
MATRIX_KERNEL(Tf32RowsColumns, 16, 16, 8, wmma::precision::tf32, float, ByRows, ByColumns, m.floats,
              m.out, mem_row_major)
MATRIX_KERNEL(Tf32ColumnsRows, 16, 16, 8, wmma::precision::tf32, float, ByColumns, ByRows, m.floats,
              m.out, mem_col_major)
MATRIX_KERNEL(DoubleRowsColumns, 8, 8, 4, double, double, ByRows, ByColumns, m.doubles, m.doubles,
              mem_row_major)
MATRIX_KERNEL(DoubleColumnsRows, 8, 8, 4, double, double, ByColumns, ByRows, m.doubles, m.doubles,
              mem_col_major)

// By rows of `stride` elements in shared memory: 16 are conflicts, 24 none.
template <int kSharedStride, class ALayout, class BLayout>
__device__ inline void MultiplyShared(Memory m, wmma::layout_t at) {
  __shared__ alignas(32) __half a[16 * kSharedStride];
  __shared__ alignas(32) __half b[16 * kSharedStride];
  __shared__ alignas(32) float c[16 * kSharedStride];
  for (int i = static_cast<int>(threadIdx.x); i < 16 * kSharedStride; i += 32) {
    a[i] = m.halves[i];
    b[i] = m.halves[i + m.rounds];
    c[i] = m.floats[i];
  }
  __syncthreads();
  MultiplyTile<16, 16, 16, __half, float, ALayout, BLayout>(a, b, c, kSharedStride, at);
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < 16 * kSharedStride; i += 32) m.out[i] = c[i];
}

__global__ void SharedHalfDense(Memory m) {
  MultiplyShared<16, ByRows, ByColumns>(m, wmma::mem_row_major);
}
__global__ void SharedHalfPadded(Memory m) {
  MultiplyShared<24, ByRows, ByColumns>(m, wmma::mem_row_major);
}
__global__ void SharedHalfTurned(Memory m) {
  MultiplyShared<24, ByColumns, ByRows>(m, wmma::mem_col_major);
}

template <bool kTransposed>
__device__ inline void LoadFour(Memory m, int stride) {
  __shared__ alignas(16) __half tile[32 * 64];
  for (int i = static_cast<int>(threadIdx.x); i < 32 * 64; i += 32) tile[i] = m.halves[i];
  __syncthreads();
  const __half* const row = tile + stride * static_cast<int>(threadIdx.x);
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  unsigned part[4];
  if constexpr (kTransposed) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(part[0]), "=r"(part[1]), "=r"(part[2]), "=r"(part[3])
                 : "r"(address));
  } else {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(part[0]), "=r"(part[1]), "=r"(part[2]), "=r"(part[3])
                 : "r"(address));
  }
  for (int i = 0; i < 4; ++i) m.longs[4 * threadIdx.x + i] = part[i];
}

__global__ void LoadMatricesDense(Memory m) { LoadFour<false>(m, 8); }
__global__ void LoadMatricesApart(Memory m) { LoadFour<false>(m, 32); }
__global__ void LoadMatricesTurned(Memory m) { LoadFour<true>(m, 24); }

inline const Case kMatrixCases[] = {
    CASE(HalfRowsColumns, 4, 32),   CASE(HalfColumnsRows, 4, 32),
    CASE(HalfInHalf, 4, 32),        CASE(HalfInHalfByColumns, 4, 32),
    CASE(TallHalf, 4, 32),          CASE(WideHalf, 4, 32),
    CASE(BytesRowsColumns, 4, 32),  CASE(BytesColumnsRows, 4, 32),
    CASE(Tf32RowsColumns, 4, 32),   CASE(Tf32ColumnsRows, 4, 32),
    CASE(DoubleRowsColumns, 4, 32), CASE(DoubleColumnsRows, 4, 32),
    CASE(SharedHalfDense, 1, 32),   CASE(SharedHalfPadded, 1, 32),
    CASE(SharedHalfTurned, 1, 32),  CASE(LoadMatricesDense, 1, 32),
    CASE(LoadMatricesApart, 1, 32), CASE(LoadMatricesTurned, 1, 32),
    CASE(WideHalfByColumns, 4, 32), CASE(WideHalfInHalf, 4, 32),
    CASE(WideBytes, 4, 32),         CASE(TallBytes, 4, 32),
};
