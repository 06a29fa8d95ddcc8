// Particles in boxes, as lavaMD of the Rodinia benchmarks.

#include <cuda_runtime.h>

#include "common/cudasim/predict/measure/exercises/exercises.h"

namespace predict::exercises {
namespace {

// n * n * n boxes of 64 particles; a particle feels those of its box and of the 26 around. A block
// has a box and reads its neighbours' particles one by one, or copies a box to shared memory, in
// doubles or in floats.
constexpr unsigned kEach = 64;

template <typename T>
struct Particle {
  T x, y, z, charge;
};

template <typename T>
struct Sum {
  T energy, force;
};

template <typename T>
__device__ void Feel(const Particle<T>& a, const Particle<T>& b, Sum<T>& sum) {
  const T x = a.x - b.x;
  const T y = a.y - b.y;
  const T z = a.z - b.z;
  const T potential = exp(static_cast<T>(-0.5) * (x * x + y * y + z * z));
  sum.energy += b.charge * potential;
  sum.force += b.charge * potential * (x + y + z);
}

// Calls visit(box) for the block's box and those around it.
template <typename Visit>
__device__ void VisitBoxes(unsigned n, const Visit& visit) {
  const int end = static_cast<int>(n);
  const int box_x = static_cast<int>(blockIdx.x);
  const int box_y = static_cast<int>(blockIdx.y);
  const int box_z = static_cast<int>(blockIdx.z);
  for (int z = max(box_z - 1, 0); z < min(box_z + 2, end); ++z) {
    for (int y = max(box_y - 1, 0); y < min(box_y + 2, end); ++y) {
      for (int x = max(box_x - 1, 0); x < min(box_x + 2, end); ++x) {
        visit(static_cast<unsigned>((z * end + y) * end + x));
      }
    }
  }
}

__global__ void BoxesGlobal(const Particle<double>* particles, double2* out, unsigned n) {
  const unsigned box = (blockIdx.z * n + blockIdx.y) * n + blockIdx.x;
  const Particle<double> mine = particles[box * kEach + threadIdx.x];
  Sum<double> sum = {};
  VisitBoxes(n, [&](unsigned other) {
    for (unsigned k = 0; k < kEach; ++k) Feel(mine, particles[other * kEach + k], sum);
  });
  out[box * kEach + threadIdx.x] = {sum.energy, sum.force};
}

template <typename T>
__device__ Sum<T> SumOfTiles(const Particle<T>* particles, Particle<T>* tile, unsigned box,
                             unsigned n) {
  const Particle<T> mine = particles[box * kEach + threadIdx.x];
  Sum<T> sum = {};
  VisitBoxes(n, [&](unsigned other) {
    __syncthreads();
    tile[threadIdx.x] = particles[other * kEach + threadIdx.x];
    __syncthreads();
    for (unsigned k = 0; k < kEach; ++k) Feel(mine, tile[k], sum);
  });
  return sum;
}

__global__ void BoxesShared(const Particle<double>* particles, double2* out, unsigned n) {
  __shared__ Particle<double> tile[kEach];
  const unsigned box = (blockIdx.z * n + blockIdx.y) * n + blockIdx.x;
  const Sum<double> sum = SumOfTiles(particles, tile, box, n);
  out[box * kEach + threadIdx.x] = {sum.energy, sum.force};
}

__global__ void BoxesOfFloats(const Particle<float>* particles, double2* out, unsigned n) {
  __shared__ Particle<float> tile[kEach];
  const unsigned box = (blockIdx.z * n + blockIdx.y) * n + blockIdx.x;
  const Sum<float> sum = SumOfTiles(particles, tile, box, n);
  out[box * kEach + threadIdx.x] = {sum.energy, sum.force};
}

template <typename T>
Particle<T> ParticleAt(unsigned i, unsigned n) {
  const unsigned box = i / kEach;
  const auto within = [=](unsigned k) { return Mixed(4 * i + k) % 1024 / static_cast<T>(1024); };
  return {static_cast<T>(box % n) + within(0), static_cast<T>(box / n % n) + within(1),
          static_cast<T>(box / n / n) + within(2), within(3)};
}

struct Boxes {
  explicit Boxes(unsigned n)
      : n(n),
        doubles(Filled<Particle<double>>(n * n * n * kEach,
                                         [=](unsigned i) { return ParticleAt<double>(i, n); })),
        floats(Filled<Particle<float>>(n * n * n * kEach,
                                       [=](unsigned i) { return ParticleAt<float>(i, n); })),
        out(std::make_shared<lab::DeviceArray<double2>>(n * n * n * kEach)) {}
  std::vector<double> Results() const {
    std::vector<double> results;
    for (const double2& sum : out->OnHost()) {
      results.push_back(sum.x);
      results.push_back(sum.y);
    }
    return results;
  }
  unsigned n;
  std::shared_ptr<lab::DeviceArray<Particle<double>>> doubles;
  std::shared_ptr<lab::DeviceArray<Particle<float>>> floats;
  std::shared_ptr<lab::DeviceArray<double2>> out;
};

void RunBoxesGlobal(const Boxes& p) {
  BoxesGlobal<<<dim3(p.n, p.n, p.n), kEach>>>(p.doubles->data(), p.out->data(), p.n);
}

void RunBoxesShared(const Boxes& p) {
  BoxesShared<<<dim3(p.n, p.n, p.n), kEach>>>(p.doubles->data(), p.out->data(), p.n);
}

void RunBoxesOfFloats(const Boxes& p) {
  BoxesOfFloats<<<dim3(p.n, p.n, p.n), kEach>>>(p.floats->data(), p.out->data(), p.n);
}

}  // namespace

std::vector<Problem> Particles() {
  return {Of<Boxes>(
      "Boxes", {2, 4, 7},
      {{"global", RunBoxesGlobal}, {"shared", RunBoxesShared}, {"floats", RunBoxesOfFloats}})};
}

}  // namespace predict::exercises
