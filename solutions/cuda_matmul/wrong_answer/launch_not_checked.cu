// Wrong: nobody asks whether the launch of the tiled kernel failed.

#include <cuda_runtime.h>

#include "common/cuda/check.h"
#include "labs/cuda_matmul/matmul.h"

namespace {

constexpr int kTile = 16;             // a block has kTile x kTile threads
constexpr int kEach = 4;              // a thread of part 4 has kEach x kEach elements of C,
constexpr int kWide = kTile * kEach;  // a block kWide x kWide

unsigned BlocksFor(int elements, int of_a_block) {
  return static_cast<unsigned>((elements + of_a_block - 1) / of_a_block);
}

__global__ void BasicKernel(const float* a, const float* b, float* c, int m, int k, int n) {
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}

__global__ void SquareKernel(const float* a, const float* b, float* c, int n) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  const int y = threadIdx.y;
  const int x = threadIdx.x;
  const int row = blockIdx.y * kTile + y;
  const int column = blockIdx.x * kTile + x;
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

// Element (row, column) of a matrix, and 0 outside of it.
__device__ float At(const float* matrix, int rows, int columns, int row, int column) {
  return row < rows && column < columns ? matrix[row * columns + column] : 0.0f;
}

__global__ void TiledKernel(const float* a, const float* b, float* c, int m, int k, int n) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  const int y = threadIdx.y;
  const int x = threadIdx.x;
  const int row = blockIdx.y * kTile + y;
  const int column = blockIdx.x * kTile + x;
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

// A thread's elements lie kTile apart in both directions: neighbouring threads use neighbours.
__global__ void RegisterKernel(const float* a, const float* b, float* c, int m, int k, int n) {
  __shared__ float a_tile[kWide][kTile];
  __shared__ float b_tile[kTile][kWide];
  const int y = threadIdx.y;
  const int x = threadIdx.x;
  const int row = blockIdx.y * kWide + y;
  const int column = blockIdx.x * kWide + x;
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

constexpr dim3 kBlock(kTile, kTile);

}  // namespace

void MatMul(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c, int m, int k,
            int n, cudaStream_t stream) {
  if (c.empty()) return;
  const dim3 grid(BlocksFor(n, kTile), BlocksFor(m, kTile));
  BasicKernel<<<grid, kBlock, 0, stream>>>(a.data(), b.data(), c.data(), m, k, n);
  CUDA_CHECK(cudaGetLastError());
}

void MatMulTiledSquare(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                       int n, cudaStream_t stream) {
  if (c.empty()) return;
  const dim3 grid(n / kTile, n / kTile);
  SquareKernel<<<grid, kBlock, 0, stream>>>(a.data(), b.data(), c.data(), n);
  CUDA_CHECK(cudaGetLastError());
}

void MatMulTiled(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c, int m,
                 int k, int n, cudaStream_t stream) {
  if (c.empty()) return;
  const dim3 grid(BlocksFor(n, kTile), BlocksFor(m, kTile));
  TiledKernel<<<grid, kBlock, 0, stream>>>(a.data(), b.data(), c.data(), m, k, n);
}

void MatMulRegisterTiled(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                         int m, int k, int n, cudaStream_t stream) {
  if (c.empty()) return;
  const dim3 grid(BlocksFor(n, kWide), BlocksFor(m, kWide));
  RegisterKernel<<<grid, kBlock, 0, stream>>>(a.data(), b.data(), c.data(), m, k, n);
  CUDA_CHECK(cudaGetLastError());
}
