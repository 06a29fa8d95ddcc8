// LU decomposition, in place and without pivots.

#include <cuda_runtime.h>

#include "common/cudasim/predict/measure/exercises/exercises.h"

namespace predict::exercises {
namespace {

// Two launches for each column, or three for each 16 columns, as lud of the Rodinia benchmarks:
// the tile of the diagonal, the tiles below and to the right of it, and all others.
constexpr unsigned kTile = 16;

__global__ void ScaleColumn(float* a, unsigned n, unsigned k) {
  const unsigned y = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
  if (y < n) a[y * n + k] /= a[k * n + k];
}

__global__ void SubtractProduct(float* a, unsigned n, unsigned k) {
  const unsigned x = k + 1 + blockIdx.x * 32 + threadIdx.x;
  const unsigned y = k + 1 + blockIdx.y * 8 + threadIdx.y;
  if (x < n && y < n) a[y * n + x] -= a[y * n + k] * a[k * n + x];
}

__global__ void FactorDiagonal(float* a, unsigned n, unsigned first) {
  __shared__ float tile[kTile][kTile + 1];
  const unsigned t = threadIdx.x;
  float* const corner = a + first * n + first;
  for (unsigned y = 0; y < kTile; ++y) tile[y][t] = corner[y * n + t];
  __syncwarp(0xffff);
  for (unsigned k = 0; k + 1 < kTile; ++k) {
    if (t > k) {
      const float factor = tile[t][k] / tile[k][k];
      tile[t][k] = factor;
      for (unsigned x = k + 1; x < kTile; ++x) tile[t][x] -= factor * tile[k][x];
    }
    __syncwarp(0xffff);
  }
  for (unsigned y = 0; y < kTile; ++y) corner[y * n + t] = tile[y][t];
}

// Threads 0 to 15 solve for a column of a tile on the right, the others for a row of one below.
__global__ void FactorPerimeter(float* a, unsigned n, unsigned first) {
  __shared__ float diagonal[kTile][kTile + 1];
  __shared__ float right[kTile][kTile + 1];
  __shared__ float below[kTile][kTile + 1];
  const unsigned t = threadIdx.x % kTile;
  const unsigned apart = (blockIdx.x + 1) * kTile;
  float* const corner = a + first * n + first;
  for (unsigned y = threadIdx.x / kTile; y < kTile; y += 2) {
    diagonal[y][t] = corner[y * n + t];
    right[y][t] = corner[y * n + apart + t];
    below[y][t] = corner[(apart + y) * n + t];
  }
  __syncthreads();
  if (threadIdx.x < kTile) {
    for (unsigned y = 1; y < kTile; ++y) {
      for (unsigned k = 0; k < y; ++k) right[y][t] -= diagonal[y][k] * right[k][t];
    }
  } else {
    for (unsigned x = 0; x < kTile; ++x) {
      for (unsigned k = 0; k < x; ++k) below[t][x] -= below[t][k] * diagonal[k][x];
      below[t][x] /= diagonal[x][x];
    }
  }
  __syncthreads();
  for (unsigned y = threadIdx.x / kTile; y < kTile; y += 2) {
    corner[y * n + apart + t] = right[y][t];
    corner[(apart + y) * n + t] = below[y][t];
  }
}

__global__ void FactorInside(float* a, unsigned n, unsigned first) {
  __shared__ float right[kTile][kTile];
  __shared__ float below[kTile][kTile];
  const unsigned x = (blockIdx.x + 1) * kTile + threadIdx.x;
  const unsigned y = (blockIdx.y + 1) * kTile + threadIdx.y;
  float* const corner = a + first * n + first;
  right[threadIdx.y][threadIdx.x] = corner[threadIdx.y * n + x];
  below[threadIdx.y][threadIdx.x] = corner[y * n + threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (unsigned k = 0; k < kTile; ++k) sum += below[threadIdx.y][k] * right[k][threadIdx.x];
  corner[y * n + x] -= sum;
}

// A matrix with a heavy diagonal.
struct Dominant {
  explicit Dominant(unsigned n)
      : n(n),
        start(Filled<float>(n * n,
                            [=](unsigned i) {
                              const float any = static_cast<float>(Mixed(i) % 1024) / 1024;
                              return i % (n + 1) == 0 ? any + static_cast<float>(n) : any;
                            })),
        a(Room<float>(n * n)) {}
  std::vector<double> Results() const { return OnHost(a); }
  unsigned n;
  FloatArray start, a;
};

void RunFactorColumns(const Dominant& p) {
  Copy(p.start, p.a);
  for (unsigned k = 0; k + 1 < p.n; ++k) {
    const unsigned left = p.n - k - 1;
    ScaleColumn<<<Blocks(left, 64), 64>>>(p.a->data(), p.n, k);
    SubtractProduct<<<dim3(Blocks(left, 32), Blocks(left, 8)), dim3(32, 8)>>>(p.a->data(), p.n, k);
  }
}

void RunFactorTiles(const Dominant& p) {
  Copy(p.start, p.a);
  for (unsigned first = 0; first < p.n; first += kTile) {
    const unsigned tiles = (p.n - first) / kTile - 1;
    FactorDiagonal<<<1, kTile>>>(p.a->data(), p.n, first);
    if (tiles == 0) return;
    FactorPerimeter<<<tiles, 2 * kTile>>>(p.a->data(), p.n, first);
    FactorInside<<<dim3(tiles, tiles), dim3(kTile, kTile)>>>(p.a->data(), p.n, first);
  }
}

}  // namespace

std::vector<Problem> Factorization() {
  return {Of<Dominant>("Factor", {64, 160, 384},
                       {{"columns", RunFactorColumns}, {"tiles", RunFactorTiles}})};
}

}  // namespace predict::exercises
