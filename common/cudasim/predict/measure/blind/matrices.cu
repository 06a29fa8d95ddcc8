// Dense linear algebra that is no product of two large matrices.

#include <cuda_runtime.h>

#include "common/cudasim/predict/measure/blind/blind.h"

namespace blind {
namespace {

// All shortest paths (Floyd, Warshall): a launch for each vertex between.
__global__ void PathsOfPairs(float* c, unsigned n, unsigned k) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  const float through = c[y * n + k] + c[k * n + x];
  if (through < c[y * n + x]) c[y * n + x] = through;
}

// One block goes on with all vertices between.
__global__ void PathsInOneBlock(float* c, unsigned n) {
  for (unsigned k = 0; k < n; ++k) {
    for (unsigned i = threadIdx.x; i < n * n; i += blockDim.x) {
      const float through = c[i / n * n + k] + c[k * n + i % n];
      if (through < c[i]) c[i] = through;
    }
    __syncthreads();
  }
}

// LU decomposition without pivots: a thread for each row below, or for each element.
__global__ void EliminateRows(float* c, unsigned n, unsigned k) {
  const unsigned row = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  const float factor = c[row * n + k] / c[k * n + k];
  c[row * n + k] = factor;
  for (unsigned j = k + 1; j < n; ++j) c[row * n + j] -= factor * c[k * n + j];
}

__global__ void EliminateColumn(float* c, unsigned n, unsigned k) {
  const unsigned row = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n) c[row * n + k] /= c[k * n + k];
}

__global__ void EliminateElements(float* c, unsigned n, unsigned k) {
  const unsigned column = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned row = k + 1 + blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n && column < n) c[row * n + column] -= c[row * n + k] * c[k * n + column];
}

__global__ void VectorByThreads(const float* a, const float* x, float* y, unsigned n) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (unsigned k = 0; k < n; ++k) sum += a[row * n + k] * x[k];
  y[row] = sum;
}

__global__ void VectorByWarps(const float* a, const float* x, float* y, unsigned n) {
  const unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  float sum = 0;
  for (unsigned k = threadIdx.x % 32; k < n; k += 32) sum += a[row * n + k] * x[k];
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, lanes);
  if (threadIdx.x % 32 == 0) y[row] = sum;
}

// Products of 8 x 8 matrices: a thread for each product, or for each element.
__global__ void SmallByThreads(const float* a, const float* b, float* c, unsigned n) {
  const unsigned m = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= n) return;
  for (unsigned i = 0; i < 8; ++i) {
    for (unsigned j = 0; j < 8; ++j) {
      float sum = 0;
      for (unsigned k = 0; k < 8; ++k) sum += a[m * 64 + i * 8 + k] * b[m * 64 + k * 8 + j];
      c[m * 64 + i * 8 + j] = sum;
    }
  }
}

__global__ void SmallByElements(const float* a, const float* b, float* c) {
  __shared__ float left[4][64];
  __shared__ float right[4][64];
  const unsigned at = (blockIdx.x * 4 + threadIdx.y) * 64 + threadIdx.x;
  left[threadIdx.y][threadIdx.x] = a[at];
  right[threadIdx.y][threadIdx.x] = b[at];
  __syncthreads();
  const unsigned i = threadIdx.x / 8;
  const unsigned j = threadIdx.x % 8;
  float sum = 0;
  for (unsigned k = 0; k < 8; ++k)
    sum += left[threadIdx.y][i * 8 + k] * right[threadIdx.y][k * 8 + j];
  c[at] = sum;
}

// Forward substitution of a lower triangular system with ones on the diagonal.
__global__ void TriangleByThread(const float* a, const float* b, float* x, unsigned n) {
  for (unsigned row = 0; row < n; ++row) {
    float sum = b[row];
    for (unsigned k = 0; k < row; ++k) sum -= a[row * n + k] * x[k] / 1024;
    x[row] = sum;
  }
}

__global__ void TriangleByBlock(const float* a, const float* b, float* x, unsigned n) {
  for (unsigned row = threadIdx.x; row < n; row += blockDim.x) x[row] = b[row];
  __syncthreads();
  for (unsigned k = 0; k < n; ++k) {
    const float known = x[k];
    for (unsigned row = k + 1 + threadIdx.x; row < n; row += blockDim.x) {
      x[row] -= a[row * n + k] * known / 1024;
    }
    __syncthreads();
  }
}

