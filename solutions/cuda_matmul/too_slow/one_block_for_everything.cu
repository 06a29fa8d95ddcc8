// Slow: one block computes all of C, tile by tile; all other multiprocessors of a GPU have nothing
// to do.

#include <cuda_runtime.h>

#include "common/cuda/check.h"
#include "labs/cuda_matmul/matmul.h"

namespace {

constexpr int kTile = 16;             // a block has kTile x kTile threads
constexpr int kEach = 4;              // a thread of part 4 has kEach x kEach elements of C,
constexpr int kWide = kTile * kEach;  // a block kWide x kWide

// Calls compute(row, column) with the first row and column of each tile of C.
template <typename Compute>
__device__ void ForEachTile(int m, int n, int width, const Compute& compute) {
  for (int row = 0; row < m; row += width) {
    for (int column = 0; column < n; column += width) compute(row, column);
  }
}

__global__ void BasicKernel(const float* a, const float* b, float* c, int m, int k, int n) {
  ForEachTile(m, n, kTile, [=](int first_row, int first_column) {
    const int row = first_row + threadIdx.y;
    const int column = first_column + threadIdx.x;
    if (row >= m || column >= n) return;
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
    c[row * n + column] = sum;
  });
}

__device__ void SquareTile(const float* a, const float* b, float* c, int n, int first_row,
                           int first_column) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  const int y = threadIdx.y;
  const int x = threadIdx.x;
  const int row = first_row + y;
  const int column = first_column + x;
  float sum = 0;
  for (int first = 0; first < n; first += kTile) {
    a_tile[y][x] = a[row * n + first + x];
    b_tile[y][x] = b[(first + y) * n + column];
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += a_tile[y][i] * b_tile[i][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void SquareKernel(const float* a, const float* b, float* c, int n) {
  ForEachTile(n, n, kTile, [=](int row, int column) { SquareTile(a, b, c, n, row, column); });
}

// Element (row, column) of a matrix, and 0 outside of it.
__device__ float At(const float* matrix, int rows, int columns, int row, int column) {
  return row < rows && column < columns ? matrix[row * columns + column] : 0.0f;
}

__device__ void TiledTile(const float* a, const float* b, float* c, int m, int k, int n,
                          int first_row, int first_column) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  const int y = threadIdx.y;
  const int x = threadIdx.x;
  const int row = first_row + y;
  const int column = first_column + x;
  float sum = 0;
  for (int first = 0; first < k; first += kTile) {
    a_tile[y][x] = At(a, m, k, row, first + x);
    b_tile[y][x] = At(b, k, n, first + y, column);
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += a_tile[y][i] * b_tile[i][x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

__global__ void TiledKernel(const float* a, const float* b, float* c, int m, int k, int n) {
  ForEachTile(m, n, kTile, [=](int row, int column) { TiledTile(a, b, c, m, k, n, row, column); });
}

// A thread's elements lie kTile apart in both directions: neighbouring threads use neighbours.
__device__ void RegisterTile(const float* a, const float* b, float* c, int m, int k, int n,
                             int first_row, int first_column) {
  __shared__ float a_tile[kWide][kTile];
  __shared__ float b_tile[kTile][kWide];
  const int y = threadIdx.y;
  const int x = threadIdx.x;
  const int row = first_row + y;
  const int column = first_column + x;
  float sums[kEach][kEach] = {};
  for (int first = 0; first < k; first += kTile) {
    for (int e = 0; e < kEach; ++e) {
      a_tile[y + e * kTile][x] = At(a, m, k, row + e * kTile, first + x);
      b_tile[y][x + e * kTile] = At(b, k, n, first + y, column + e * kTile);
    }
    __syncthreads();
    for (int i = 0; i < kTile; ++i) {
      float b_values[kEach];
      for (int e = 0; e < kEach; ++e) b_values[e] = b_tile[i][x + e * kTile];
      for (int r = 0; r < kEach; ++r) {
        const float a_value = a_tile[y + r * kTile][i];
        for (int e = 0; e < kEach; ++e) sums[r][e] += a_value * b_values[e];
      }
    }
    __syncthreads();
  }
  for (int r = 0; r < kEach; ++r) {
    for (int e = 0; e < kEach; ++e) {
      const int to_row = row + r * kTile;
      const int to_column = column + e * kTile;
      if (to_row < m && to_column < n) c[to_row * n + to_column] = sums[r][e];
    }
  }
}

__global__ void RegisterKernel(const float* a, const float* b, float* c, int m, int k, int n) {
  ForEachTile(m, n, kWide,
              [=](int row, int column) { RegisterTile(a, b, c, m, k, n, row, column); });
}

constexpr dim3 kBlock(kTile, kTile);

}  // namespace

void MatMul(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c, int m, int k,
            int n, cudaStream_t stream) {
  if (c.empty()) return;
  BasicKernel<<<1, kBlock, 0, stream>>>(a.data(), b.data(), c.data(), m, k, n);
  CUDA_CHECK(cudaGetLastError());
}

void MatMulTiledSquare(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                       int n, cudaStream_t stream) {
  if (c.empty()) return;
  SquareKernel<<<1, kBlock, 0, stream>>>(a.data(), b.data(), c.data(), n);
  CUDA_CHECK(cudaGetLastError());
}

void MatMulTiled(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c, int m,
                 int k, int n, cudaStream_t stream) {
  if (c.empty()) return;
  TiledKernel<<<1, kBlock, 0, stream>>>(a.data(), b.data(), c.data(), m, k, n);
  CUDA_CHECK(cudaGetLastError());
}

void MatMulRegisterTiled(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                         int m, int k, int n, cudaStream_t stream) {
  if (c.empty()) return;
  RegisterKernel<<<1, kBlock, 0, stream>>>(a.data(), b.data(), c.data(), m, k, n);
  CUDA_CHECK(cudaGetLastError());
}
