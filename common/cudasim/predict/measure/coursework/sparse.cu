// Sparse matrices, graphs and neighbour lists: loads whose places come from other loads.

#include <cuda_runtime.h>

#include <cmath>

#include "common/cudasim/predict/measure/coursework/coursework.h"

namespace predict::coursework {
namespace {

// A sparse matrix times a vector: a thread or a warp for each row of the format CSR, a thread for
// each row of ELL, or for each element of COO.
struct Csr {
  const unsigned* offsets;
  const unsigned* columns;
  const float* values;
};

__global__ void MultiplyScalar(Csr a, const float* x, float* y, unsigned n) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float sum = 0;
  for (unsigned e = a.offsets[row]; e < a.offsets[row + 1]; ++e) {
    sum += a.values[e] * x[a.columns[e]];
  }
  y[row] = sum;
}

__global__ void MultiplyVector(Csr a, const float* x, float* y, unsigned n) {
  const unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const unsigned lane = threadIdx.x % 32;
  if (row >= n) return;
  float sum = 0;
  const unsigned end = a.offsets[row + 1];
  for (unsigned e = a.offsets[row] + lane; e < end; e += 32) sum += a.values[e] * x[a.columns[e]];
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(kAllLanes, sum, lanes);
  if (lane == 0) y[row] = sum;
}

// Element k of a row is at k * n + row; shorter rows are filled with zeros.
__global__ void MultiplyEll(const unsigned* columns, const float* values, unsigned width,
                            const float* x, float* y, unsigned n) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float sum = 0;
  for (unsigned k = 0; k < width; ++k) sum += values[k * n + row] * x[columns[k * n + row]];
  y[row] = sum;
}

__global__ void MultiplyCoo(const unsigned* rows, Csr a, const float* x, float* y,
                            unsigned elements) {
  const unsigned e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < elements) atomicAdd(&y[rows[e]], a.values[e] * x[a.columns[e]]);
}

// Rows have 4 to 27 elements, half of them near the diagonal.
struct Matrix {
  explicit Matrix(unsigned n);
  std::vector<double> Results() const { return OnHost(y); }
  Csr Rows() const { return {offsets->data(), columns->data(), values->data()}; }
  unsigned n;
  unsigned elements = 0;
  unsigned width = 0;
  NumberArray offsets, rows, columns, ell_columns;
  FloatArray values, ell_values, x, y;
};

Matrix::Matrix(unsigned n) : n(n), x(Fractions(n)), y(Room<float>(n)) {
  std::vector<unsigned> first = {0};
  std::vector<unsigned> of_row;
  std::vector<unsigned> to;
  for (unsigned row = 0; row < n; ++row) {
    const unsigned random = Mixed(row);
    const unsigned count = 4 + random % 8 + (random % 16 == 0 ? 16 : 0);
    width = std::max(width, count);
    for (unsigned k = 0; k < count; ++k) {
      const unsigned near = (row + Mixed(row * 32 + k) % 64) % n;
      to.push_back(k % 2 == 0 ? near : Mixed(row * 32 + k) % n);
      of_row.push_back(row);
    }
    first.push_back(static_cast<unsigned>(to.size()));
  }
  elements = first.back();
  std::vector<float> element(elements);
  std::vector<unsigned> wide_to(width * n);
  std::vector<float> wide(width * n);
  for (unsigned e = 0; e < elements; ++e) {
    element[e] = static_cast<float>(Mixed(e) % 16);
    const unsigned at = (e - first[of_row[e]]) * n + of_row[e];
    wide_to[at] = to[e];
    wide[at] = element[e];
  }
  offsets = std::make_shared<lab::DeviceArray<unsigned>>(first);
  rows = std::make_shared<lab::DeviceArray<unsigned>>(of_row);
  columns = std::make_shared<lab::DeviceArray<unsigned>>(to);
  values = std::make_shared<lab::DeviceArray<float>>(element);
  ell_columns = std::make_shared<lab::DeviceArray<unsigned>>(wide_to);
  ell_values = std::make_shared<lab::DeviceArray<float>>(wide);
}

void RunScalar(const Matrix& p) {
  MultiplyScalar<<<Blocks(p.n), 256>>>(p.Rows(), p.x->data(), p.y->data(), p.n);
}

void RunVector(const Matrix& p) {
  MultiplyVector<<<Blocks(p.n, 8), 256>>>(p.Rows(), p.x->data(), p.y->data(), p.n);
}

void RunEll(const Matrix& p) {
  MultiplyEll<<<Blocks(p.n), 256>>>(p.ell_columns->data(), p.ell_values->data(), p.width,
                                    p.x->data(), p.y->data(), p.n);
}