__global__ void SoftmaxByThreads(const float* a, float* c, unsigned n) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float most = a[row * n];
  for (unsigned k = 1; k < n; ++k) most = fmaxf(most, a[row * n + k]);
  float sum = 0;
  for (unsigned k = 0; k < n; ++k) sum += expf(a[row * n + k] - most);
  for (unsigned k = 0; k < n; ++k) c[row * n + k] = expf(a[row * n + k] - most) / sum;
}

template <typename Combine>
__device__ float OfBlock(float value, float* part, const Combine& combine) {
  part[threadIdx.x] = value;
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) {
      part[threadIdx.x] = combine(part[threadIdx.x], part[threadIdx.x + half]);
    }
  }
  __syncthreads();
  const float all = part[0];
  __syncthreads();
  return all;
}

__global__ void SoftmaxByBlocks(const float* a, float* c, unsigned n) {
  __shared__ float part[128];
  const float* const row = a + blockIdx.x * n;
  float most = row[threadIdx.x];
  for (unsigned k = threadIdx.x; k < n; k += 128) most = fmaxf(most, row[k]);
  most = OfBlock(most, part, [](float x, float y) { return fmaxf(x, y); });
  float sum = 0;
  for (unsigned k = threadIdx.x; k < n; k += 128) sum += expf(row[k] - most);
  sum = OfBlock(sum, part, [](float x, float y) { return x + y; });
  for (unsigned k = threadIdx.x; k < n; k += 128) c[blockIdx.x * n + k] = expf(row[k] - most) / sum;
}

// Cholesky decompositions of 16 x 16 matrices, with a diagonal that makes them definite.
__device__ float Definite(const float* a, unsigned i, unsigned j) {
  return i == j ? 400 : (a[i * 16 + j] + a[j * 16 + i]) / 2;
}

__global__ void CholeskyByThreads(const float* a, float* c, unsigned n) {
  const unsigned m = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= n) return;
  float* const l = c + m * 256;
  for (unsigned j = 0; j < 16; ++j) {
    for (unsigned i = j; i < 16; ++i) {
      float sum = Definite(a + m * 256, i, j);
      for (unsigned k = 0; k < j; ++k) sum -= l[i * 16 + k] * l[j * 16 + k];
      l[i * 16 + j] = i == j ? sqrtf(sum) : sum / l[j * 16 + j];
    }
  }
}

// A half-warp for each matrix, a lane for each row.
__global__ void CholeskyByLanes(const float* a, float* c) {
  __shared__ float tiles[8][16][17];
  const unsigned m = blockIdx.x * 8 + threadIdx.y;
  float(*const l)[17] = tiles[threadIdx.y];
  const unsigned i = threadIdx.x;
  for (unsigned j = 0; j < 16; ++j) l[i][j] = Definite(a + m * 256, i, j);
  for (unsigned j = 0; j < 16; ++j) {
    __syncthreads();
    if (i == j) l[j][j] = sqrtf(l[j][j]);
    __syncthreads();
    if (i > j) l[i][j] /= l[j][j];
    __syncthreads();
    for (unsigned k = j + 1; k <= i; ++k) l[i][k] -= l[i][j] * l[k][j];
  }
  for (unsigned j = 0; j <= i; ++j) c[m * 256 + i * 16 + j] = l[i][j];
}

__global__ void SaxpyOfVectors(const float4* x, float4* y, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 4) return;
  const float4 added = x[i];
  float4 sum = y[i];
  sum.x += 3 * added.x;
  sum.y += 3 * added.y;
  sum.z += 3 * added.z;
  sum.w += 3 * added.w;
  y[i] = sum;
}

// Every eighth element.
__global__ void SaxpyOfColumns(const float* x, float* y, unsigned n) {
  const unsigned i = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i] += 3 * x[i];
}

__global__ void SaxpyOfPieces(const float* x, float* y, unsigned n) {
  const unsigned begin = 32 * (blockIdx.x * blockDim.x + threadIdx.x);
  for (unsigned i = begin; i < begin + 32 && i < n; ++i) y[i] += 3 * x[i];
}

