// Kernels of the kind that textbooks have, for fitting the model: what profile mode counts for
// each, and how long a GPU takes. Compiles for both; see ../README.md.
//
//   textbook [power of two of elements]...

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

#include "common/cuda/check.h"
#include "common/cuda/device_array.h"
#include "common/cudasim/predict/measure/timed_launches.h"

namespace {

using lab::DeviceArray;

constexpr int kRadius = 3;
constexpr int kTile = 16;
__constant__ float mask_of_tile[(2 * kRadius + 1) * (2 * kRadius + 1)];

__global__ void Add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void AddInLoop(const float* a, const float* b, float* c, int n) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) c[i] = a[i] + b[i];
}

__global__ void AddChunks(const float* a, const float* b, float* c, int n, int chunk) {
  const int begin = (blockIdx.x * blockDim.x + threadIdx.x) * chunk;
  for (int i = begin; i < begin + chunk && i < n; ++i) c[i] = a[i] + b[i];
}

__global__ void AddInOneBlock(const float* a, const float* b, float* c, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) c[i] = a[i] + b[i];
}

__global__ void Polynomial(const float* a, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = a[i];
  float y = 1;
  for (int k = 0; k < 64; ++k) y = y * x + static_cast<float>(k);
  c[i] = y;
}

__global__ void MultiplyNaive(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || column >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

template <int kEdge>
__device__ void MultiplyTile(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[kEdge][kEdge];
  __shared__ float tile_b[kEdge][kEdge];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * kEdge + y;
  const int column = blockIdx.x * kEdge + x;
  float sum = 0;
  for (int first = 0; first < n; first += kEdge) {
    tile_a[y][x] = a[row * n + first + x];
    tile_b[y][x] = b[(first + y) * n + column];
    __syncthreads();
    for (int k = 0; k < kEdge; ++k) sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
__global__ void MultiplyTiled16(const float* a, const float* b, float* c, int n) {
  MultiplyTile<16>(a, b, c, n);
}
__global__ void MultiplyTiled32(const float* a, const float* b, float* c, int n) {
  MultiplyTile<32>(a, b, c, n);
}

// 64 x 64 elements for a block of 16 x 16 threads, 4 x 4 for each.
__global__ void MultiplyInRegisters(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[64][17];
  __shared__ float tile_b[16][64];
  const int thread = threadIdx.y * 16 + threadIdx.x;
  float sums[4][4] = {};
  for (int first = 0; first < n; first += 16) {
    for (int i = thread; i < 1024; i += 256) {
      tile_a[i / 16][i % 16] = a[(blockIdx.y * 64 + i / 16) * n + first + i % 16];
      tile_b[i / 64][i % 64] = b[(first + i / 64) * n + blockIdx.x * 64 + i % 64];
    }
    __syncthreads();
    for (int k = 0; k < 16; ++k) {
      float left[4];
      float right[4];
      for (int i = 0; i < 4; ++i) {
        left[i] = tile_a[threadIdx.y + 16 * i][k];
        right[i] = tile_b[k][threadIdx.x + 16 * i];
      }
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) sums[i][j] += left[i] * right[j];
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      c[(blockIdx.y * 64 + threadIdx.y + 16 * i) * n + blockIdx.x * 64 + threadIdx.x + 16 * j] =
          sums[i][j];
    }
  }
}

__global__ void SumByTree(const float* a, float* sum, int n) {
  __shared__ float part[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  part[threadIdx.x] = i < n ? a[i] : 0;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) atomicAdd(sum, part[0]);
}

__global__ void SumDivergent(const float* a, float* sum, int n) {
  __shared__ float part[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  part[threadIdx.x] = i < n ? a[i] : 0;
  for (int step = 1; step < 256; step *= 2) {
    __syncthreads();
    if (threadIdx.x % (2 * step) == 0) part[threadIdx.x] += part[threadIdx.x + step];
  }
  if (threadIdx.x == 0) atomicAdd(sum, part[0]);
}

__global__ void SumByShuffles(const float* a, float* sum, int n) {
  float mine = 0;
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) mine += a[i];
  for (int lanes = 16; lanes > 0; lanes /= 2) mine += __shfl_down_sync(0xffffffffu, mine, lanes);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, mine);
}

__global__ void SumOfEach(const float* a, float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, a[i]);
}

__global__ void ScanTile(const float* a, float* c, int n) {
  __shared__ float tile[1024];
  const int i = blockIdx.x * 1024 + threadIdx.x;
  tile[threadIdx.x] = i < n ? a[i] : 0;
  for (int step = 1; step < 1024; step *= 2) {
    __syncthreads();
    const float other = threadIdx.x >= step ? tile[threadIdx.x - step] : 0;
    __syncthreads();
    tile[threadIdx.x] += other;
  }
  if (i < n) c[i] = tile[threadIdx.x];
}

__global__ void TransposeNaive(const float* a, float* c, int n) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  for (int y = blockIdx.y * 32 + threadIdx.y; y < blockIdx.y * 32 + 32; y += 8) {
    c[x * n + y] = a[y * n + x];
  }
}

