// Values that depend on their neighbours'.

#include <cuda_runtime.h>

#include "common/cudasim/predict/measure/coursework/coursework.h"

namespace predict::coursework {
namespace {

// A signal is filtered with 33 weights; each thread makes one result, or eight side by side.
constexpr unsigned kTaps = 33;
constexpr unsigned kEach = 8;
__constant__ float weights_of_filter[kTaps];

__global__ void FilterGlobal(const float* in, const float* weights, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (unsigned k = 0; k < kTaps; ++k) sum += weights[k] * in[i + k];
  out[i] = sum;
}

__global__ void FilterTiled(const float* in, float* out, unsigned n) {
  __shared__ float tile[256 + kTaps - 1];
  const unsigned first = blockIdx.x * 256;
  for (unsigned k = threadIdx.x; k < 256 + kTaps - 1; k += 256) tile[k] = in[first + k];
  __syncthreads();
  float sum = 0;
  for (unsigned k = 0; k < kTaps; ++k) sum += weights_of_filter[k] * tile[threadIdx.x + k];
  if (first + threadIdx.x < n) out[first + threadIdx.x] = sum;
}

__global__ void FilterCoarse(const float* in, float* out, unsigned n) {
  const unsigned first = (blockIdx.x * blockDim.x + threadIdx.x) * kEach;
  if (first >= n) return;
  float sums[kEach] = {};
  float window[kEach];
  for (unsigned e = 0; e < kEach; ++e) window[e] = in[first + e];
#pragma unroll
  for (unsigned k = 0; k < kTaps; ++k) {
#pragma unroll
    for (unsigned e = 0; e < kEach; ++e) sums[e] += weights_of_filter[k] * window[(k + e) % kEach];
    window[k % kEach] = in[first + kEach + k];
  }
  for (unsigned e = 0; e < kEach; ++e) out[first + e] = sums[e];
}

struct Signal {
  explicit Signal(unsigned n)
      : n(n),
        in(Fractions(n + 64)),
        weights(Filled<float>(kTaps, [](unsigned k) { return 1.0f / static_cast<float>(k + 1); })),
        out(Room<float>(n)) {
    CUDA_CHECK(cudaMemcpyToSymbol(weights_of_filter, weights->data(), sizeof(float) * kTaps, 0,
                                  cudaMemcpyDeviceToDevice));
  }
  std::vector<double> Results() const { return OnHost(out); }
  unsigned n;
  FloatArray in, weights, out;
};

// A step of heat in a cube: a thread for each cell, or for each column, whose cells below and
// above it keeps in registers and whose neighbours in a tile.
__global__ void HeatOfCells(const float* in, float* out, unsigned n) {
  const unsigned x = blockIdx.x * 32 + threadIdx.x;
  const unsigned y = blockIdx.y * 8 + threadIdx.y;
  const unsigned z = blockIdx.z;
  if (x == 0 || y == 0 || z == 0 || x + 1 >= n || y + 1 >= n || z + 1 >= n) return;
  const unsigned i = (z * n + y) * n + x;
  out[i] = 0.4f * in[i] +
           0.1f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] + in[i + n * n]);
}

__global__ void HeatInColumns(const float* in, float* out, unsigned n) {
  __shared__ float tile[10][34];
  const unsigned tx = threadIdx.x + 1;
  const unsigned ty = threadIdx.y + 1;
  const unsigned x = blockIdx.x * 32 + threadIdx.x;
  const unsigned y = blockIdx.y * 8 + threadIdx.y;
  const bool is_inside = x > 0 && y > 0 && x + 1 < n && y + 1 < n;
  unsigned i = y * n + x;
  float below = in[i];
  float here = in[i + n * n];
  for (unsigned z = 1; z + 1 < n; ++z) {
    i += n * n;
    const float above = in[i + n * n];
    tile[ty][tx] = here;
    if (threadIdx.x == 0 && x > 0) tile[ty][0] = in[i - 1];
    if (threadIdx.x == 31 && x + 1 < n) tile[ty][33] = in[i + 1];
    if (threadIdx.y == 0 && y > 0) tile[0][tx] = in[i - n];
    if (threadIdx.y == 7 && y + 1 < n) tile[9][tx] = in[i + n];
    __syncthreads();
    if (is_inside) {
      out[i] = 0.4f * here + 0.1f * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] +
                                     tile[ty + 1][tx] + below + above);
    }
    __syncthreads();
    below = here;
    here = above;
  }
}

struct HotCube {
  explicit HotCube(unsigned n) : n(n), in(Fractions(n * n * n)), out(Room<float>(n * n * n)) {}
  std::vector<double> Results() const { return OnHost(out); }
  unsigned n;
  FloatArray in, out;
};

void RunFilterGlobal(const Signal& p) {
  FilterGlobal<<<Blocks(p.n), 256>>>(p.in->data(), p.weights->data(), p.out->data(), p.n);
}

template <void (*kKernel)(const float*, float*, unsigned), unsigned kResults>
void RunFilter(const Signal& p) {
  kKernel<<<Blocks(p.n / kResults), 256>>>(p.in->data(), p.out->data(), p.n);
}

void RunHeatOfCells(const HotCube& p) {
  HeatOfCells<<<dim3(p.n / 32, p.n / 8, p.n), dim3(32, 8)>>>(p.in->data(), p.out->data(), p.n);
}

void RunHeatInColumns(const HotCube& p) {
  HeatInColumns<<<dim3(p.n / 32, p.n / 8), dim3(32, 8)>>>(p.in->data(), p.out->data(), p.n);
}

}  // namespace

std::vector<Problem> Stencils() {
  return {
      Of<Signal>("Filter", {1 << 12, 1 << 15, 1 << 18},
                 {{"global", RunFilterGlobal},
                  {"tiled", RunFilter<FilterTiled, 1>},
                  {"coarse", RunFilter<FilterCoarse, kEach>}}),
      Of<HotCube>("Heat", {32, 64, 128},
                  {{"cells", RunHeatOfCells}, {"columns", RunHeatInColumns}}),
  };
}

}  // namespace predict::coursework
