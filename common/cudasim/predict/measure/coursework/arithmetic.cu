// Problems that compute much for each value that they load.

#include <cuda_runtime.h>

#include "common/cudasim/predict/measure/coursework/coursework.h"

namespace predict::coursework {
namespace {

// A polynomial of degree 23 in each value: powers by powf(), or Horner's rule.
constexpr unsigned kTerms = 24;
__constant__ float coefficients[kTerms];

__global__ void PolynomialOfPowers(const float* in, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  float sum = 0;
  for (unsigned k = 0; k < kTerms; ++k) sum += coefficients[k] * powf(x, static_cast<float>(k));
  out[i] = sum;
}

__global__ void PolynomialOfHorner(const float* in, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  float sum = coefficients[kTerms - 1];
  for (unsigned k = kTerms - 1; k-- > 0;) sum = sum * x + coefficients[k];
  out[i] = sum;
}

struct Points {
  explicit Points(unsigned n) : n(n), in(Fractions(n)), out(Room<float>(n)) {
    float values[kTerms];
    for (unsigned k = 0; k < kTerms; ++k) values[k] = 1.0f / static_cast<float>(k + 1);
    CUDA_CHECK(cudaMemcpyToSymbol(coefficients, values, sizeof(values)));
  }
  std::vector<double> Results() const { return OnHost(out); }
  unsigned n;
  FloatArray in, out;
};

template <void (*kKernel)(const float*, float*, unsigned)>
void RunPolynomial(const Points& p) {
  kKernel<<<Blocks(p.n), 256>>>(p.in->data(), p.out->data(), p.n);
}

// Which odd numbers below 2 n are primes: each thread tries to divide its number, or each block
// strikes out multiples among 4096 odd numbers. The primes to divide by are given to the latter.
constexpr unsigned kSegment = 4096;

__global__ void PrimesByDivision(unsigned char* is_prime, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned number = 2 * i + 1;
  bool has_divisor = number == 1;
  for (unsigned d = 3; d * d <= number && !has_divisor; d += 2) has_divisor = number % d == 0;
  is_prime[i] = has_divisor ? 0 : 1;
}

__global__ void PrimesBySieve(const unsigned* primes, unsigned count, unsigned char* is_prime) {
  __shared__ unsigned char is_left[kSegment];
  const unsigned first = blockIdx.x * kSegment;
  for (unsigned k = threadIdx.x; k < kSegment; k += blockDim.x) is_left[k] = 1;
  for (unsigned p = 0; p < count; ++p) {
    __syncthreads();
    const unsigned prime = primes[p];
    // The first odd multiple here that is no smaller than the prime's square is 2 * at + 1.
    unsigned at = (prime * prime - 1) / 2;
    if (at >= first + kSegment) break;
    if (at < first) at += (first - at + prime - 1) / prime * prime;
    for (unsigned k = at - first + threadIdx.x * prime; k < kSegment; k += blockDim.x * prime) {
      is_left[k] = 0;
    }
  }
  __syncthreads();
  for (unsigned k = threadIdx.x; k < kSegment; k += blockDim.x) {
    is_prime[first + k] = first + k == 0 ? 0 : is_left[k];
  }
}

std::vector<unsigned> OddPrimesTo(unsigned limit) {
  std::vector<unsigned> primes;
  for (unsigned number = 3; number <= limit; number += 2) {
    if (std::all_of(primes.begin(), primes.end(), [=](unsigned p) { return number % p != 0; })) {
      primes.push_back(number);
    }
  }
  return primes;
}

struct OddNumbers {
  explicit OddNumbers(unsigned n)
      : n(n), is_prime(std::make_shared<lab::DeviceArray<unsigned char>>(n)) {
    unsigned root = 1;
    while (root * root < 2 * n) ++root;
    primes = std::make_shared<lab::DeviceArray<unsigned>>(OddPrimesTo(root));
  }
  std::vector<double> Results() const { return OnHost(is_prime); }
  unsigned n;
  std::shared_ptr<lab::DeviceArray<unsigned char>> is_prime;
  NumberArray primes;
};

void RunPrimesByDivision(const OddNumbers& p) {
  PrimesByDivision<<<Blocks(p.n), 256>>>(p.is_prime->data(), p.n);
}

void RunPrimesBySieve(const OddNumbers& p) {
  PrimesBySieve<<<p.n / kSegment, 256>>>(p.primes->data(), static_cast<unsigned>(p.primes->size()),
                                         p.is_prime->data());
}

// The largest price on each of n random paths of 64 steps: random numbers are generated on the
// way, or were before, those of a path side by side or n apart.
constexpr unsigned kSteps = 64;

__host__ __device__ unsigned NextRandom(unsigned x) {
  x ^= x << 13;
  x ^= x >> 17;
  return x ^ x << 5;
}

__host__ __device__ float StepOf(unsigned random) {
  return static_cast<float>(random >> 8) * 0x1p-24f - 0.5f;
}

__device__ float Moved(float price, float step) { return price * __expf(0.05f * step); }

__global__ void WalkAndGenerate(const unsigned* seeds, float* largest, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned random = seeds[i];
  float price = 100;
  float most = price;
  for (unsigned k = 0; k < kSteps; ++k) {
    random = NextRandom(random);
    price = Moved(price, StepOf(random));
    most = fmaxf(most, price);
  }
  largest[i] = most;
}

__global__ void WalkRows(const float* steps, float* largest, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float price = 100;
  float most = price;
  for (unsigned k = 0; k < kSteps; ++k) {
    price = Moved(price, steps[i * kSteps + k]);
    most = fmaxf(most, price);
  }
  largest[i] = most;
}

__global__ void WalkColumns(const float* steps, float* largest, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float price = 100;
  float most = price;
  for (unsigned k = 0; k < kSteps; ++k) {
    price = Moved(price, steps[k * n + i]);
    most = fmaxf(most, price);
  }
  largest[i] = most;
}

struct Paths {
  explicit Paths(unsigned n);
  std::vector<double> Results() const { return OnHost(largest); }
  unsigned n;
  NumberArray seeds;
  FloatArray rows, columns, largest;
};

Paths::Paths(unsigned n)
    : n(n),
      seeds(Filled<unsigned>(n, [](unsigned i) { return Mixed(i) | 1; })),
      largest(Room<float>(n)) {
  std::vector<float> by_row(n * kSteps);
  std::vector<float> by_column(n * kSteps);
  for (unsigned i = 0; i < n; ++i) {
    unsigned random = Mixed(i) | 1;
    for (unsigned k = 0; k < kSteps; ++k) {
      random = NextRandom(random);
      by_row[i * kSteps + k] = by_column[k * n + i] = StepOf(random);
    }
  }
  rows = std::make_shared<lab::DeviceArray<float>>(by_row);
  columns = std::make_shared<lab::DeviceArray<float>>(by_column);
}

void RunWalkAndGenerate(const Paths& p) {
  WalkAndGenerate<<<Blocks(p.n), 256>>>(p.seeds->data(), p.largest->data(), p.n);
}

void RunWalkRows(const Paths& p) {
  WalkRows<<<Blocks(p.n), 256>>>(p.rows->data(), p.largest->data(), p.n);
}

void RunWalkColumns(const Paths& p) {
  WalkColumns<<<Blocks(p.n), 256>>>(p.columns->data(), p.largest->data(), p.n);
}

}  // namespace

std::vector<Problem> Arithmetic() {
  return {
      Of<Points>("Polynomial", {1 << 12, 1 << 16, 1 << 20},
                 {{"powers", RunPolynomial<PolynomialOfPowers>},
                  {"horner", RunPolynomial<PolynomialOfHorner>}}),
      Of<OddNumbers>("Primes", {1 << 13, 1 << 16, 1 << 19},
                     {{"division", RunPrimesByDivision}, {"sieve", RunPrimesBySieve}}),
      Of<Paths>(
          "Walks", {1 << 10, 1 << 14, 1 << 18},
          {{"generate", RunWalkAndGenerate}, {"rows", RunWalkRows}, {"columns", RunWalkColumns}}),
  };
}

}  // namespace predict::coursework
