// Wrong: what lies outside of the matrices is not loaded, and the tile is left as it was.

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
    }
    if (t * kTile + ty < k && col < n) {
      bs[ty][tx] = b[(t * kTile + ty) * n + col];
    }
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += as[ty][i] * bs[i][tx];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

constexpr int kEach = 4;
constexpr int kWide = kEach * kTile;

__global__ void RegisterKernel(const float* a, const float* b, float* c, int m, int k, int n) {
  __shared__ float as[kWide][kTile];
  __shared__ float bs[kTile][kWide];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * kWide + ty;
  const int col = blockIdx.x * kWide + tx;
  float sums[kEach][kEach] = {};
  for (int first = 0; first < k; first += kTile) {
    for (int e = 0; e < kWide; e += kTile) {
      const bool in_a = row + e < m && first + tx < k;
      const bool in_b = first + ty < k && col + e < n;
      as[ty + e][tx] = in_a ? a[(row + e) * k + first + tx] : 0;
      bs[ty][tx + e] = in_b ? b[(first + ty) * n + col + e] : 0;
    }
    __syncthreads();
    for (int i = 0; i < kTile; ++i) {
      float x[kEach];
      for (int s = 0; s < kEach; ++s) x[s] = bs[i][tx + s * kTile];
      for (int r = 0; r < kEach; ++r) {
        const float y = as[ty + r * kTile][i];
        for (int s = 0; s < kEach; ++s) sums[r][s] += y * x[s];
      }
    }
    __syncthreads();
  }
  for (int r = 0; r < kEach; ++r) {
    for (int s = 0; s < kEach; ++s) {
      const int y = row + r * kTile;
      const int x = col + s * kTile;
      if (y < m && x < n) c[y * n + x] = sums[r][s];
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
  const dim3 block(kTile, kTile);
  const dim3 grid(Blocks(n, kWide), Blocks(m, kWide));
  RegisterKernel<<<grid, block, 0, stream>>>(a.data(), b.data(), c.data(), m, k, n);
  CUDA_CHECK(cudaGetLastError());
}
