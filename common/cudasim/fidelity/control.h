// Loops and branches: lanes that diverge and reconverge.
#pragma once

#include "case.h"

__global__ void UniformLoop(Memory m) {
  float sum = 0;
  for (int r = 0; r < m.rounds; ++r) sum += m.floats[GlobalIndex() + r * 256];
  m.out[GlobalIndex()] = sum;
}

__global__ void LoopOfDifferentLength(Memory m) {
  float sum = 0;
  for (int r = 0; r < static_cast<int>(threadIdx.x % 4) + m.zero; ++r) {
    sum += m.floats[GlobalIndex() + r * 256];
  }
  m.out[GlobalIndex()] = sum;
}

__global__ void BranchInLoop(Memory m) {
  float sum = 0;
  for (int r = 0; r < m.rounds; ++r) {
    if ((threadIdx.x + r) % 2 == 0) {
      sum += m.floats[GlobalIndex()];
    } else {
      m.out[GlobalIndex()] = sum;
    }
  }
  m.doubles[GlobalIndex()] = sum;
}

__global__ void EarlyReturn(Memory m) {
  if (threadIdx.x % 32 > 20) return;
  m.out[GlobalIndex()] = m.floats[GlobalIndex()];
}

__global__ void GridStride(Memory m) {
  for (int i = GlobalIndex(); i < 3000; i += gridDim.x * blockDim.x) m.out[i] = m.floats[i];
}

__global__ void DivergentReduction(Memory m) {
  __shared__ float sums[256];
  sums[threadIdx.x] = m.floats[GlobalIndex()];
  for (unsigned d = 1; d < blockDim.x; d *= 2) {
    __syncthreads();
    if (threadIdx.x % (2 * d) == 0) sums[threadIdx.x] += sums[threadIdx.x + d];
  }
  if (threadIdx.x == 0) m.out[blockIdx.x] = sums[0];
}

__global__ void ConvergentReduction(Memory m) {
  __shared__ float sums[256];
  sums[threadIdx.x] = m.floats[GlobalIndex()];
  for (unsigned d = blockDim.x / 2; d > 0; d /= 2) {
    __syncthreads();
    if (threadIdx.x < d) sums[threadIdx.x] += sums[threadIdx.x + d];
  }
  if (threadIdx.x == 0) m.out[blockIdx.x] = sums[0];
}

// Matrices of 64 x 64.
__global__ void MatMulNaive(Memory m) {
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  float sum = 0;
  for (int k = 0; k < 64 + m.zero; ++k) {
    sum += m.floats[row * 64 + k] * m.floats[4096 + k * 64 + column];
  }
  m.out[row * 64 + column] = sum;
}

__global__ void MatMulTiled(Memory m) {
  __shared__ float a[16][16];
  __shared__ float b[16][16];
  const int row = static_cast<int>(blockIdx.y * 16 + threadIdx.y);
  const int column = static_cast<int>(blockIdx.x * 16 + threadIdx.x);
  float sum = 0;
  for (int t = 0; t < 4 + m.zero; ++t) {
    a[threadIdx.y][threadIdx.x] = m.floats[row * 64 + t * 16 + threadIdx.x];
    b[threadIdx.y][threadIdx.x] = m.floats[4096 + (t * 16 + threadIdx.y) * 64 + column];
    __syncthreads();
    for (int k = 0; k < 16 + m.zero; ++k) sum += a[threadIdx.y][k] * b[k][threadIdx.x];
    __syncthreads();
  }
  m.out[row * 64 + column] = sum;
}

inline const Case kControlCases[] = {
    CASE(UniformLoop, 8, 256),
    CASE(LoopOfDifferentLength, 8, 256),
    CASE(BranchInLoop, 8, 256),
    CASE(EarlyReturn, 8, 256),
    CASE(GridStride, 4, 256),
    CASE(DivergentReduction, 8, 256),
    CASE(ConvergentReduction, 8, 256),
    CASE(MatMulNaive, dim3(4, 4), dim3(16, 16)),
    CASE(MatMulTiled, dim3(4, 4), dim3(16, 16)),
};
