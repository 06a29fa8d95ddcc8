// Sparse linear algebra in steps.

#include <cuda_runtime.h>

#include "common/cudasim/predict/measure/exercises/exercises.h"

namespace predict::exercises {
namespace {

// Four steps of the conjugate gradients method for Poisson's equation on a square of n * n points,
// in doubles: six launches for each step, or three. Step k's scalars are r * r and p * q.
constexpr unsigned kSteps = 4;

struct Scalars {
  double rr, pq;
};

__device__ double Poisson(const double* p, unsigned x, unsigned y, unsigned n) {
  const unsigned i = y * n + x;
  double sum = 4 * p[i];
  if (x > 0) sum -= p[i - 1];
  if (x + 1 < n) sum -= p[i + 1];
  if (y > 0) sum -= p[i - n];
  if (y + 1 < n) sum -= p[i + n];
  return sum;
}

// All threads of a block of 256 call it.
__device__ void AddOfBlock(double value, double* sum) {
  __shared__ double sums[8];
  for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_down_sync(kAllLanes, value, lanes);
  const unsigned t = threadIdx.y * blockDim.x + threadIdx.x;
  if (t % 32 == 0) sums[t / 32] = value;
  __syncthreads();
  if (t > 0) return;
  for (unsigned warp = 1; warp < 8; ++warp) value += sums[warp];
  atomicAdd(sum, value);
}

__global__ void GradientApply(const double* p, double* q, unsigned n) {
  const unsigned x = blockIdx.x * 32 + threadIdx.x;
  const unsigned y = blockIdx.y * 8 + threadIdx.y;
  q[y * n + x] = Poisson(p, x, y, n);
}

__global__ void GradientDot(const double* a, const double* b, double* sum) {
  const unsigned i = blockIdx.x * 256 + threadIdx.x;
  AddOfBlock(a[i] * b[i], sum);
}

__global__ void GradientAdd(double* to, const double* from, const Scalars* scalars, double sign) {
  const unsigned i = blockIdx.x * 256 + threadIdx.x;
  to[i] += sign * (scalars->rr / scalars->pq) * from[i];
}

__global__ void GradientTurn(double* p, const double* r, const Scalars* scalars) {
  const unsigned i = blockIdx.x * 256 + threadIdx.x;
  p[i] = r[i] + scalars[1].rr / scalars[0].rr * p[i];
}

__global__ void GradientApplyDot(const double* p, double* q, Scalars* scalars, unsigned n) {
  const unsigned x = blockIdx.x * 32 + threadIdx.x;
  const unsigned y = blockIdx.y * 8 + threadIdx.y;
  const double mine = Poisson(p, x, y, n);
  q[y * n + x] = mine;
  AddOfBlock(mine * p[y * n + x], &scalars->pq);
}

__global__ void GradientMove(double* x, double* r, const double* p, const double* q,
                             Scalars* scalars) {
  const unsigned i = blockIdx.x * 256 + threadIdx.x;
  const double alpha = scalars[0].rr / scalars[0].pq;
  x[i] += alpha * p[i];
  const double left = r[i] - alpha * q[i];
  r[i] = left;
  AddOfBlock(left * left, &scalars[1].rr);
}

struct System {
  explicit System(unsigned n)
      : n(n),
        right(Filled<double>(n * n, [](unsigned i) { return Mixed(i) % 100 / 100.0; })),
        scalars(std::make_shared<lab::DeviceArray<Scalars>>(kSteps + 1)) {
    for (auto* vector : {&x, &r, &p, &q}) *vector = Room<double>(n * n);
  }
  // Of x = 0.
  void Restart() const {
    x->Fill(0);
    scalars->Fill(0);
    Copy(right, r);
    Copy(right, p);
    GradientDot<<<n * n / 256, 256>>>(r->data(), r->data(), &scalars->data()->rr);
  }
  std::vector<double> Results() const { return OnHost(x); }
  unsigned n;
  std::shared_ptr<lab::DeviceArray<double>> right, x, r, p, q;
  std::shared_ptr<lab::DeviceArray<Scalars>> scalars;
};

void RunGradientSeparate(const System& s) {
  s.Restart();
  const unsigned blocks = s.n * s.n / 256;
  for (unsigned step = 0; step < kSteps; ++step) {
    Scalars* const scalars = s.scalars->data() + step;
    GradientApply<<<dim3(s.n / 32, s.n / 8), dim3(32, 8)>>>(s.p->data(), s.q->data(), s.n);
    GradientDot<<<blocks, 256>>>(s.p->data(), s.q->data(), &scalars->pq);
    GradientAdd<<<blocks, 256>>>(s.x->data(), s.p->data(), scalars, 1);
    GradientAdd<<<blocks, 256>>>(s.r->data(), s.q->data(), scalars, -1);
    GradientDot<<<blocks, 256>>>(s.r->data(), s.r->data(), &scalars[1].rr);
    GradientTurn<<<blocks, 256>>>(s.p->data(), s.r->data(), scalars);
  }
}

void RunGradientFused(const System& s) {
  s.Restart();
  const unsigned blocks = s.n * s.n / 256;
  for (unsigned step = 0; step < kSteps; ++step) {
    Scalars* const scalars = s.scalars->data() + step;
    GradientApplyDot<<<dim3(s.n / 32, s.n / 8), dim3(32, 8)>>>(s.p->data(), s.q->data(), scalars,
                                                               s.n);
    GradientMove<<<blocks, 256>>>(s.x->data(), s.r->data(), s.p->data(), s.q->data(), scalars);
    GradientTurn<<<blocks, 256>>>(s.p->data(), s.r->data(), scalars);
  }
}

// A sparse matrix of n rows, some of them long, times a dense one of 32 columns: a thread for a
// row, a warp for one, or a warp whose lanes read 32 elements and hand them round.
constexpr unsigned kColumns = 32;

struct Sparse {
  const unsigned *begins, *columns;
  const float* values;
};

__global__ void SparseDenseRows(Sparse a, const float* dense, float* out, unsigned n) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float sums[kColumns] = {};
  for (unsigned e = a.begins[row]; e < a.begins[row + 1]; ++e) {
    const float value = a.values[e];
    const float* const from = dense + a.columns[e] * kColumns;
#pragma unroll
    for (unsigned k = 0; k < kColumns; ++k) sums[k] += value * from[k];
  }
#pragma unroll
  for (unsigned k = 0; k < kColumns; ++k) out[row * kColumns + k] = sums[k];
}

__global__ void SparseDenseWarps(Sparse a, const float* dense, float* out) {
  const unsigned row = blockIdx.x * 4 + threadIdx.x / 32;
  const unsigned lane = threadIdx.x % 32;
  float sum = 0;
  for (unsigned e = a.begins[row]; e < a.begins[row + 1]; ++e) {
    sum += a.values[e] * dense[a.columns[e] * kColumns + lane];
  }
  out[row * kColumns + lane] = sum;
}

__global__ void SparseDenseShuffled(Sparse a, const float* dense, float* out) {
  const unsigned row = blockIdx.x * 4 + threadIdx.x / 32;
  const unsigned lane = threadIdx.x % 32;
  const unsigned end = a.begins[row + 1];
  float sum = 0;
  for (unsigned first = a.begins[row]; first < end; first += 32) {
    const unsigned e = first + lane;
    const unsigned column = e < end ? a.columns[e] : 0;
    const float value = e < end ? a.values[e] : 0;
    const unsigned here = min(end - first, 32u);
    for (unsigned k = 0; k < here; ++k) {
      sum += __shfl_sync(kAllLanes, value, static_cast<int>(k)) *
             dense[__shfl_sync(kAllLanes, column, static_cast<int>(k)) * kColumns + lane];
    }
  }
  out[row * kColumns + lane] = sum;
}

struct Features {
  explicit Features(unsigned n)
      : n(n), dense(Fractions(n * kColumns)), out(Room<float>(n * kColumns)) {
    std::vector<unsigned> ends = {0};
    for (unsigned row = 0; row < n; ++row) {
      ends.push_back(ends.back() + (Mixed(row) % 32 == 0 ? 100 : 2 + Mixed(row + n) % 12));
    }
    columns = Filled<unsigned>(ends.back(), [=](unsigned i) { return Mixed(i) % n; });
    values = Fractions(ends.back());
    begins = std::make_shared<lab::DeviceArray<unsigned>>(ends);
  }
  Sparse Matrix() const { return {begins->data(), columns->data(), values->data()}; }
  std::vector<double> Results() const { return OnHost(out); }
  unsigned n;
  NumberArray begins, columns;
  FloatArray values, dense, out;
};

void RunSparseDenseRows(const Features& p) {
  SparseDenseRows<<<Blocks(p.n, 64), 64>>>(p.Matrix(), p.dense->data(), p.out->data(), p.n);
}

template <void (*kKernel)(Sparse, const float*, float*)>
void RunSparseDense(const Features& p) {
  kKernel<<<p.n / 4, 128>>>(p.Matrix(), p.dense->data(), p.out->data());
}

}  // namespace

std::vector<Problem> Solvers() {
  return {
      Of<System>("Gradient", {64, 256, 768},
                 {{"separate", RunGradientSeparate}, {"fused", RunGradientFused}}),
      Of<Features>("SparseDense", {256, 1 << 13, 1 << 16},
                   {{"rows", RunSparseDenseRows},
                    {"warps", RunSparseDense<SparseDenseWarps>},
                    {"shuffled", RunSparseDense<SparseDenseShuffled>}}),
  };
}

}  // namespace predict::exercises
