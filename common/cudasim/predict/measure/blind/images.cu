// Filters and geometry of images of size x size.

#include <cuda_runtime.h>

#include "common/cudasim/predict/measure/blind/blind.h"

namespace blind {
namespace {

constexpr int kReach = 2;
constexpr int kTile = 16;

__device__ unsigned Clamped(int x, unsigned n) {
  return static_cast<unsigned>(min(max(x, 0), static_cast<int>(n) - 1));
}

__device__ float Similar(float a, float b) { return expf(-(a - b) * (a - b) / 8); }

__global__ void BilateralGlobal(const float* a, float* c, unsigned n) {
  const int x = static_cast<int>(blockIdx.x * kTile + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * kTile + threadIdx.y);
  const float middle = a[y * n + x];
  float sum = 0;
  float weights = 0;
  for (int j = -kReach; j <= kReach; ++j) {
    for (int i = -kReach; i <= kReach; ++i) {
      const float other = a[Clamped(y + j, n) * n + Clamped(x + i, n)];
      const float weight = Similar(other, middle) / static_cast<float>(1 + i * i + j * j);
      sum += weight * other;
      weights += weight;
    }
  }
  c[y * n + x] = sum / weights;
}

__global__ void BilateralTiled(const float* a, float* c, unsigned n) {
  constexpr int kEdge = kTile + 2 * kReach;
  __shared__ float tile[kEdge][kEdge];
  const int left = static_cast<int>(blockIdx.x) * kTile - kReach;
  const int top = static_cast<int>(blockIdx.y) * kTile - kReach;
  for (int i = threadIdx.y * kTile + threadIdx.x; i < kEdge * kEdge; i += kTile * kTile) {
    tile[i / kEdge][i % kEdge] = a[Clamped(top + i / kEdge, n) * n + Clamped(left + i % kEdge, n)];
  }
  __syncthreads();
  const int x = threadIdx.x + kReach;
  const int y = threadIdx.y + kReach;
  float sum = 0;
  float weights = 0;
  for (int j = -kReach; j <= kReach; ++j) {
    for (int i = -kReach; i <= kReach; ++i) {
      const float other = tile[y + j][x + i];
      const float weight = Similar(other, tile[y][x]) / static_cast<float>(1 + i * i + j * j);
      sum += weight * other;
      weights += weight;
    }
  }
  c[(top + y) * n + left + x] = sum / weights;
}

__device__ float Slope(const float* a, unsigned n, int x, int y) {
  const auto at = [=](int i, int j) { return a[Clamped(j, n) * n + Clamped(i, n)]; };
  const float across = at(x + 1, y - 1) + 2 * at(x + 1, y) + at(x + 1, y + 1) - at(x - 1, y - 1) -
                       2 * at(x - 1, y) - at(x - 1, y + 1);
  const float down = at(x - 1, y + 1) + 2 * at(x, y + 1) + at(x + 1, y + 1) - at(x - 1, y - 1) -
                     2 * at(x, y - 1) - at(x + 1, y - 1);
  return sqrtf(across * across + down * down);
}

__global__ void EdgesOfPixels(const float* a, float* c, unsigned n) {
  const unsigned x = blockIdx.x * 32 + threadIdx.x;
  const unsigned y = blockIdx.y * 8 + threadIdx.y;
  c[y * n + x] = Slope(a, n, static_cast<int>(x), static_cast<int>(y));
}

// A thread for 16 pixels side by side.
__global__ void EdgesOfPieces(const float* a, float* c, unsigned n) {
  const unsigned first = (blockIdx.x * 8 + threadIdx.x) * 16;
  const unsigned y = blockIdx.y * 32 + threadIdx.y;
  for (unsigned x = first; x < first + 16; ++x) {
    c[y * n + x] = Slope(a, n, static_cast<int>(x), static_cast<int>(y));
  }
}

__device__ void Order(float& a, float& b) {
  const float low = fminf(a, b);
  b = fmaxf(a, b);
  a = low;
}

// The median of nine by a sorting network (Smith 1996), or by ranks.
__global__ void MedianByNetwork(const float* a, float* c, unsigned n) {
  const int x = static_cast<int>(blockIdx.x * 32 + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * 8 + threadIdx.y);
  float v[9];
  for (int k = 0; k < 9; ++k) v[k] = a[Clamped(y + k / 3 - 1, n) * n + Clamped(x + k % 3 - 1, n)];
  constexpr int kPairs[19][2] = {{1, 2}, {4, 5}, {7, 8}, {0, 1}, {3, 4}, {6, 7}, {1, 2},
                                 {4, 5}, {7, 8}, {0, 3}, {5, 8}, {4, 7}, {3, 6}, {1, 4},
                                 {2, 5}, {4, 7}, {4, 2}, {6, 4}, {4, 2}};
#pragma unroll
  for (int k = 0; k < 19; ++k) Order(v[kPairs[k][0]], v[kPairs[k][1]]);
  c[y * n + x] = v[4];
}

__global__ void MedianByRanks(const float* a, float* c, unsigned n) {
  const int x = static_cast<int>(blockIdx.x * 32 + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * 8 + threadIdx.y);
  for (int k = 0; k < 9; ++k) {
    const float mine = a[Clamped(y + k / 3 - 1, n) * n + Clamped(x + k % 3 - 1, n)];
    int rank = 0;
    for (int l = 0; l < 9; ++l) {
      const float other = a[Clamped(y + l / 3 - 1, n) * n + Clamped(x + l % 3 - 1, n)];
      rank += other < mine || (other == mine && l < k) ? 1 : 0;
    }
    if (rank == 4) c[y * n + x] = mine;
  }
}

// The mean of 9 x 9 pixels: directly, or by sums that slide along rows and then columns.
__global__ void BlurDirect(const float* a, float* c, unsigned n) {
  const int x = static_cast<int>(blockIdx.x * 32 + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * 8 + threadIdx.y);
  float sum = 0;
  for (int j = -4; j <= 4; ++j) {
    for (int i = -4; i <= 4; ++i) sum += a[Clamped(y + j, n) * n + Clamped(x + i, n)];
  }
  c[y * n + x] = sum / 81;
}

__global__ void BlurSliding(const float* a, float* c, unsigned n, unsigned along, unsigned across) {
  const unsigned line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= n) return;
  const float* const from = a + line * across;
  float sum = 5 * from[0];
  for (unsigned i = 1; i < 4; ++i) sum += from[i * along];
  for (unsigned i = 0; i < n; ++i) {
    sum += from[min(i + 4, n - 1) * along];
    c[line * across + i * along] = sum / 9;
    sum -= from[(i < 4 ? 0 : i - 4) * along];
  }
}

// Turned by an angle: each pixel comes from where it was.
__device__ void Turn(const float* a, float* c, unsigned n, unsigned x, unsigned y) {
  const float middle = static_cast<float>(n) / 2;
  const float dx = static_cast<float>(x) - middle;
  const float dy = static_cast<float>(y) - middle;
  const float from_x = 0.6f * dx - 0.8f * dy + middle;
  const float from_y = 0.8f * dx + 0.6f * dy + middle;
  const auto size = static_cast<float>(n);
  const bool inside = from_x >= 0 && from_y >= 0 && from_x < size && from_y < size;
  c[y * n + x] = inside ? a[static_cast<unsigned>(from_y) * n + static_cast<unsigned>(from_x)] : 0;
}

__global__ void TurnSquares(const float* a, float* c, unsigned n) {
  Turn(a, c, n, blockIdx.x * 8 + threadIdx.x % 32 % 8, blockIdx.y * 32 + threadIdx.x / 8);
}

__global__ void TurnColumns(const float* a, float* c, unsigned n) {
  Turn(a, c, n, blockIdx.y, blockIdx.x * blockDim.x + threadIdx.x);
}

// Sums of all pixels above and left: along rows and then columns.
__global__ void IntegralLine(float* c, unsigned n, unsigned along, unsigned across) {
  const unsigned line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= n) return;
  float sum = 0;
  for (unsigned i = 0; i < n; ++i) {
    sum += c[line * across + i * along];
    c[line * across + i * along] = sum;
  }
}

