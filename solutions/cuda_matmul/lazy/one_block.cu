// Lazy: one block goes through all tiles of the product, one after the other.

#include <cuda_runtime.h>

#include "common/cuda/check.h"
#include "labs/cuda_matmul/matmul.h"

namespace {

constexpr int kTile = 16;             // a block has kTile x kTile threads
constexpr int kEach = 4;              // a thread of part 4 has kEach x kEach elements of C,
constexpr int kWide = kTile * kEach;  // a block kWide x kWide

__global__ void BasicKernel(const float* a, const float* b, float* c, int m, int k, int n) {
  for (int row = threadIdx.y; row < m; row += kTile) {
    for (int column = threadIdx.x; column < n; column += kTile) {
      float sum = 0;
      for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
      c[row * n + column] = sum;
    }
  }
}

// Element (row, column) of a matrix, and 0 outside of it.
__device__ float At(const float* matrix, int rows, int columns, int row, int column) {
  return row < rows && column < columns ? matrix[row * columns + column] : 0.0f;
}

// The tile of C whose first element is (top, left).
__device__ void MultiplyTile(const float* a, const float* b, float* c, int m, int k, int n, int top,
                             int left) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  const int y = threadIdx.y;
  const int x = threadIdx.x;
  float sum = 0;
  for (int first = 0; first < k; first += kTile) {
    a_tile[y][x] = At(a, m, k, top + y, first + x);
    b_tile[y][x] = At(b, k, n, first + y, left + x);
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += a_tile[y][i] * b_tile[i][x];
    __syncthreads();
  }
  if (top + y < m && left + x < n) c[(top + y) * n + left + x] = sum;
}

__global__ void TiledKernel(const float* a, const float* b, float* c, int m, int k, int n) {
  for (int top = 0; top < m; top += kTile) {
    for (int left = 0; left < n; left += kTile) MultiplyTile(a, b, c, m, k, n, top, left);
  }
}

// The same for kWide x kWide elements.
__device__ void MultiplyWideTile(const float* a, const float* b, float* c, int m, int k, int n,
                                 int row, int column) {
  __shared__ float a_tile[kWide][kTile];
  __shared__ float b_tile[kTile][kWide];
  const int y = threadIdx.y;
  const int x = threadIdx.x;
  row += y;
  column += x;
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
  for (int top = 0; top < m; top += kWide) {
    for (int left = 0; left < n; left += kWide) MultiplyWideTile(a, b, c, m, k, n, top, left);
  }
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
  MatMulTiled(a, b, c, n, n, n, stream);
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
