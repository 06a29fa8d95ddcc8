// A step of a lattice Boltzmann method with nine velocities in a periodic square.

#include <cuda_runtime.h>

#include "common/cudasim/predict/measure/exercises/exercises.h"

namespace predict::exercises {
namespace {

constexpr unsigned kWays = 9;
constexpr float kRate = 1.2f;  // of relaxation

__constant__ int ways_x[kWays] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int ways_y[kWays] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ float ways_weight[kWays] = {4.0f / 9,  1.0f / 9,  1.0f / 9,  1.0f / 9, 1.0f / 9,
                                         1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};

__device__ void Collide(float (&f)[kWays]) {
  float density = 0;
  float speed_x = 0;
  float speed_y = 0;
#pragma unroll
  for (unsigned way = 0; way < kWays; ++way) {
    density += f[way];
    speed_x += f[way] * static_cast<float>(ways_x[way]);
    speed_y += f[way] * static_cast<float>(ways_y[way]);
  }
  speed_x /= density;
  speed_y /= density;
  const float square = 1.5f * (speed_x * speed_x + speed_y * speed_y);
#pragma unroll
  for (unsigned way = 0; way < kWays; ++way) {
    const float along =
        3 * (static_cast<float>(ways_x[way]) * speed_x + static_cast<float>(ways_y[way]) * speed_y);
    const float balance = ways_weight[way] * density * (1 + along + 0.5f * along * along - square);
    f[way] += kRate * (balance - f[way]);
  }
}

// The cell from which what goes this way comes; n is a power of two.
__device__ unsigned Upstream(unsigned x, unsigned y, unsigned way, unsigned n) {
  const unsigned from_x = (x - static_cast<unsigned>(ways_x[way])) & (n - 1);
  const unsigned from_y = (y - static_cast<unsigned>(ways_y[way])) & (n - 1);
  return from_y * n + from_x;
}

// The nine numbers of a cell together, or nine planes.
__global__ void FlowOfStructs(const float* in, float* out, unsigned n) {
  const unsigned x = blockIdx.x * 64 + threadIdx.x;
  const unsigned y = blockIdx.y * 2 + threadIdx.y;
  float f[kWays];
#pragma unroll
  for (unsigned way = 0; way < kWays; ++way) f[way] = in[Upstream(x, y, way, n) * kWays + way];
  Collide(f);
#pragma unroll
  for (unsigned way = 0; way < kWays; ++way) out[(y * n + x) * kWays + way] = f[way];
}

__global__ void FlowOfPlanes(const float* in, float* out, unsigned n) {
  const unsigned x = blockIdx.x * 64 + threadIdx.x;
  const unsigned y = blockIdx.y * 2 + threadIdx.y;
  float f[kWays];
#pragma unroll
  for (unsigned way = 0; way < kWays; ++way) f[way] = in[way * n * n + Upstream(x, y, way, n)];
  Collide(f);
#pragma unroll
  for (unsigned way = 0; way < kWays; ++way) out[way * n * n + y * n + x] = f[way];
}

struct Fluid {
  explicit Fluid(unsigned n);
  std::vector<double> Results() const;
  unsigned n;
  FloatArray structs, planes, made;
  mutable bool is_of_planes = false;
};

Fluid::Fluid(unsigned n) : n(n), made(Room<float>(n * n * kWays)) {
  const unsigned cells = n * n;
  const auto element = [](unsigned cell, unsigned way) {
    return 0.1f + static_cast<float>(Mixed(cell * kWays + way) % 64) / 1024;
  };
  structs = Filled<float>(cells * kWays, [=](unsigned i) { return element(i / kWays, i % kWays); });
  planes = Filled<float>(cells * kWays, [=](unsigned i) { return element(i % cells, i / cells); });
}

std::vector<double> Fluid::Results() const {
  const std::vector<float> values = made->OnHost();
  std::vector<double> results;
  for (unsigned i = 0; i < values.size(); ++i) {
    results.push_back(values[is_of_planes ? i % kWays * n * n + i / kWays : i]);
  }
  return results;
}

template <void (*kKernel)(const float*, float*, unsigned)>
void RunFlow(const Fluid& p) {
  p.is_of_planes = kKernel == FlowOfPlanes;
  const float* const in = (p.is_of_planes ? p.planes : p.structs)->data();
  kKernel<<<dim3(p.n / 64, p.n / 2), dim3(64, 2)>>>(in, p.made->data(), p.n);
}

}  // namespace

std::vector<Problem> Fluids() {
  return {Of<Fluid>("Flow", {64, 256, 1024},
                    {{"structs", RunFlow<FlowOfStructs>}, {"planes", RunFlow<FlowOfPlanes>}})};
}

}  // namespace predict::exercises
