// Points, samples and signals.

#include <cuda_runtime.h>

#include "common/cudasim/predict/measure/blind/blind.h"

namespace blind {
namespace {

constexpr unsigned kCentres = 32;
__constant__ float centres_of_clusters[kCentres * 4];

__device__ float Square(float x) { return x * x; }

// Which of the centres is nearest, for points of four dimensions: a row each, or a column each and
// the centres in constant memory.
__global__ void AssignRows(const float* points, const float* centres, unsigned* r, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float least = 1e30f;
  for (unsigned k = 0; k < kCentres; ++k) {
    float sum = 0;
    for (unsigned d = 0; d < 4; ++d) sum += Square(points[4 * i + d] - centres[4 * k + d]);
    if (sum < least) {
      least = sum;
      r[i] = k;
    }
  }
}

__global__ void AssignColumns(const float* points, unsigned* r, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float point[4];
  for (unsigned d = 0; d < 4; ++d) point[d] = points[d * n + i];
  float least = 1e30f;
  unsigned nearest = 0;
  for (unsigned k = 0; k < kCentres; ++k) {
    float sum = 0;
    for (unsigned d = 0; d < 4; ++d) sum += Square(point[d] - centres_of_clusters[4 * k + d]);
    if (sum < least) {
      least = sum;
      nearest = k;
    }
  }
  r[i] = nearest;
}

// Means of the clusters: sums by atomics in global or in shared memory.
__global__ void MeansGlobal(const float* points, const unsigned* k, float* sums, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned cluster = k[i] % kCentres;
  for (unsigned d = 0; d < 4; ++d) atomicAdd(&sums[cluster * 4 + d], points[d * n + i]);
}

__global__ void MeansShared(const float* points, const unsigned* k, float* sums, unsigned n) {
  __shared__ float mine[kCentres * 4];
  if (threadIdx.x < kCentres * 4) mine[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned cluster = k[i] % kCentres;
    for (unsigned d = 0; d < 4; ++d) atomicAdd(&mine[cluster * 4 + d], points[d * n + i]);
  }
  __syncthreads();
  if (threadIdx.x < kCentres * 4) atomicAdd(&sums[threadIdx.x], mine[threadIdx.x]);
}

// The nearest of 1024 points in the plane, for each query.
__global__ void NearestGlobal(const float2* queries, const float2* points, float* c, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float2 me = queries[i];
  float least = 1e30f;
  for (unsigned k = 0; k < 1024; ++k) {
    const float2 other = points[k];
    least = fminf(least, Square(me.x - other.x) + Square(me.y - other.y));
  }
  c[i] = least;
}

// A warp for each query.
__global__ void NearestByWarps(const float2* queries, const float2* points, float* c, unsigned n) {
  const unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (i >= n) return;
  const float2 me = queries[i];
  float least = 1e30f;
  for (unsigned k = threadIdx.x % 32; k < 1024; k += 32) {
    const float2 other = points[k];
    least = fminf(least, Square(me.x - other.x) + Square(me.y - other.y));
  }
  for (int lanes = 16; lanes > 0; lanes /= 2) {
    least = fminf(least, __shfl_xor_sync(0xffffffffu, least, lanes));
  }
  if (threadIdx.x % 32 == 0) c[i] = least;
}

// The covariance of each pair of n columns of 256 samples: a thread or a block for each.
__global__ void CovarianceByThreads(const float* a, float* c, unsigned n) {
  const unsigned x = blockIdx.x * 16 + threadIdx.x;
  const unsigned y = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (unsigned k = 0; k < 256; ++k) sum += (a[k * n + x] - 7.5f) * (a[k * n + y] - 7.5f);
  c[y * n + x] = sum / 255;
}

__global__ void CovarianceByBlocks(const float* a, float* c, unsigned n) {
  __shared__ float part[256];
  const unsigned k = threadIdx.x;
  part[k] = (a[k * n + blockIdx.x] - 7.5f) * (a[k * n + blockIdx.y] - 7.5f);
  for (unsigned half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (k < half) part[k] += part[k + half];
  }
  if (k == 0) c[blockIdx.y * n + blockIdx.x] = part[0] / 255;
}

// The mean of 64 values from each one on.
__global__ void AverageGlobal(const float* a, float* c, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 64 > n) return;
  float sum = 0;
  for (unsigned k = 0; k < 64; ++k) sum += a[i + k];
  c[i] = sum / 64;
}

__global__ void AverageShared(const float* a, float* c, unsigned n) {
  __shared__ float tile[320];
  const unsigned first = blockIdx.x * 256;
  for (unsigned k = threadIdx.x; k < 320; k += 256) tile[k] = first + k < n ? a[first + k] : 0;
  __syncthreads();
  float sum = 0;
  for (unsigned k = 0; k < 64; ++k) sum += tile[threadIdx.x + k];
  if (first + threadIdx.x + 64 <= n) c[first + threadIdx.x] = sum / 64;
}

// Prefix sums of each row.
__global__ void PrefixByThreads(const float* a, float* c, unsigned n) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (unsigned x = 0; x < n; ++x) {
    sum += a[row * n + x];
    c[row * n + x] = sum;
  }
}

