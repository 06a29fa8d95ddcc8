// Dense matrices.

#include <cuda_runtime.h>

#include "common/cudasim/predict/measure/coursework/coursework.h"

namespace predict::coursework {
namespace {

// The products of all pairs of the n columns of a matrix of 128 rows: from global memory, with
// tiles in shared memory, or with 4 x 4 results for each thread.
constexpr unsigned kRows = 128;
constexpr unsigned kTile = 16;
constexpr unsigned kCoarse = 4;
constexpr unsigned kEdge = kTile * kCoarse;

__global__ void GramGlobal(const float* a, float* c, unsigned n) {
  const unsigned x = blockIdx.x * kTile + threadIdx.x;
  const unsigned y = blockIdx.y * kTile + threadIdx.y;
  float sum = 0;
  for (unsigned k = 0; k < kRows; ++k) sum += a[k * n + y] * a[k * n + x];
  c[y * n + x] = sum;
}

__global__ void GramTiled(const float* a, float* c, unsigned n) {
  __shared__ float left[kTile][kTile];
  __shared__ float right[kTile][kTile];
  const unsigned tx = threadIdx.x;
  const unsigned ty = threadIdx.y;
  float sum = 0;
  for (unsigned first = 0; first < kRows; first += kTile) {
    left[ty][tx] = a[(first + ty) * n + blockIdx.y * kTile + tx];
    right[ty][tx] = a[(first + ty) * n + blockIdx.x * kTile + tx];
    __syncthreads();
    for (unsigned k = 0; k < kTile; ++k) sum += left[k][ty] * right[k][tx];
    __syncthreads();
  }
  c[(blockIdx.y * kTile + ty) * n + blockIdx.x * kTile + tx] = sum;
}

__global__ void GramCoarse(const float* a, float* c, unsigned n) {
  __shared__ float left[kTile][kEdge];
  __shared__ float right[kTile][kEdge];
  const unsigned tx = threadIdx.x;
  const unsigned ty = threadIdx.y;
  float sums[kCoarse][kCoarse] = {};
  for (unsigned first = 0; first < kRows; first += kTile) {
    for (unsigned i = tx; i < kEdge; i += kTile) {
      left[ty][i] = a[(first + ty) * n + blockIdx.y * kEdge + i];
      right[ty][i] = a[(first + ty) * n + blockIdx.x * kEdge + i];
    }
    __syncthreads();
    for (unsigned k = 0; k < kTile; ++k) {
      float mine[kCoarse];
      for (unsigned i = 0; i < kCoarse; ++i) mine[i] = right[k][tx + i * kTile];
      for (unsigned j = 0; j < kCoarse; ++j) {
        const float other = left[k][ty + j * kTile];
        for (unsigned i = 0; i < kCoarse; ++i) sums[j][i] += other * mine[i];
      }
    }
    __syncthreads();
  }
  for (unsigned j = 0; j < kCoarse; ++j) {
    for (unsigned i = 0; i < kCoarse; ++i) {
      c[(blockIdx.y * kEdge + ty + j * kTile) * n + blockIdx.x * kEdge + tx + i * kTile] =
          sums[j][i];
    }
  }
}

struct Columns {
  explicit Columns(unsigned n) : n(n), a(Fractions(kRows * n)), c(Room<float>(n * n)) {}
  std::vector<double> Results() const { return OnHost(c); }
  unsigned n;
  FloatArray a, c;
};

template <void (*kKernel)(const float*, float*, unsigned), unsigned kOfBlock>
void RunGram(const Columns& p) {
  kKernel<<<dim3(p.n / kOfBlock, p.n / kOfBlock), dim3(kTile, kTile)>>>(p.a->data(), p.c->data(),
                                                                        p.n);
}

// A matrix is transposed: a thread for each element, or tiles in shared memory whose rows have one
// word more.
__global__ void TransposeDirect(const float* in, float* out, unsigned n) {
  const unsigned x = blockIdx.x * 32 + threadIdx.x;
  const unsigned y = blockIdx.y * 8 + threadIdx.y;
  out[x * n + y] = in[y * n + x];
}

__global__ void TransposeTiled(const float* in, float* out, unsigned n) {
  __shared__ float tile[32][33];
  const unsigned left = blockIdx.x * 32;
  const unsigned top = blockIdx.y * 32;
  for (unsigned k = threadIdx.y; k < 32; k += 8) {
    tile[k][threadIdx.x] = in[(top + k) * n + left + threadIdx.x];
  }
  __syncthreads();
  for (unsigned k = threadIdx.y; k < 32; k += 8) {
    out[(left + k) * n + top + threadIdx.x] = tile[threadIdx.x][k];
  }
}

struct Square {
  explicit Square(unsigned n) : n(n), in(Fractions(n * n)), out(Room<float>(n * n)) {}
  std::vector<double> Results() const { return OnHost(out); }
  unsigned n;
  FloatArray in, out;
};

void RunTransposeDirect(const Square& p) {
  TransposeDirect<<<dim3(p.n / 32, p.n / 8), dim3(32, 8)>>>(p.in->data(), p.out->data(), p.n);
}

void RunTransposeTiled(const Square& p) {
  TransposeTiled<<<dim3(p.n / 32, p.n / 32), dim3(32, 8)>>>(p.in->data(), p.out->data(), p.n);
}

}  // namespace

std::vector<Problem> Dense() {
  return {
      Of<Columns>("Gram", {64, 192, 320},
                  {{"global", RunGram<GramGlobal, kTile>},
                   {"tiled", RunGram<GramTiled, kTile>},
                   {"coarse", RunGram<GramCoarse, kEdge>}}),
      Of<Square>("Transpose", {128, 1024, 3072},
                 {{"direct", RunTransposeDirect}, {"tiled", RunTransposeTiled}}),
  };
}

}  // namespace predict::coursework
