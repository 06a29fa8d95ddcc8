// Many small problems of one kind, a row each.

#include <cuda_runtime.h>

#include "common/cudasim/predict/measure/coursework/coursework.h"

namespace predict::coursework {
namespace {

// n tridiagonal systems of 64 unknowns with diagonal 4: Thomas's algorithm by a thread for each,
// whose values lie side by side or n apart, or parallel cyclic reduction by a block for each.
constexpr unsigned kUnknowns = 64;

struct Bands {
  const float* lower;
  const float* upper;
  const float* right;
};

__device__ void Thomas(Bands a, float* factors, float* x, unsigned first, unsigned step) {
  float factor = a.upper[first] / 4;
  float value = a.right[first] / 4;
  factors[first] = factor;
  x[first] = value;
  for (unsigned k = 1; k < kUnknowns; ++k) {
    const unsigned i = first + k * step;
    const float pivot = 1 / (4 - a.lower[i] * factor);
    factor = a.upper[i] * pivot;
    value = (a.right[i] - a.lower[i] * value) * pivot;
    factors[i] = factor;
    x[i] = value;
  }
  for (unsigned k = kUnknowns - 1; k > 0; --k) {
    const unsigned i = first + (k - 1) * step;
    value = x[i] - factors[i] * value;
    x[i] = value;
  }
}

__global__ void SolveRows(Bands a, float* factors, float* x, unsigned n) {
  const unsigned system = blockIdx.x * blockDim.x + threadIdx.x;
  if (system < n) Thomas(a, factors, x, system * kUnknowns, 1);
}

__global__ void SolveColumns(Bands a, float* factors, float* x, unsigned n) {
  const unsigned system = blockIdx.x * blockDim.x + threadIdx.x;
  if (system < n) Thomas(a, factors, x, system, n);
}

__global__ void SolveByReduction(Bands a, float* x) {
  __shared__ float lower[kUnknowns];
  __shared__ float upper[kUnknowns];
  __shared__ float right[kUnknowns];
  const unsigned k = threadIdx.x;
  const unsigned i = blockIdx.x * kUnknowns + k;
  float l = k == 0 ? 0 : a.lower[i] / 4;
  float u = k == kUnknowns - 1 ? 0 : a.upper[i] / 4;
  float r = a.right[i] / 4;
  for (unsigned apart = 1; apart < kUnknowns; apart *= 2) {
    lower[k] = l;
    upper[k] = u;
    right[k] = r;
    __syncthreads();
    const bool has_before = k >= apart;
    const bool has_after = k + apart < kUnknowns;
    const float lower_before = has_before ? lower[k - apart] : 0;
    const float upper_before = has_before ? upper[k - apart] : 0;
    const float right_before = has_before ? right[k - apart] : 0;
    const float lower_after = has_after ? lower[k + apart] : 0;
    const float upper_after = has_after ? upper[k + apart] : 0;
    const float right_after = has_after ? right[k + apart] : 0;
    const float pivot = 1 / (1 - l * upper_before - u * lower_after);
    r = (r - l * right_before - u * right_after) * pivot;
    l = -l * lower_before * pivot;
    u = -u * upper_after * pivot;
    __syncthreads();
  }
  x[i] = r;
}

// The bands are kept in both orders.
struct Systems {
  explicit Systems(unsigned n);
  std::vector<double> Results() const;
  Bands Of(const FloatArray (&bands)[3]) const {
    return {bands[0]->data(), bands[1]->data(), bands[2]->data()};
  }
  unsigned n;
  FloatArray rows[3], columns[3];
  FloatArray factors, x;
  mutable bool is_in_columns = false;
};

Systems::Systems(unsigned n)
    : n(n), factors(Room<float>(n * kUnknowns)), x(Room<float>(n * kUnknowns)) {
  for (unsigned band = 0; band < 3; ++band) {
    const auto element = [=](unsigned i) {
      return static_cast<float>(Mixed(3 * i + band) % 1024) / 1024;
    };
    rows[band] = Filled<float>(n * kUnknowns, element);
    columns[band] = Filled<float>(n * kUnknowns,
                                  [=](unsigned i) { return element(i % n * kUnknowns + i / n); });
  }
}

std::vector<double> Systems::Results() const {
  const std::vector<float> made = x->OnHost();
  std::vector<double> results;
  for (unsigned i = 0; i < made.size(); ++i) {
    results.push_back(made[is_in_columns ? i % kUnknowns * n + i / kUnknowns : i]);
  }
  return results;
}

void RunSolveRows(const Systems& p) {
  p.is_in_columns = false;
  SolveRows<<<Blocks(p.n, 128), 128>>>(p.Of(p.rows), p.factors->data(), p.x->data(), p.n);
}

void RunSolveColumns(const Systems& p) {
  p.is_in_columns = true;
  SolveColumns<<<Blocks(p.n, 128), 128>>>(p.Of(p.columns), p.factors->data(), p.x->data(), p.n);
}

void RunSolveByReduction(const Systems& p) {
  p.is_in_columns = false;
  SolveByReduction<<<p.n, kUnknowns>>>(p.Of(p.rows), p.x->data());
}

// Each of n rows of 512 values gets mean 0 and variance 1: by a thread, a warp or a block.
constexpr unsigned kWidth = 512;

__global__ void NormaliseByThreads(const float* in, float* out, unsigned n) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  const float* const mine = in + row * kWidth;
  float sum = 0;
  for (unsigned k = 0; k < kWidth; ++k) sum += mine[k];
  const float mean = sum / kWidth;
  float squares = 0;
  for (unsigned k = 0; k < kWidth; ++k) squares += (mine[k] - mean) * (mine[k] - mean);
  const float scale = rsqrtf(squares / kWidth + 1e-5f);
  for (unsigned k = 0; k < kWidth; ++k) out[row * kWidth + k] = (mine[k] - mean) * scale;
}

__device__ float SumOfWarp(float sum) {
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(kAllLanes, sum, lanes);
  return sum;
}

__global__ void NormaliseByWarps(const float* in, float* out) {
  const unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const unsigned first = row * kWidth + threadIdx.x % 32;
  float mine[kWidth / 32];
  float sum = 0;
  for (unsigned k = 0; k < kWidth / 32; ++k) {
    mine[k] = in[first + 32 * k];
    sum += mine[k];
  }
  const float mean = SumOfWarp(sum) / kWidth;
  float squares = 0;
  for (unsigned k = 0; k < kWidth / 32; ++k) squares += (mine[k] - mean) * (mine[k] - mean);
  const float scale = rsqrtf(SumOfWarp(squares) / kWidth + 1e-5f);
  for (unsigned k = 0; k < kWidth / 32; ++k) out[first + 32 * k] = (mine[k] - mean) * scale;
}

// All 256 threads call it; parts[] is free again when the next call begins.
__device__ float SumOfBlock(float sum, float* parts) {
  const unsigned t = threadIdx.x;
  __syncthreads();
  parts[t] = sum;
  for (unsigned half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) parts[t] += parts[t + half];
  }
  __syncthreads();
  return parts[0];
}

