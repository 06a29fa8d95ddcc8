// Arithmetic with whole numbers, whose length depends on them.

#include <cuda_runtime.h>

#include "common/cudasim/predict/measure/exercises/exercises.h"

namespace predict::exercises {
namespace {

using Wide = unsigned long long;

// How many steps the first n numbers take to 1 by Collatz's rule: one by one, or all halvings after
// each odd number at once.
__global__ void CollatzSteps(unsigned* steps, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Wide x = i + 1;
  unsigned taken = 0;
  for (; x != 1; ++taken) x = x % 2 == 0 ? x / 2 : 3 * x + 1;
  steps[i] = taken;
}

__global__ void CollatzShifts(unsigned* steps, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Wide x = i + 1;
  unsigned taken = static_cast<unsigned>(__ffsll(static_cast<long long>(x)) - 1);
  x >>= taken;
  while (x != 1) {
    x = 3 * x + 1;
    const auto halvings = static_cast<unsigned>(__ffsll(static_cast<long long>(x)) - 1);
    x >>= halvings;
    taken += 1 + halvings;
  }
  steps[i] = taken;
}

struct Starts {
  explicit Starts(unsigned n) : n(n), steps(Room<unsigned>(n)) {}
  std::vector<double> Results() const { return OnHost(steps); }
  unsigned n;
  NumberArray steps;
};

template <void (*kKernel)(unsigned*, unsigned)>
void RunCollatz(const Starts& p) {
  kKernel<<<Blocks(p.n), 256>>>(p.steps->data(), p.n);
}

// The greatest common divisors of n pairs, by division or by subtraction and shifts. Source: Knuth,
// The Art of Computer Programming 2, section 4.5.2.
__global__ void DivisorsByDivision(const unsigned* a, const unsigned* b, unsigned* out,
                                   unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned x = a[i];
  unsigned y = b[i];
  while (y != 0) {
    const unsigned rest = x % y;
    x = y;
    y = rest;
  }
  out[i] = x;
}

__device__ unsigned Zeros(unsigned x) {  // behind the last one
  return static_cast<unsigned>(__ffs(static_cast<int>(x)) - 1);
}

__global__ void DivisorsByShifts(const unsigned* a, const unsigned* b, unsigned* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned x = a[i];
  unsigned y = b[i];
  const unsigned common = Zeros(x | y);
  x >>= Zeros(x);
  while (y != 0) {
    y >>= Zeros(y);
    const unsigned smaller = min(x, y);
    y = max(x, y) - smaller;
    x = smaller;
  }
  out[i] = x << common;
}

struct Pairs {
  explicit Pairs(unsigned n)
      : n(n),
        a(Filled<unsigned>(n, [](unsigned i) { return (Mixed(i) >> 8 | 1) * 12; })),
        b(Filled<unsigned>(n, [](unsigned i) { return (Mixed(i + 31) >> 8 | 1) * 18; })),
        out(Room<unsigned>(n)) {}
  std::vector<double> Results() const { return OnHost(out); }
  unsigned n;
  NumberArray a, b, out;
};

template <void (*kKernel)(const unsigned*, const unsigned*, unsigned*, unsigned)>
void RunDivisors(const Pairs& p) {
  kKernel<<<Blocks(p.n, 128), 128>>>(p.a->data(), p.b->data(), p.out->data(), p.n);
}

// Whether n odd numbers of 31 bits pass Fermat's test: powers modulo each, by division or as
// Montgomery, Mathematics of Computation 44, 1985.
__global__ void FermatByDivision(const unsigned* moduli, unsigned* rests, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned modulus = moduli[i];
  Wide power = 1;
  Wide square = 3 % modulus;
  for (unsigned exponent = modulus - 1; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) power = power * square % modulus;
    square = square * square % modulus;
  }
  rests[i] = static_cast<unsigned>(power);
}

__device__ unsigned Reduced(Wide x, unsigned modulus, unsigned inverse) {
  const unsigned factor = static_cast<unsigned>(x) * inverse;
  const auto made = static_cast<unsigned>((x + static_cast<Wide>(factor) * modulus) >> 32);
  return made >= modulus ? made - modulus : made;
}

__global__ void FermatByMontgomery(const unsigned* moduli, unsigned* rests, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned modulus = moduli[i];
  unsigned inverse = modulus;  // of the modulus, 3 bits; each round doubles them
  for (unsigned round = 0; round < 4; ++round) inverse *= 2 - modulus * inverse;
  inverse = 0u - inverse;
  const auto one = static_cast<unsigned>((1ull << 32) % modulus);
  unsigned power = one;
  auto square = static_cast<unsigned>(3ull * one % modulus);
  for (unsigned exponent = modulus - 1; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) power = Reduced(static_cast<Wide>(power) * square, modulus, inverse);
    square = Reduced(static_cast<Wide>(square) * square, modulus, inverse);
  }
  rests[i] = Reduced(power, modulus, inverse);
}

struct Moduli {
  explicit Moduli(unsigned n)
      : n(n),
        moduli(Filled<unsigned>(n, [](unsigned i) { return Mixed(i) >> 1 | 0x40000001u; })),
        rests(Room<unsigned>(n)) {}
  std::vector<double> Results() const { return OnHost(rests); }
  unsigned n;
  NumberArray moduli, rests;
};

template <void (*kKernel)(const unsigned*, unsigned*, unsigned)>
void RunFermat(const Moduli& p) {
  kKernel<<<Blocks(p.n), 256>>>(p.moduli->data(), p.rests->data(), p.n);
}

}  // namespace

std::vector<Problem> Integers() {
  return {
      Of<Starts>("Collatz", {1 << 11, 1 << 15, 1 << 19},
                 {{"steps", RunCollatz<CollatzSteps>}, {"shifts", RunCollatz<CollatzShifts>}}),
      Of<Pairs>("Divisors", {1 << 12, 1 << 16, 1 << 22},
                {{"division", RunDivisors<DivisorsByDivision>},
                 {"shifts", RunDivisors<DivisorsByShifts>}}),
      Of<Moduli>("Fermat", {1 << 11, 1 << 15, 1 << 21},
                 {{"division", RunFermat<FermatByDivision>},
                  {"montgomery", RunFermat<FermatByMontgomery>}}),
  };
}

}  // namespace predict::exercises
