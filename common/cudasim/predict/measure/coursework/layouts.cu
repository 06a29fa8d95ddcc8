// The same values in other places of memory, or read in another order.

#include <cuda_runtime.h>

#include "common/cudasim/predict/measure/coursework/coursework.h"

namespace predict::coursework {
namespace {

// A step of particles that fall and bounce: an array of structs, arrays of their members, or two
// arrays of vectors.
struct Particle {
  float x, y, z, mass;
  float vx, vy, vz, drag;
};

constexpr float kStep = 0.01f;

__device__ void Move(float& place, float& speed, float drag, float force) {
  speed += kStep * (force - drag * speed);
  place += kStep * speed;
  if (place < 0) {
    place = -place;
    speed = -speed;
  }
}

__global__ void MoveStructs(Particle* particles, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Particle& p = particles[i];
  Move(p.x, p.vx, p.drag, 0);
  Move(p.y, p.vy, p.drag, 0);
  Move(p.z, p.vz, p.drag, -9.8f * p.mass);
}

__global__ void MoveArrays(float* members, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float mass = members[3 * n + i];
  const float drag = members[7 * n + i];
  Move(members[i], members[4 * n + i], drag, 0);
  Move(members[n + i], members[5 * n + i], drag, 0);
  Move(members[2 * n + i], members[6 * n + i], drag, -9.8f * mass);
}

__global__ void MoveVectors(float4* places, float4* speeds, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 place = places[i];
  float4 speed = speeds[i];
  Move(place.x, speed.x, speed.w, 0);
  Move(place.y, speed.y, speed.w, 0);
  Move(place.z, speed.z, speed.w, -9.8f * place.w);
  places[i] = place;
  speeds[i] = speed;
}

// Member m of particle i is at i * 8 + m, at m * n + i, or, with four members together, at
// (m / 4 * n + i) * 4 + m % 4.
enum class Layout { kStructs, kArrays, kVectors };

struct Particles {
  explicit Particles(unsigned n) : n(n), members(Room<float>(n * 8)), at_start(n * 8) {
    for (unsigned i = 0; i < n * 8; ++i) at_start[i] = static_cast<float>(Mixed(i) % 1024) / 1024;
  }
  unsigned PlaceOf(unsigned i, unsigned m) const {
    if (layout == Layout::kStructs) return i * 8 + m;
    return layout == Layout::kArrays ? m * n + i : (m / 4 * n + i) * 4 + m % 4;
  }
  // The first call copies the members to where the layout has them, later ones go on.
  float* In(Layout wanted) const;
  std::vector<double> Results() const;
  unsigned n;
  FloatArray members;
  std::vector<float> at_start;
  mutable Layout layout = Layout::kStructs;
  mutable bool is_begun = false;
};

float* Particles::In(Layout wanted) const {
  if (is_begun) return members->data();
  is_begun = true;
  layout = wanted;
  std::vector<float> placed(n * 8);
  for (unsigned i = 0; i < n * 8; ++i) placed[PlaceOf(i / 8, i % 8)] = at_start[i];
  CUDA_CHECK(cudaMemcpy(members->data(), placed.data(), members->bytes(), cudaMemcpyHostToDevice));
  return members->data();
}

std::vector<double> Particles::Results() const {
  const std::vector<float> made = members->OnHost();
  std::vector<double> results;
  for (unsigned i = 0; i < n * 8; ++i) results.push_back(made[PlaceOf(i / 8, i % 8)]);
  return results;
}

void RunMoveStructs(const Particles& p) {
  auto* const particles = reinterpret_cast<Particle*>(p.In(Layout::kStructs));
  MoveStructs<<<Blocks(p.n), 256>>>(particles, p.n);
}

void RunMoveArrays(const Particles& p) {
  MoveArrays<<<Blocks(p.n), 256>>>(p.In(Layout::kArrays), p.n);
}

void RunMoveVectors(const Particles& p) {
  auto* const places = reinterpret_cast<float4*>(p.In(Layout::kVectors));
  MoveVectors<<<Blocks(p.n), 256>>>(places, places + p.n, p.n);
}

// Bytes are mapped by a table of 256 floats in global, shared or constant memory.
__constant__ float table_of_bytes[256];

__global__ void MapGlobal(const unsigned char* in, const float* table, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[in[i]];
}

__global__ void MapShared(const unsigned char* in, const float* table, float* out, unsigned n) {
  __shared__ float mine[256];
  mine[threadIdx.x] = table[threadIdx.x];
  __syncthreads();
  for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
    out[i] = mine[in[i]];
  }
}

__global__ void MapConstant(const unsigned char* in, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table_of_bytes[in[i]];
}

struct Bytes {
  explicit Bytes(unsigned n)
      : n(n),
        in(Filled<unsigned char>(
            n, [](unsigned i) { return static_cast<unsigned char>(Mixed(i) % 256); })),
        table(Fractions(256)),
        out(Room<float>(n)) {
    CUDA_CHECK(cudaMemcpyToSymbol(table_of_bytes, table->data(), table->bytes(), 0,
                                  cudaMemcpyDeviceToDevice));
  }
  std::vector<double> Results() const { return OnHost(out); }
  unsigned n;
  std::shared_ptr<lab::DeviceArray<unsigned char>> in;
  FloatArray table, out;
};

void RunMapGlobal(const Bytes& p) {
  MapGlobal<<<Blocks(p.n), 256>>>(p.in->data(), p.table->data(), p.out->data(), p.n);
}

void RunMapShared(const Bytes& p) {
  MapShared<<<std::min(Blocks(p.n), 528u), 256>>>(p.in->data(), p.table->data(), p.out->data(),
                                                  p.n);
}

void RunMapConstant(const Bytes& p) {
  MapConstant<<<Blocks(p.n), 256>>>(p.in->data(), p.out->data(), p.n);
}

// An image of n x n pixels is made 1.7 times as large by bilinear interpolation; neighbouring
// threads make pixels side by side or one below another.
constexpr unsigned Enlarged(unsigned n) { return n * 17 / 10 / 32 * 32; }

__device__ float Between(float a, float b, float share) { return a + share * (b - a); }

__device__ void Enlarge(const float* in, float* out, unsigned n, unsigned x, unsigned y) {
  const unsigned size = n * 17 / 10 / 32 * 32;
  const float scale = static_cast<float>(n - 1) / static_cast<float>(size);
  const float from_x = static_cast<float>(x) * scale;
  const float from_y = static_cast<float>(y) * scale;
  const auto left = static_cast<unsigned>(from_x);
  const auto top = static_cast<unsigned>(from_y);
  const float* const at = in + top * n + left;
  const float share = from_x - static_cast<float>(left);
  out[y * size + x] = Between(Between(at[0], at[1], share), Between(at[n], at[n + 1], share),
                              from_y - static_cast<float>(top));
}

__global__ void EnlargeRows(const float* in, float* out, unsigned n) {
  Enlarge(in, out, n, blockIdx.x * 32 + threadIdx.x, blockIdx.y * 8 + threadIdx.y);
}

__global__ void EnlargeColumns(const float* in, float* out, unsigned n) {
  Enlarge(in, out, n, blockIdx.y * 8 + threadIdx.y, blockIdx.x * 32 + threadIdx.x);
}

struct Image {
  explicit Image(unsigned n)
      : n(n), in(Fractions(n * n)), out(Room<float>(Enlarged(n) * Enlarged(n))) {}
  std::vector<double> Results() const { return OnHost(out); }
  unsigned n;
  FloatArray in, out;
};

template <void (*kKernel)(const float*, float*, unsigned)>
void RunEnlarge(const Image& p) {
  const unsigned size = Enlarged(p.n);
  kKernel<<<dim3(size / 32, size / 8), dim3(32, 8)>>>(p.in->data(), p.out->data(), p.n);
}

}  // namespace

std::vector<Problem> Layouts() {
  return {
      Of<Particles>(
          "Particles", {1 << 12, 1 << 17, 1 << 21},
          {{"structs", RunMoveStructs}, {"arrays", RunMoveArrays}, {"vectors", RunMoveVectors}}),
      Of<Bytes>("Map", {1 << 13, 1 << 18, 1 << 22},
                {{"global", RunMapGlobal}, {"shared", RunMapShared}, {"constant", RunMapConstant}}),
      Of<Image>("Enlarge", {64, 256, 1024},
                {{"rows", RunEnlarge<EnlargeRows>}, {"columns", RunEnlarge<EnlargeColumns>}}),
  };
}

}  // namespace predict::coursework
