// Prices of options.

#include <cuda_runtime.h>

#include "common/cudasim/predict/measure/exercises/exercises.h"

namespace predict::exercises {
namespace {

constexpr float kRate = 0.03f;
constexpr float kVolatility = 0.25f;
constexpr float kSpot = 100;
constexpr float kStrike = 100;

// The mean payoff of an Asian option on n random paths of 32 steps, in doubles or in floats with
// fast functions.
constexpr unsigned kSteps = 32;

__device__ unsigned Scrambled(unsigned x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

// From 0 to 1, neither of them.
__device__ float Uniform(unsigned seed) {
  return (static_cast<float>(Scrambled(seed) >> 9) + 0.5f) * 0x1p-23f;
}

// All threads of a block of 128 call it.
__device__ void AddPayoff(double payoff, double* sum) {
  __shared__ double sums[4];
  for (int lanes = 16; lanes > 0; lanes /= 2) payoff += __shfl_down_sync(kAllLanes, payoff, lanes);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = payoff;
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(sum, sums[0] + sums[1] + sums[2] + sums[3]);
}

__global__ void AsianInDoubles(double* sum, unsigned n) {
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  const double step = 1.0 / kSteps;
  const double drift = (kRate - 0.5 * kVolatility * kVolatility) * step;
  double price = kSpot;
  double total = 0;
  for (unsigned k = 0; k < kSteps; ++k) {
    const double u = Uniform(2 * (k * n + i));
    const double v = Uniform(2 * (k * n + i) + 1);
    const double normal = sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
    price *= exp(drift + kVolatility * sqrt(step) * normal);
    total += price;
  }
  AddPayoff(fmax(total / kSteps - kStrike, 0.0), sum);
}

// The logarithm of the price goes on, so that a step needs no product.
__global__ void AsianInFloats(double* sum, unsigned n) {
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  const float step = 1.0f / kSteps;
  const float drift = (kRate - 0.5f * kVolatility * kVolatility) * step;
  const float spread = kVolatility * sqrtf(step);
  float change = 0;
  float total = 0;
  for (unsigned k = 0; k < kSteps; ++k) {
    const float u = Uniform(2 * (k * n + i));
    const float v = Uniform(2 * (k * n + i) + 1);
    change += drift + spread * sqrtf(-2 * __logf(u)) * __cosf(6.2831853f * v);
    total += kSpot * __expf(change);
  }
  AddPayoff(fmaxf(total / kSteps - kStrike, 0.0f), sum);
}

struct Paths {
  explicit Paths(unsigned n) : n(n), sum(Room<double>(1)) {}
  std::vector<double> Results() const { return {sum->First() / n}; }
  unsigned n;
  std::shared_ptr<lab::DeviceArray<double>> sum;
};

template <void (*kKernel)(double*, unsigned)>
void RunAsian(const Paths& p) {
  p.sum->Fill(0);
  kKernel<<<p.n / 128, 128>>>(p.sum->data(), p.n);
}

// n American puts by trees of 63 steps: a thread for an option, a block of 64 for one, or a warp
// with two leaves in each lane. Source: Cox, Ross, Rubinstein, Journal of Financial Economics 7,
// 1979.
constexpr unsigned kLeaves = 64;

struct Tree {
  float strike, up, rise, discount;  // up is the logarithm of a step's factor
};

__device__ Tree TreeOf(float strike, float years) {
  const float step = years / (kLeaves - 1);
  const float up = kVolatility * sqrtf(step);
  const float rise = (expf(kRate * step) - expf(-up)) / (expf(up) - expf(-up));
  return {strike, up, rise, expf(-kRate * step)};
}

__device__ float Exercised(const Tree& tree, unsigned level, unsigned k) {
  const int ups = 2 * static_cast<int>(k) - static_cast<int>(level);
  return fmaxf(tree.strike - kSpot * __expf(static_cast<float>(ups) * tree.up), 0.0f);
}

__device__ float Held(const Tree& tree, float down, float up) {
  return tree.discount * (down + tree.rise * (up - down));
}

__global__ void PutsByThreads(const float* strikes, const float* years, float* prices, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Tree tree = TreeOf(strikes[i], years[i]);
  float values[kLeaves];
  for (unsigned k = 0; k < kLeaves; ++k) values[k] = Exercised(tree, kLeaves - 1, k);
#pragma unroll 1
  for (unsigned level = kLeaves - 1; level-- > 0;) {
#pragma unroll 1
    for (unsigned k = 0; k <= level; ++k) {
      values[k] = fmaxf(Held(tree, values[k], values[k + 1]), Exercised(tree, level, k));
    }
  }
  prices[i] = values[0];
}

__global__ void PutsByBlocks(const float* strikes, const float* years, float* prices) {
  __shared__ float values[2][kLeaves];
  const unsigned k = threadIdx.x;
  const Tree tree = TreeOf(strikes[blockIdx.x], years[blockIdx.x]);
  values[1][k] = Exercised(tree, kLeaves - 1, k);
  for (unsigned level = kLeaves - 1; level-- > 0;) {
    __syncthreads();
    const float* const from = values[(level + 1) % 2];
    if (k <= level) {
      values[level % 2][k] = fmaxf(Held(tree, from[k], from[k + 1]), Exercised(tree, level, k));
    }
  }
  if (k == 0) prices[blockIdx.x] = values[0][0];
}

__global__ void PutsByWarps(const float* strikes, const float* years, float* prices) {
  const unsigned i = blockIdx.x * 8 + threadIdx.x / 32;
  const unsigned lane = threadIdx.x % 32;
  const Tree tree = TreeOf(strikes[i], years[i]);
  float even = Exercised(tree, kLeaves - 1, 2 * lane);
  float odd = Exercised(tree, kLeaves - 1, 2 * lane + 1);
  for (unsigned level = kLeaves - 1; level-- > 0;) {
    const float next = __shfl_down_sync(kAllLanes, even, 1);
    even = fmaxf(Held(tree, even, odd), Exercised(tree, level, 2 * lane));
    odd = fmaxf(Held(tree, odd, next), Exercised(tree, level, 2 * lane + 1));
  }
  if (lane == 0) prices[i] = even;
}

struct Options {
  explicit Options(unsigned n) : n(n), prices(Room<float>(n)) {
    strikes = Filled<float>(n, [](unsigned i) { return static_cast<float>(80 + Mixed(i) % 40); });
    years = Filled<float>(
        n, [](unsigned i) { return 0.25f + static_cast<float>(Mixed(i + 9) % 64) / 32; });
  }
  std::vector<double> Results() const { return OnHost(prices); }
  unsigned n;
  FloatArray prices, strikes, years;
};

void RunPutsByThreads(const Options& p) {
  PutsByThreads<<<Blocks(p.n, 64), 64>>>(p.strikes->data(), p.years->data(), p.prices->data(), p.n);
}

void RunPutsByBlocks(const Options& p) {
  PutsByBlocks<<<p.n, kLeaves>>>(p.strikes->data(), p.years->data(), p.prices->data());
}

void RunPutsByWarps(const Options& p) {
  PutsByWarps<<<p.n / 8, 256>>>(p.strikes->data(), p.years->data(), p.prices->data());
}

}  // namespace

std::vector<Problem> Finance() {
  return {
      Of<Paths>("Asian", {1 << 9, 1 << 13, 1 << 20},
                {{"doubles", RunAsian<AsianInDoubles>}, {"floats", RunAsian<AsianInFloats>}}),
      Of<Options>(
          "Puts", {64, 1024, 1 << 13},
          {{"threads", RunPutsByThreads}, {"blocks", RunPutsByBlocks}, {"warps", RunPutsByWarps}}),
  };
}

}  // namespace predict::exercises
