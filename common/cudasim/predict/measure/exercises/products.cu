// Scalar products of several kinds.

#include <cuda_runtime.h>

#include "common/cudasim/predict/measure/exercises/exercises.h"

namespace predict::exercises {
namespace {

// The scalar product of two vectors of doubles: an atomic addition of each thread, one of each
// block that is made of atomicCAS() as the CUDA guide does, or a second launch.
__global__ void DotByAtomics(const double* a, const double* b, double* sum, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, a[i] * b[i]);
}

__device__ void AddByCas(double* sum, double value) {
  auto* const bits = reinterpret_cast<unsigned long long*>(sum);
  unsigned long long expected = 0;
  unsigned long long found = atomicAdd(bits, 0ull);
  do {
    expected = found;
    found = atomicCAS(bits, expected,
                      static_cast<unsigned long long>(__double_as_longlong(
                          value + __longlong_as_double(static_cast<long long>(expected)))));
  } while (found != expected);
}

__global__ void DotByCas(const double* a, const double* b, double* sum, unsigned n) {
  __shared__ double sums[256];
  double mine = 0;
  for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
    mine += a[i] * b[i];
  }
  sums[threadIdx.x] = mine;
  for (unsigned half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) AddByCas(sum, sums[0]);
}

__device__ double SumOfWarp(double sum) {
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(kAllLanes, sum, lanes);
  return sum;
}

__global__ void DotParts(const double2* a, const double2* b, double* parts, unsigned n) {
  __shared__ double sums[8];
  double sum = 0;
  for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < n / 2; i += gridDim.x * 256) {
    const double2 left = a[i];
    const double2 right = b[i];
    sum += left.x * right.x + left.y * right.y;
  }
  sum = SumOfWarp(sum);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  sum = SumOfWarp(threadIdx.x < 8 ? sums[threadIdx.x] : 0);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}

__global__ void SumParts(const double* parts, double* sum, unsigned n) {
  double mine = 0;
  for (unsigned i = threadIdx.x; i < n; i += 32) mine += parts[i];
  mine = SumOfWarp(mine);
  if (threadIdx.x == 0) *sum = mine;
}

using DoubleArray = std::shared_ptr<lab::DeviceArray<double>>;

struct Vectors {
  explicit Vectors(unsigned n) : n(n), parts(Room<double>(512)), sum(Room<double>(1)) {
    a = Filled<double>(n, [](unsigned i) { return Mixed(i) % 1000 / 1000.0; });
    b = Filled<double>(n, [](unsigned i) { return Mixed(i + 5) % 1000 / 1000.0; });
  }
  std::vector<double> Results() const { return OnHost(sum); }
  unsigned n;
  DoubleArray a, b, parts, sum;
};

void RunDotByAtomics(const Vectors& p) {
  p.sum->Fill(0);
  DotByAtomics<<<Blocks(p.n), 256>>>(p.a->data(), p.b->data(), p.sum->data(), p.n);
}

void RunDotByCas(const Vectors& p) {
  p.sum->Fill(0);
  DotByCas<<<std::min(p.n / 512, 512u), 256>>>(p.a->data(), p.b->data(), p.sum->data(), p.n);
}

void RunDotParts(const Vectors& p) {
  const unsigned blocks = std::min(p.n / 512, 512u);
  DotParts<<<blocks, 256>>>(reinterpret_cast<const double2*>(p.a->data()),
                            reinterpret_cast<const double2*>(p.b->data()), p.parts->data(), p.n);
  SumParts<<<1, 32>>>(p.parts->data(), p.sum->data(), blocks);
}

// In how many of 512 bits the most similar other of n signatures differs from each.
constexpr unsigned kWords = 16;

__global__ void DifferGlobal(const unsigned* signatures, unsigned* least, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned best = 32 * kWords;
  for (unsigned other = 0; other < n; ++other) {
    unsigned bits = 0;
    for (unsigned w = 0; w < kWords; ++w) {
      bits += static_cast<unsigned>(
          __popc(signatures[i * kWords + w] ^ signatures[other * kWords + w]));
    }
    if (other != i) best = min(best, bits);
  }
  least[i] = best;
}

// A thread keeps its signature in registers, its block 64 others.
__global__ void DifferTiles(const uint4* signatures, unsigned* least, unsigned n) {
  __shared__ uint4 tile[64][kWords / 4];
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  uint4 mine[kWords / 4];
#pragma unroll
  for (unsigned w = 0; w < kWords / 4; ++w) mine[w] = signatures[i * (kWords / 4) + w];
  unsigned best = 32 * kWords;
  for (unsigned first = 0; first < n; first += 64) {
    for (unsigned k = threadIdx.x; k < 64 * kWords / 4; k += 64) {
      tile[k / (kWords / 4)][k % (kWords / 4)] = signatures[first * (kWords / 4) + k];
    }
    __syncthreads();
    for (unsigned other = 0; other < 64; ++other) {
      int bits = 0;
#pragma unroll
      for (unsigned w = 0; w < kWords / 4; ++w) {
        const uint4 theirs = tile[other][w];
        bits += __popc(mine[w].x ^ theirs.x) + __popc(mine[w].y ^ theirs.y) +
                __popc(mine[w].z ^ theirs.z) + __popc(mine[w].w ^ theirs.w);
      }
      if (first + other != i) best = min(best, static_cast<unsigned>(bits));
    }
    __syncthreads();
  }
  least[i] = best;
}

struct Signatures {
  explicit Signatures(unsigned n) : n(n), words(Numbers(n * kWords)), least(Room<unsigned>(n)) {}
  std::vector<double> Results() const { return OnHost(least); }
  unsigned n;
  NumberArray words, least;
};

void RunDifferGlobal(const Signatures& p) {
  DifferGlobal<<<p.n / 64, 64>>>(p.words->data(), p.least->data(), p.n);
}

void RunDifferTiles(const Signatures& p) {
  DifferTiles<<<p.n / 64, 64>>>(reinterpret_cast<const uint4*>(p.words->data()), p.least->data(),
                                p.n);
}

}  // namespace

std::vector<Problem> Products() {
  return {
      Of<Vectors>("Dot", {1 << 12, 1 << 16, 1 << 21},
                  {{"atomics", RunDotByAtomics}, {"cas", RunDotByCas}, {"parts", RunDotParts}}),
      Of<Signatures>("Differ", {128, 768, 2048},
                     {{"global", RunDifferGlobal}, {"tiles", RunDifferTiles}}),
  };
}

}  // namespace predict::exercises