void RunCoo(const Matrix& p) {
  p.y->Fill(0);
  MultiplyCoo<<<Blocks(p.elements), 256>>>(p.rows->data(), p.Rows(), p.x->data(), p.y->data(),
                                           p.elements);
}

// Forces between molecules in a box: all pairs with tiles in shared memory, or the pairs in lists
// of neighbours, element k of which is at k * n + i.
constexpr float kReach = 1.8f;

__device__ void AddForce(float4 me, float4 other, float4& force) {
  const float dx = other.x - me.x;
  const float dy = other.y - me.y;
  const float dz = other.z - me.z;
  const float square = dx * dx + dy * dy + dz * dz;
  if (square >= kReach * kReach || square == 0) return;
  const float inverse = 1 / (square + 0.2f);
  const float cube = inverse * inverse * inverse;
  const float size = cube * (cube - 0.5f) * inverse;
  force.x += size * dx;
  force.y += size * dy;
  force.z += size * dz;
}

__global__ void ForcesOfAll(const float4* molecules, float4* forces, unsigned n) {
  __shared__ float4 tile[128];
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  const float4 me = molecules[i];
  float4 force = {0, 0, 0, 0};
  for (unsigned first = 0; first < n; first += 128) {
    tile[threadIdx.x] = molecules[first + threadIdx.x];
    __syncthreads();
    for (unsigned k = 0; k < 128; ++k) AddForce(me, tile[k], force);
    __syncthreads();
  }
  forces[i] = force;
}

__global__ void ForcesOfLists(const float4* molecules, const unsigned* counts,
                              const unsigned* neighbours, float4* forces, unsigned n) {
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  const float4 me = molecules[i];
  float4 force = {0, 0, 0, 0};
  for (unsigned k = 0; k < counts[i]; ++k) AddForce(me, molecules[neighbours[k * n + i]], force);
  forces[i] = force;
}

struct Box {
  explicit Box(unsigned n);
  std::vector<double> Results() const;
  unsigned n;
  std::shared_ptr<lab::DeviceArray<float4>> molecules, forces;
  NumberArray counts, neighbours;
};

// A lattice with spacing 1, whose molecules are moved a little and shuffled.
Box::Box(unsigned n) : n(n), forces(std::make_shared<lab::DeviceArray<float4>>(n)) {
  const auto edge = static_cast<unsigned>(std::ceil(std::cbrt(static_cast<double>(n))));
  std::vector<float4> places(n);
  const auto moved = [](unsigned at, unsigned seed) {
    return static_cast<float>(at) + static_cast<float>(Mixed(seed) % 1024) / 4096;
  };
  for (unsigned i = 0; i < n; ++i) {
    places[i] = {moved(i % edge, 3 * i), moved(i / edge % edge, 3 * i + 1),
                 moved(i / edge / edge, 3 * i + 2), 0};
  }
  for (unsigned i = n - 1; i > 0; --i) std::swap(places[i], places[Mixed(i) % (i + 1)]);
  std::vector<unsigned> count(n);
  std::vector<unsigned> lists(64 * n);
  for (unsigned i = 0; i < n; ++i) {
    for (unsigned j = 0; j < n; ++j) {
      const float dx = places[i].x - places[j].x;
      const float dy = places[i].y - places[j].y;
      const float dz = places[i].z - places[j].z;
      if (i == j || dx * dx + dy * dy + dz * dz > (kReach + 0.1f) * (kReach + 0.1f)) continue;
      if (count[i] < 64) lists[count[i]++ * n + i] = j;
    }
  }
  molecules = std::make_shared<lab::DeviceArray<float4>>(places);
  counts = std::make_shared<lab::DeviceArray<unsigned>>(count);
  neighbours = std::make_shared<lab::DeviceArray<unsigned>>(lists);
}

std::vector<double> Box::Results() const {
  std::vector<double> results;
  for (const float4 force : forces->OnHost()) {
    results.insert(results.end(), {force.x, force.y, force.z});
  }
  return results;
}

void RunForcesOfAll(const Box& p) {
  ForcesOfAll<<<p.n / 128, 128>>>(p.molecules->data(), p.forces->data(), p.n);
}

void RunForcesOfLists(const Box& p) {
  ForcesOfLists<<<p.n / 128, 128>>>(p.molecules->data(), p.counts->data(), p.neighbours->data(),
                                    p.forces->data(), p.n);
}

}  // namespace

std::vector<Problem> Sparse() {
  return {
      Of<Matrix>("Multiply", {1 << 10, 1 << 14, 1 << 17},
                 {{"scalar", RunScalar}, {"vector", RunVector}, {"ell", RunEll}, {"coo", RunCoo}}),
      Of<Box>("Forces", {256, 1024, 2048}, {{"all", RunForcesOfAll}, {"lists", RunForcesOfLists}}),
  };
}

}  // namespace predict::coursework