template <int kWidth>
__device__ void TransposeTile(const float* a, float* c, int n) {
  __shared__ float tile[32][kWidth];
  for (int j = threadIdx.y; j < 32; j += 8) {
    tile[j][threadIdx.x] = a[(blockIdx.y * 32 + j) * n + blockIdx.x * 32 + threadIdx.x];
  }
  __syncthreads();
  for (int j = threadIdx.y; j < 32; j += 8) {
    c[(blockIdx.x * 32 + j) * n + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][j];
  }
}
__global__ void TransposeTiled(const float* a, float* c, int n) { TransposeTile<32>(a, c, n); }
__global__ void TransposePadded(const float* a, float* c, int n) { TransposeTile<33>(a, c, n); }

__global__ void ConvolveNaive(const float* a, const float* mask, float* c, int n) {
  const int x = blockIdx.x * 16 + threadIdx.x;
  const int y = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int j = -kRadius; j <= kRadius; ++j) {
    for (int i = -kRadius; i <= kRadius; ++i) {
      if (x + i < 0 || x + i >= n || y + j < 0 || y + j >= n) continue;
      sum += a[(y + j) * n + x + i] * mask[(j + kRadius) * (2 * kRadius + 1) + i + kRadius];
    }
  }
  c[y * n + x] = sum;
}

__global__ void ConvolveTiled(const float* a, float* c, int n) {
  constexpr int kEdge = kTile + 2 * kRadius;
  __shared__ float tile[kEdge][kEdge];
  for (int i = threadIdx.y * kTile + threadIdx.x; i < kEdge * kEdge; i += kTile * kTile) {
    const int x = static_cast<int>(blockIdx.x) * kTile + i % kEdge - kRadius;
    const int y = static_cast<int>(blockIdx.y) * kTile + i / kEdge - kRadius;
    tile[i / kEdge][i % kEdge] = x >= 0 && x < n && y >= 0 && y < n ? a[y * n + x] : 0;
  }
  __syncthreads();
  float sum = 0;
  for (int j = 0; j <= 2 * kRadius; ++j) {
    for (int i = 0; i <= 2 * kRadius; ++i) {
      sum += tile[threadIdx.y + j][threadIdx.x + i] * mask_of_tile[j * (2 * kRadius + 1) + i];
    }
  }
  c[(blockIdx.y * kTile + threadIdx.y) * n + blockIdx.x * kTile + threadIdx.x] = sum;
}

// A grid of n x n x depth cells.
__global__ void StencilOfCells(const float* a, float* c, int n, int depth) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 4 + threadIdx.y;
  const int z = blockIdx.z * 2 + threadIdx.z;
  if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= depth - 1) return;
  const int i = (z * n + y) * n + x;
  c[i] = a[i] + a[i - 1] + a[i + 1] + a[i - n] + a[i + n] + a[i - n * n] + a[i + n * n];
}

__global__ void HistogramGlobal(const unsigned* keys, unsigned* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[keys[i] % 256], 1);
}

__global__ void HistogramShared(const unsigned* keys, unsigned* bins, int n) {
  __shared__ unsigned mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    atomicAdd(&mine[keys[i] % 256], 1);
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

// Rows of 16 entries.
__global__ void RowsByThreads(const unsigned* columns, const float* values, const float* x,
                              float* y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int e = row * 16; e < row * 16 + 16; ++e) sum += values[e] * x[columns[e] % rows];
  y[row] = sum;
}

__global__ void RowsByHalfWarps(const unsigned* columns, const float* values, const float* x,
                                float* y, int rows) {
  const int entry = blockIdx.x * blockDim.x + threadIdx.x;
  if (entry >= rows * 16) return;
  float sum = values[entry] * x[columns[entry] % rows];
  for (int lanes = 8; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lanes);
  if (threadIdx.x % 16 == 0) y[entry / 16] = sum;
}