__global__ void PrefixByWarps(const float* a, float* c, unsigned n) {
  const unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const unsigned lane = threadIdx.x % 32;
  float before = 0;
  for (unsigned x = lane; x < n; x += 32) {
    float sum = a[row * n + x];
    for (unsigned step = 1; step < 32; step *= 2) {
      const float left = __shfl_up_sync(0xffffffffu, sum, step);
      if (lane >= step) sum += left;
    }
    c[row * n + x] = before + sum;
    before += __shfl_sync(0xffffffffu, sum, 31);
  }
}

// Fast Fourier transforms of 256 complex numbers each (Stockham): a launch for each stage, or all
// in shared memory.
__device__ void Butterfly(const float2* from, float2* to, unsigned i, unsigned half) {
  const unsigned k = i % half;
  const float angle = -3.14159265f * static_cast<float>(k) / static_cast<float>(half);
  const float2 a = from[i];
  const float2 b = from[i + 128];
  const float turned_x = __cosf(angle) * b.x - __sinf(angle) * b.y;
  const float turned_y = __cosf(angle) * b.y + __sinf(angle) * b.x;
  const unsigned at = 2 * (i - k) + k;
  to[at] = make_float2(a.x + turned_x, a.y + turned_y);
  to[at + half] = make_float2(a.x - turned_x, a.y - turned_y);
}

__global__ void FourierStage(const float2* from, float2* to, unsigned half) {
  Butterfly(from + blockIdx.x * 256, to + blockIdx.x * 256, threadIdx.x, half);
}

__global__ void FourierTile(const float2* from, float2* to) {
  __shared__ float2 tiles[2][256];
  for (unsigned i = threadIdx.x; i < 256; i += 128) tiles[0][i] = from[blockIdx.x * 256 + i];
  unsigned now = 0;
  for (unsigned half = 1; half < 256; half *= 2) {
    __syncthreads();
    Butterfly(tiles[now], tiles[1 - now], threadIdx.x, half);
    now = 1 - now;
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 256; i += 128) to[blockIdx.x * 256 + i] = tiles[now][i];
}

// Points in cells of a grid of 64 x 64: how many there are, and each point's place among them.
__global__ void CellsOfPoints(const float* a, const float* b, unsigned* counts, unsigned* places,
                              unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned x = static_cast<unsigned>(a[i] * 4) % 64;
  const unsigned y = static_cast<unsigned>(b[i] * 64) % 64;
  places[i] = atomicAdd(&counts[y * 64 + x], 1);
}

// A block for each row of cells goes through all points.
__global__ void CellsByBlocks(const float* a, const float* b, unsigned* counts, unsigned n) {
  __shared__ unsigned row[64];
  if (threadIdx.x < 64) row[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) {
    if (static_cast<unsigned>(b[i] * 64) % 64 != blockIdx.x) continue;
    atomicAdd(&row[static_cast<unsigned>(a[i] * 4) % 64], 1);
  }
  __syncthreads();
  if (threadIdx.x < 64) counts[blockIdx.x * 64 + threadIdx.x] = row[threadIdx.x];
}

}  // namespace