__global__ void IntegralRowOfWarp(float* c, unsigned n) {
  const unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const unsigned lane = threadIdx.x % 32;
  float before = 0;
  for (unsigned x = lane; x < n; x += 32) {
    float sum = c[row * n + x];
    for (unsigned step = 1; step < 32; step *= 2) {
      const float left = __shfl_up_sync(0xffffffffu, sum, step);
      if (lane >= step) sum += left;
    }
    c[row * n + x] = before + sum;
    before += __shfl_sync(0xffffffffu, sum, 31);
  }
}

__global__ void IntegralColumn(float* c, unsigned n) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (unsigned y = 0; y < n; ++y) {
    sum += c[y * n + x];
    c[y * n + x] = sum;
  }
}

}  // namespace

std::vector<Workload> Images() {
  using A = const Arrays&;
  std::vector<Workload> all;
  Append(all,
         OfSquares("Bilateral", {128, 512},
                   {{"global",
                     [](A p) {
                       BilateralGlobal<<<dim3(p.n / 16, p.n / 16), dim3(16, 16)>>>(p.a, p.c, p.n);
                     }},
                    {"tiled", [](A p) {
                       BilateralTiled<<<dim3(p.n / 16, p.n / 16), dim3(16, 16)>>>(p.a, p.c, p.n);
                     }}}));
  Append(all,
         OfSquares(
             "Edges", {256, 1024},
             {{"pixels",
               [](A p) { EdgesOfPixels<<<dim3(p.n / 32, p.n / 8), dim3(32, 8)>>>(p.a, p.c, p.n); }},
              {"pieces", [](A p) {
                 EdgesOfPieces<<<dim3(p.n / 128, p.n / 32), dim3(8, 32)>>>(p.a, p.c, p.n);
               }}}));
  Append(
      all,
      OfSquares(
          "Median", {256, 512},
          {{"network",
            [](A p) { MedianByNetwork<<<dim3(p.n / 32, p.n / 8), dim3(32, 8)>>>(p.a, p.c, p.n); }},
           {"ranks",
            [](A p) { MedianByRanks<<<dim3(p.n / 32, p.n / 8), dim3(32, 8)>>>(p.a, p.c, p.n); }}}));
  Append(
      all,
      OfSquares("Blur", {256, 512},
                {{"direct",
                  [](A p) { BlurDirect<<<dim3(p.n / 32, p.n / 8), dim3(32, 8)>>>(p.a, p.c, p.n); }},
                 {"sliding", [](A p) {
                    BlurSliding<<<p.n / 64, 64>>>(p.a, p.b, p.n, 1, p.n);
                    BlurSliding<<<p.n / 32, 32>>>(p.b, p.c, p.n, p.n, 1);
                  }}}));
  Append(
      all,
      OfSquares(
          "Turn", {512, 2048},
          {{"squares", [](A p) { TurnSquares<<<dim3(p.n / 8, p.n / 32), 256>>>(p.a, p.c, p.n); }},
           {"columns", [](A p) { TurnColumns<<<dim3(p.n / 256, p.n), 256>>>(p.a, p.c, p.n); }}}));
  Append(all, OfSquares("Integral", {256, 1024},
                        {{"lines",
                          [](A p) {
                            IntegralLine<<<p.n / 64, 64>>>(p.c, p.n, 1, p.n);
                            IntegralLine<<<p.n / 32, 32>>>(p.c, p.n, p.n, 1);
                          }},
                         {"warps", [](A p) {
                            IntegralRowOfWarp<<<p.n / 8, 256>>>(p.c, p.n);
                            IntegralColumn<<<p.n / 64, 64>>>(p.c, p.n);
                          }}}));
  return all;
}

}  // namespace blind
