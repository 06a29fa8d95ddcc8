// Wrong: four columns a thread, but A's tile is read anew for each of them.

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

constexpr int kWideTile = 32;
constexpr int kColumns = 4;

// A thread computes four elements of a row: one after the other.
__global__ void CoarseKernel(const float* a, const float* b, float* c, int m, int k, int n) {
  __shared__ float as[kWideTile][kWideTile];
  __shared__ float bs[kColumns][kWideTile][kWideTile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * kWideTile + ty;
  const int first_col = blockIdx.x * kWideTile * kColumns + tx;
  float sums[kColumns] = {};
  for (int t = 0; t < k; t += kWideTile) {
    as[ty][tx] = row < m && t + tx < k ? a[row * k + t + tx] : 0;
    for (int s = 0; s < kColumns; ++s) {
      const int col = first_col + s * kWideTile;
      bs[s][ty][tx] = t + ty < k && col < n ? b[(t + ty) * n + col] : 0;
    }
    __syncthreads();
    for (int s = 0; s < kColumns; ++s) {
      for (int i = 0; i < kWideTile; ++i) sums[s] += as[ty][i] * bs[s][i][tx];
    }
    __syncthreads();
  }
  for (int s = 0; s < kColumns; ++s) {
    const int col = first_col + s * kWideTile;
    if (row < m && col < n) c[row * n + col] = sums[s];
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
  const dim3 block(kWideTile, kWideTile);
  const dim3 grid(Blocks(n, kWideTile * kColumns), Blocks(m, kWideTile));
  CoarseKernel<<<grid, block, 0, stream>>>(a.data(), b.data(), c.data(), m, k, n);
  CUDA_CHECK(cudaGetLastError());
}