std::vector<Workload> Statistics() {
  using A = const Arrays&;
  std::vector<Workload> all;
  Append(all,
         OfArrays("Assign", {1 << 12, 1 << 15, 1 << 17}, 4,
                  {{"rows", [](A p) { AssignRows<<<p.n / 256, 256>>>(p.a, p.b, p.r, p.n); }},
                   {"columns", [](A p) { AssignColumns<<<p.n / 256, 256>>>(p.a, p.r, p.n); }}}));
  Append(all,
         OfArrays("Means", {1 << 13, 1 << 16, 1 << 19}, 4,
                  {{"global", [](A p) { MeansGlobal<<<p.n / 256, 256>>>(p.a, p.k, p.c, p.n); }},
                   {"shared", [](A p) {
                      MeansShared<<<std::min(p.n / 256, 264u), 256>>>(p.a, p.k, p.c, p.n);
                    }}}));
  Append(all, OfArrays("Nearest", {1 << 11, 1 << 14}, 2,
                       {{"global",
                         [](A p) {
                           NearestGlobal<<<p.n / 128, 128>>>(reinterpret_cast<const float2*>(p.a),
                                                             reinterpret_cast<const float2*>(p.b),
                                                             p.c, p.n);
                         }},
                        {"warps", [](A p) {
                           NearestByWarps<<<p.n / 8, 256>>>(reinterpret_cast<const float2*>(p.a),
                                                            reinterpret_cast<const float2*>(p.b),
                                                            p.c, p.n);
                         }}}));
  Append(
      all,
      OfArrays(
          "Covariance", {64, 192}, 256,
          {{"threads",
            [](A p) {
              CovarianceByThreads<<<dim3(p.n / 16, p.n / 16), dim3(16, 16)>>>(p.a, p.c, p.n);
            }},
           {"blocks", [](A p) { CovarianceByBlocks<<<dim3(p.n, p.n), 256>>>(p.a, p.c, p.n); }}}));
  Append(all,
         OfArrays("Average", {1 << 13, 1 << 17, 1 << 19}, 1,
                  {{"global", [](A p) { AverageGlobal<<<p.n / 256, 256>>>(p.a, p.c, p.n); }},
                   {"shared", [](A p) { AverageShared<<<p.n / 256, 256>>>(p.a, p.c, p.n); }}}));
  Append(all, OfSquares("Prefix", {128, 512, 2048},
                        {{"threads", [](A p) { PrefixByThreads<<<p.n / 64, 64>>>(p.a, p.c, p.n); }},
                         {"warps", [](A p) { PrefixByWarps<<<p.n / 8, 256>>>(p.a, p.c, p.n); }}}));
  Append(all, OfArrays("Fourier", {1 << 12, 1 << 16, 1 << 19}, 2,
                       {{"stages",
                         [](A p) {
                           auto* const x = reinterpret_cast<float2*>(p.a);
                           auto* const y = reinterpret_cast<float2*>(p.b);
                           for (unsigned half = 1; half < 256; half *= 4) {
                             FourierStage<<<p.n / 256, 128>>>(x, y, half);
                             FourierStage<<<p.n / 256, 128>>>(y, x, 2 * half);
                           }
                         }},
                        {"tile", [](A p) {
                           FourierTile<<<p.n / 256, 128>>>(reinterpret_cast<float2*>(p.a),
                                                           reinterpret_cast<float2*>(p.c));
                         }}}));
  Append(all, OfArrays("Cells", {1 << 13, 1 << 16, 1 << 18}, 2,
                       {{"atomics",
                         [](A p) { CellsOfPoints<<<p.n / 256, 256>>>(p.a, p.b, p.r, p.k, p.n); }},
                        {"blocks", [](A p) { CellsByBlocks<<<64, 256>>>(p.a, p.b, p.r, p.n); }}}));
  return all;
}

}  // namespace blind
