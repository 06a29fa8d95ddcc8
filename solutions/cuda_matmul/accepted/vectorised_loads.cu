// Right: four floats a load, from both memories; one by one where a width is no multiple of four.

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
constexpr int kDepth = 16;
constexpr int kEach = 4;

__device__ float4 Four(const float* from) { return *reinterpret_cast<const float4*>(from); }

// The four elements of a row from `col` on, with 0 for those outside. kAligned: widths are
// multiples of four, so that all four are inside or all outside.
template <bool kAligned>
__device__ float4 FourAt(const float* matrix, int rows, int cols, int row, int col) {
  float4 four = make_float4(0, 0, 0, 0);
  if (row >= rows || col >= cols) return four;
  const float* from = matrix + row * cols + col;
  if (kAligned) return Four(from);
  four.x = from[0];
  if (col + 1 < cols) four.y = from[1];
  if (col + 2 < cols) four.z = from[2];
  if (col + 3 < cols) four.w = from[3];
  return four;
}

// 256 threads, each with 4 x 4 elements; A's tile is stored transposed, so that both are read in
// fours. Its rows are padded by four words: the stores meet fewer banks twice.
template <bool kAligned>
__global__ void VectorKernel(const float* a, const float* b, float* c, int m, int k, int n) {
  __shared__ alignas(16) float as[kDepth][kRows + 4];
  __shared__ alignas(16) float bs[kDepth][kRows];
  const int a_row = threadIdx.x / 4;
  const int a_col = threadIdx.x % 4 * 4;
  const int b_row = threadIdx.x / 16;
  const int b_col = threadIdx.x % 16 * 4;
  const int first_row = blockIdx.y * kRows;
  const int first_col = blockIdx.x * kRows;
  float sums[kEach][kEach] = {};
  for (int t = 0; t < k; t += kDepth) {
    const float4 from_a = FourAt<kAligned>(a, m, k, first_row + a_row, t + a_col);
    as[a_col][a_row] = from_a.x;
    as[a_col + 1][a_row] = from_a.y;
    as[a_col + 2][a_row] = from_a.z;
    as[a_col + 3][a_row] = from_a.w;
    const float4 from_b = FourAt<kAligned>(b, k, n, t + b_row, first_col + b_col);
    *reinterpret_cast<float4*>(&bs[b_row][b_col]) = from_b;
    __syncthreads();
    for (int i = 0; i < kDepth; ++i) {
      const float4 y = Four(&as[i][threadIdx.x / 16 * 4]);
      const float4 x = Four(&bs[i][b_col]);
      const float ys[] = {y.x, y.y, y.z, y.w};
      const float xs[] = {x.x, x.y, x.z, x.w};
      for (int r = 0; r < kEach; ++r) {
        for (int s = 0; s < kEach; ++s) sums[r][s] += ys[r] * xs[s];
      }
    }
    __syncthreads();
  }
  for (int r = 0; r < kEach; ++r) {
    const int row = first_row + threadIdx.x / 16 * 4 + r;
    for (int s = 0; s < kEach; ++s) {
      const int col = first_col + b_col + s;
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
  const bool aligned = k % 4 == 0 && n % 4 == 0;
  auto* const kernel = aligned ? VectorKernel<true> : VectorKernel<false>;
  kernel<<<grid, 256, 0, stream>>>(a.data(), b.data(), c.data(), m, k, n);
  CUDA_CHECK(cudaGetLastError());
}