void Eliminate(const Arrays& p) {
  for (unsigned k = 0; k + 1 < p.n; ++k) {
    EliminateColumn<<<Blocks(p.n - k - 1), 256>>>(p.c, p.n, k);
    const unsigned tiles = Blocks(p.n - k - 1, 16);
    EliminateElements<<<dim3(tiles, tiles), dim3(16, 16)>>>(p.c, p.n, k);
  }
}

void FillMatrix(const Arrays& p) {
  CUDA_CHECK(cudaMemcpyAsync(p.c, p.b, p.others->bytes(), cudaMemcpyDeviceToDevice));
}

}  // namespace

std::vector<Workload> Matrices() {
  using A = const Arrays&;
  std::vector<Workload> all;
  Append(all, OfSquares("Paths", {64, 192},
                        {{"pairs",
                          [](A p) {
                            FillMatrix(p);
                            for (unsigned k = 0; k < p.n; ++k) {
                              PathsOfPairs<<<dim3(p.n / 16, p.n / 16), dim3(16, 16)>>>(p.c, p.n, k);
                            }
                          }},
                         {"block", [](A p) {
                            FillMatrix(p);
                            PathsInOneBlock<<<1, 1024>>>(p.c, p.n);
                          }}}));
  Append(all, OfSquares("Eliminate", {64, 128},
                        {{"rows",
                          [](A p) {
                            FillMatrix(p);
                            for (unsigned k = 0; k + 1 < p.n; ++k) {
                              EliminateRows<<<Blocks(p.n - k - 1), 256>>>(p.c, p.n, k);
                            }
                          }},
                         {"elements", [](A p) {
                            FillMatrix(p);
                            Eliminate(p);
                          }}}));
  Append(
      all,
      OfSquares("Vector", {256, 1024, 2048},
                {{"threads", [](A p) { VectorByThreads<<<p.n / 128, 128>>>(p.a, p.b, p.c, p.n); }},
                 {"warps", [](A p) { VectorByWarps<<<p.n / 8, 256>>>(p.a, p.b, p.c, p.n); }}}));
  Append(all,
         OfArrays("Small", {256, 4096, 16384}, 64,
                  {{"threads", [](A p) { SmallByThreads<<<p.n / 128, 128>>>(p.a, p.b, p.c, p.n); }},
                   {"elements",
                    [](A p) { SmallByElements<<<p.n / 4, dim3(64, 4)>>>(p.a, p.b, p.c); }}}));
  Append(all, OfSquares("Triangle", {64, 256},
                        {{"thread", [](A p) { TriangleByThread<<<1, 1>>>(p.a, p.b, p.c, p.n); }},
                         {"block", [](A p) { TriangleByBlock<<<1, 256>>>(p.a, p.b, p.c, p.n); }}}));
  Append(all,
         OfSquares("Softmax", {256, 1024},
                   {{"threads", [](A p) { SoftmaxByThreads<<<p.n / 64, 64>>>(p.a, p.c, p.n); }},
                    {"blocks", [](A p) { SoftmaxByBlocks<<<p.n, 128>>>(p.a, p.c, p.n); }}}));
  Append(all,
         OfArrays("Cholesky", {128, 2048}, 256,
                  {{"threads", [](A p) { CholeskyByThreads<<<p.n / 64, 64>>>(p.a, p.c, p.n); }},
                   {"lanes", [](A p) { CholeskyByLanes<<<p.n / 8, dim3(16, 8)>>>(p.a, p.c); }}}));
  Append(
      all,
      OfArrays("Saxpy", {1 << 15, 1 << 19, 1 << 22}, 1,
               {{"vectors",
                 [](A p) {
                   SaxpyOfVectors<<<p.n / 1024, 256>>>(reinterpret_cast<float4*>(p.a),
                                                       reinterpret_cast<float4*>(p.c), p.n);
                 }},
                {"columns", [](A p) { SaxpyOfColumns<<<p.n / 2048, 256>>>(p.a, p.c, p.n); }},
                {"pieces", [](A p) { SaxpyOfPieces<<<Blocks(p.n / 32), 256>>>(p.a, p.c, p.n); }}}));
  return all;
}

}  // namespace blind
