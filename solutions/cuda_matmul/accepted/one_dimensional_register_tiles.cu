// Right: eight elements of a column in each thread's registers.

#include <cuda_runtime.h>

#include "common/cuda/check.h"
#include "labs/cuda_matmul/matmul.h"

namespace {

constexpr int kTile = 16;

__global__ void BasicKernel(const float* a, const float* b, float* c, int m, int k, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < n) {
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}

__global__ void SquareKernel(const float* a, const float* b, float* c, int n) {
  __shared__ float as[kTile][kTile];
  __shared__ float bs[kTile][kTile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty;
  const int col = blockIdx.x * kTile + tx;
  float sum = 0;
  for (int t = 0; t < n / kTile; ++t) {
    as[ty][tx] = a[row * n + t * kTile + tx];
    bs[ty][tx] = b[(t * kTile + ty) * n + col];
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += as[ty][i] * bs[i][tx];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

__global__ void TiledKernel(const float* a, const float* b, float* c, int m, int k, int n) {
  __shared__ float as[kTile][kTile];
  __shared__ float bs[kTile][kTile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty;
  const int col = blockIdx.x * kTile + tx;
  float sum = 0;
  for (int t = 0; t < (k + kTile - 1) / kTile; ++t) {
    if (row < m && t * kTile + tx < k) {
      as[ty][tx] = a[row * k + t * kTile + tx];
    } else {
      as[ty][tx] = 0;
    }
    if (t * kTile + ty < k && col < n) {
      bs[ty][tx] = b[(t * kTile + ty) * n + col];
    } else {
      bs[ty][tx] = 0;
    }
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += as[ty][i] * bs[i][tx];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

constexpr int kRows = 64;  // of a block's part of C, which is square
constexpr int kDepth = 8;
constexpr int kEach = 8;  // rows of a thread

// 512 threads: each computes eight elements of a column and loads one of each tile.
__global__ void RegisterKernel(const float* a, const float* b, float* c, int m, int k, int n) {
  __shared__ float as[kRows * kDepth];
  __shared__ float bs[kDepth * kRows];
  const int col_of_block = threadIdx.x % kRows;
  const int row_of_block = threadIdx.x / kRows * kEach;
  const int a_row = threadIdx.x / kDepth;
  const int a_col = threadIdx.x % kDepth;
  const int b_row = threadIdx.x / kRows;
  const int first_row = blockIdx.y * kRows;
  const int col = blockIdx.x * kRows + col_of_block;
  float sums[kEach] = {};
  for (int t = 0; t < k; t += kDepth) {
    const bool in_a = first_row + a_row < m && t + a_col < k;
    const bool in_b = t + b_row < k && col < n;
    as[threadIdx.x] = in_a ? a[(first_row + a_row) * k + t + a_col] : 0;
    bs[threadIdx.x] = in_b ? b[(t + b_row) * n + col] : 0;
    __syncthreads();
    for (int i = 0; i < kDepth; ++i) {
      const float value = bs[i * kRows + col_of_block];
      for (int r = 0; r < kEach; ++r) sums[r] += as[(row_of_block + r) * kDepth + i] * value;
    }
    __syncthreads();
  }
  for (int r = 0; r < kEach; ++r) {
    const int row = first_row + row_of_block + r;
    if (row < m && col < n) c[row * n + col] = sums[r];
  }
}

unsigned Blocks(int n, int size) { return (n + size - 1) / size; }

}  // namespace

void MatMul(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c, int m, int k,
            int n, cudaStream_t stream) {
  if (m == 0 || n == 0) return;
  const dim3 block(16, 16);
  const dim3 grid(Blocks(n, 16), Blocks(m, 16));
  BasicKernel<<<grid, block, 0, stream>>>(a.data(), b.data(), c.data(), m, k, n);
  CUDA_CHECK(cudaGetLastError());
}

void MatMulTiledSquare(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                       int n, cudaStream_t stream) {
  if (n == 0) return;
  const dim3 block(kTile, kTile);
  const dim3 grid(n / kTile, n / kTile);
  SquareKernel<<<grid, block, 0, stream>>>(a.data(), b.data(), c.data(), n);
  CUDA_CHECK(cudaGetLastError());
}

void MatMulTiled(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c, int m,
                 int k, int n, cudaStream_t stream) {
  if (m == 0 || n == 0) return;
  const dim3 block(kTile, kTile);
  const dim3 grid(Blocks(n, kTile), Blocks(m, kTile));
  TiledKernel<<<grid, block, 0, stream>>>(a.data(), b.data(), c.data(), m, k, n);
  CUDA_CHECK(cudaGetLastError());
}

void MatMulRegisterTiled(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                         int m, int k, int n, cudaStream_t stream) {
  if (m == 0 || n == 0) return;
  const dim3 grid(Blocks(n, kRows), Blocks(m, kRows));
  RegisterKernel<<<grid, kRows * kDepth, 0, stream>>>(a.data(), b.data(), c.data(), m, k, n);
  CUDA_CHECK(cudaGetLastError());
}