__global__ void NormaliseByBlocks(const float* in, float* out) {
  __shared__ float parts[256];
  const unsigned i = blockIdx.x * kWidth + threadIdx.x;
  const float a = in[i];
  const float b = in[i + 256];
  const float mean = SumOfBlock(a + b, parts) / kWidth;
  const float squares = (a - mean) * (a - mean) + (b - mean) * (b - mean);
  const float scale = rsqrtf(SumOfBlock(squares, parts) / kWidth + 1e-5f);
  out[i] = (a - mean) * scale;
  out[i + 256] = (b - mean) * scale;
}

struct Layer {
  explicit Layer(unsigned n) : n(n), in(Fractions(n * kWidth)), out(Room<float>(n * kWidth)) {}
  std::vector<double> Results() const { return OnHost(out); }
  unsigned n;
  FloatArray in, out;
};

void RunNormaliseByThreads(const Layer& p) {
  NormaliseByThreads<<<Blocks(p.n, 64), 64>>>(p.in->data(), p.out->data(), p.n);
}

void RunNormaliseByWarps(const Layer& p) {
  NormaliseByWarps<<<p.n / 8, 256>>>(p.in->data(), p.out->data());
}

void RunNormaliseByBlocks(const Layer& p) {
  NormaliseByBlocks<<<p.n, 256>>>(p.in->data(), p.out->data());
}

}  // namespace

std::vector<Problem> Rows() {
  return {
      Of<Systems>("Tridiagonal", {256, 2048, 8192},
                  {{"rows", RunSolveRows},
                   {"columns", RunSolveColumns},
                   {"reduction", RunSolveByReduction}}),
      Of<Layer>("Normalise", {64, 512, 4096},
                {{"threads", RunNormaliseByThreads},
                 {"warps", RunNormaliseByWarps},
                 {"blocks", RunNormaliseByBlocks}}),
  };
}

}  // namespace predict::coursework