// Each thread looks for its value by binary search in n values that ascend.
__global__ void Search(const unsigned* keys, const unsigned* sorted, unsigned* found, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned key = keys[i] % n;
  int low = 0;
  int high = n;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (sorted[middle] < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  found[i] = low;
}

__global__ void Fill(float* floats, unsigned* keys, unsigned* sorted, int n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned x = (i ^ i >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  keys[i] = x ^ x >> 16;
  sorted[i] = i;
  floats[i] = static_cast<float>(i % 17) / 17;
}

void Call(const std::string& name, int log, const std::function<void()>& launch) {
  for (int i = 0; i < predict::Repetitions(); ++i) {
    predict::BeginCall(name + "_" + std::to_string(log));
    launch();
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
    predict::EndCall();
  }
}

// Matrices and images, up to 2^22 elements.
void RunProducts(int log, const float* x, const float* y, float* z) {
  const auto call = [log](const std::string& name, const std::function<void()>& launch) {
    Call(name, log, launch);
  };
  const int m = log < 16 ? 128 : log < 20 ? 256 : 512;
  const dim3 tile16(16, 16);
  const dim3 tile32(32, 32);
  call("MultiplyNaive", [&] { MultiplyNaive<<<dim3(m / 16, m / 16), tile16>>>(x, y, z, m); });
  call("MultiplyTiled16", [&] { MultiplyTiled16<<<dim3(m / 16, m / 16), tile16>>>(x, y, z, m); });
  call("MultiplyTiled32", [&] { MultiplyTiled32<<<dim3(m / 32, m / 32), tile32>>>(x, y, z, m); });
  call("MultiplyInRegisters",
       [&] { MultiplyInRegisters<<<dim3(m / 64, m / 64), tile16>>>(x, y, z, m); });
  const int image = std::min(1 << log / 2, 1024);
  const dim3 pixels(image / 16, image / 16);
  call("ConvolveNaive", [&] { ConvolveNaive<<<pixels, tile16>>>(x, y, z, image); });
  call("ConvolveTiled", [&] { ConvolveTiled<<<pixels, tile16>>>(x, z, image); });
}

// Problems of 2^log elements.
void RunAll(int log) {
  const int n = 1 << log;
  const int edge = 1 << log / 2;
  const int blocks = n / 256;
  const int some = 132 * 8;
  const DeviceArray<float> a(n);
  const DeviceArray<float> b(n);
  const DeviceArray<float> c(n);
  const DeviceArray<unsigned> keys(n);
  const DeviceArray<unsigned> sorted(n);
  const DeviceArray<unsigned> bins(n);
  Fill<<<blocks, 256>>>(a.data(), keys.data(), sorted.data(), n);
  b.Fill(0);
  c.Fill(0);
  bins.Fill(0);
  CUDA_CHECK(cudaDeviceSynchronize());
  const auto call = [log](const std::string& name, const std::function<void()>& launch) {
    Call(name, log, launch);
  };
  float* const x = a.data();
  float* const y = b.data();
  float* const z = c.data();
  call("Add", [&] { Add<<<blocks, 256>>>(x, y, z, n); });
  call("AddInLoop", [&] { AddInLoop<<<some, 256>>>(x, y, z, n); });
  call("AddChunks16", [&] { AddChunks<<<n / 4096, 256>>>(x, y, z, n, 16); });
  if (log > 16) call("AddChunks256", [&] { AddChunks<<<n / 65536, 256>>>(x, y, z, n, 256); });
  if (log < 22) call("AddInOneBlock", [&] { AddInOneBlock<<<1, 1024>>>(x, y, z, n); });
  call("Polynomial", [&] { Polynomial<<<blocks, 256>>>(x, z, n); });
  if (log <= 22) RunProducts(log, x, y, z);
  call("SumByTree", [&] { SumByTree<<<blocks, 256>>>(x, z, n); });
  call("SumDivergent", [&] { SumDivergent<<<blocks, 256>>>(x, z, n); });
  call("SumByShuffles", [&] { SumByShuffles<<<some, 256>>>(x, z, n); });
  call("SumOfEach", [&] { SumOfEach<<<blocks, 256>>>(x, z, n); });
  call("ScanTile", [&] { ScanTile<<<n / 1024, 1024>>>(x, z, n); });
  const dim3 tiles(edge / 32, edge / 32);
  const dim3 rows(32, 8);
  call("TransposeNaive", [&] { TransposeNaive<<<tiles, rows>>>(x, z, edge); });
  call("TransposeTiled", [&] { TransposeTiled<<<tiles, rows>>>(x, z, edge); });
  call("TransposePadded", [&] { TransposePadded<<<tiles, rows>>>(x, z, edge); });
  const int side = 1 << (log + 2) / 3;
  const int depth = n / side / side;
  call("StencilOfCells", [&] {
    StencilOfCells<<<dim3((side + 31) / 32, side / 4, depth / 2), dim3(32, 4, 2)>>>(x, z, side,
                                                                                    depth);
  });
  call("HistogramGlobal", [&] { HistogramGlobal<<<blocks, 256>>>(keys.data(), bins.data(), n); });
  call("HistogramShared", [&] { HistogramShared<<<some, 256>>>(keys.data(), bins.data(), n); });
  call("RowsByThreads", [&] { RowsByThreads<<<n / 4096, 256>>>(keys.data(), x, y, z, n / 16); });
  call("RowsByHalfWarps", [&] { RowsByHalfWarps<<<blocks, 256>>>(keys.data(), x, y, z, n / 16); });
  call("Search", [&] { Search<<<blocks, 256>>>(keys.data(), sorted.data(), bins.data(), n); });
}

}  // namespace

int main(int argc, char** argv) {
  try {
    for (int i = 1; i < argc; ++i) {
      const int log = std::atoi(argv[i]);
      if (log < 14 || log > 26) {
        std::fprintf(stderr, "usage: %s [power of two, 14 to 26]...\n", argv[0]);
        return 2;
      }
      RunAll(log);
    }
    std::fputs(predict::kTimesHead, stdout);
    predict::PrintTimes(stdout);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
