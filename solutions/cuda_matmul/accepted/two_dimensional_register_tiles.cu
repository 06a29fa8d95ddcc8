// Right: 8 x 8 neighbouring elements in each thread's registers.

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

constexpr int kRows = 128;  // of a block's part of C, which is square
constexpr int kDepth = 8;
constexpr int kEach = 8;  // rows and columns of a thread
constexpr int kThreads = kRows / kEach * (kRows / kEach);

// Each thread computes 8 x 8 neighbouring elements.
__global__ void RegisterKernel(const float* a, const float* b, float* c, int m, int k, int n) {
  __shared__ float as[kRows][kDepth];
  __shared__ float bs[kDepth][kRows];
  const int thread = threadIdx.x;
  const int thread_row = thread / (kRows / kEach) * kEach;
  const int thread_col = thread % (kRows / kEach) * kEach;
  const int first_row = blockIdx.y * kRows;
  const int first_col = blockIdx.x * kRows;
  float sums[kEach][kEach] = {};
  for (int t = 0; t < k; t += kDepth) {
    for (int e = thread; e < kRows * kDepth; e += kThreads) {
      const int row = first_row + e / kDepth;
      const int a_col = t + e % kDepth;
      as[e / kDepth][e % kDepth] = row < m && a_col < k ? a[row * k + a_col] : 0;
      const int b_row = t + e / kRows;
      const int col = first_col + e % kRows;
      bs[e / kRows][e % kRows] = b_row < k && col < n ? b[b_row * n + col] : 0;
    }
    __syncthreads();
    for (int i = 0; i < kDepth; ++i) {
      float x[kEach];
      float y[kEach];
      for (int e = 0; e < kEach; ++e) x[e] = bs[i][thread_col + e];
      for (int e = 0; e < kEach; ++e) y[e] = as[thread_row + e][i];
      for (int r = 0; r < kEach; ++r) {
        for (int s = 0; s < kEach; ++s) sums[r][s] += y[r] * x[s];
      }
    }
    __syncthreads();
  }
  for (int r = 0; r < kEach; ++r) {
    const int row = first_row + thread_row + r;
    for (int s = 0; s < kEach; ++s) {
      const int col = first_col + thread_col + s;
      if (row < m && col < n) c[row * n + col] = sums[r][s];
    }
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
  RegisterKernel<<<grid, kThreads, 0, stream>>>(a.data(), b.data(), c.data(), m, k, n);
  CUDA_CHECK(cudaGetLastError());
}
