// N bodies, fractals, random numbers, options, cells.

#include <cuda_runtime.h>

#include "common/cudasim/predict/measure/blind/blind.h"

namespace blind {
namespace {

__device__ void Attract(float x, float y, float z, float mass, float px, float py, float pz,
                        float* force) {
  const float dx = x - px;
  const float dy = y - py;
  const float dz = z - pz;
  const float near = dx * dx + dy * dy + dz * dz + 0.01f;
  const float inverse = rsqrtf(near);
  const float scale = mass * inverse * inverse * inverse;
  force[0] += dx * scale;
  force[1] += dy * scale;
  force[2] += dz * scale;
}

// Bodies are x, y, z and mass.
__global__ void BodiesGlobal(const float4* bodies, float* c, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 me = bodies[i];
  float force[3] = {};
  for (unsigned j = 0; j < n; ++j) {
    const float4 other = bodies[j];
    Attract(other.x, other.y, other.z, other.w, me.x, me.y, me.z, force);
  }
  for (int d = 0; d < 3; ++d) c[3 * i + d] = force[d];
}

__global__ void BodiesTiled(const float4* bodies, float* c, unsigned n) {
  __shared__ float4 tile[128];
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  const float4 me = bodies[i];
  float force[3] = {};
  for (unsigned first = 0; first < n; first += 128) {
    tile[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 128; ++j) {
      const float4 other = tile[j];
      Attract(other.x, other.y, other.z, other.w, me.x, me.y, me.z, force);
    }
    __syncthreads();
  }
  for (int d = 0; d < 3; ++d) c[3 * i + d] = force[d];
}

__device__ unsigned Escape(float x, float y) {
  float re = 0;
  float im = 0;
  unsigned step = 0;
  while (step < 64 && re * re + im * im < 4) {
    const float next = re * re - im * im + x;
    im = 2 * re * im + y;
    re = next;
    ++step;
  }
  return step;
}

__global__ void FractalPixels(unsigned* r, unsigned n) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  const float scale = 3.0f / static_cast<float>(n);
  r[y * n + x] = Escape(static_cast<float>(x) * scale - 2.2f, static_cast<float>(y) * scale - 1.5f);
}

__global__ void FractalRows(unsigned* r, unsigned n) {
  const unsigned y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= n) return;
  const float scale = 3.0f / static_cast<float>(n);
  for (unsigned x = 0; x < n; ++x) {
    r[y * n + x] =
        Escape(static_cast<float>(x) * scale - 2.2f, static_cast<float>(y) * scale - 1.5f);
  }
}

__device__ unsigned HitsOf(unsigned seed, int points) {
  unsigned random = seed * 747796405u + 1;
  unsigned hits = 0;
  for (int i = 0; i < points; ++i) {
    random = random * 1664525u + 1013904223u;
    const float x = static_cast<float>(random >> 8) / 16777216.0f;
    random = random * 1664525u + 1013904223u;
    const float y = static_cast<float>(random >> 8) / 16777216.0f;
    hits += x * x + y * y < 1 ? 1 : 0;
  }
  return hits;
}

__global__ void PiByAtomics(unsigned* r) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(r, HitsOf(i, 64));
}

__global__ void PiByBlocks(unsigned* r) {
  __shared__ unsigned hits[256];
  const unsigned i = blockIdx.x * 256 + threadIdx.x;
  hits[threadIdx.x] = HitsOf(i, 64);
  for (unsigned half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) hits[threadIdx.x] += hits[threadIdx.x + half];
  }
  if (threadIdx.x == 0) atomicAdd(r, hits[0]);
}

__device__ float NormalShare(float d) {
  const float k = 1 / (1 + 0.2316419f * fabsf(d));
  const float tail = 0.39894228f * expf(-0.5f * d * d) *
                     (k * (0.31938153f + k * (-0.35656378f + k * (1.7814779f + k * -1.8212559f))));
  return d > 0 ? 1 - tail : tail;
}

__device__ float PriceOf(float price, float strike, float years) {
  const float root = sqrtf(years);
  const float d = (logf(price / strike) + 0.06f * years) / (0.3f * root);
  return price * NormalShare(d) - strike * expf(-0.02f * years) * NormalShare(d - 0.3f * root);
}

__global__ void OptionsOfArrays(const float* price, const float* strike, float* c, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = PriceOf(price[i] + 1, strike[i] + 1, price[i + n] + 1);
}

// Options are structs of price, strike and years.
__global__ void OptionsOfStructs(const float* options, float* c, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = PriceOf(options[3 * i] + 1, options[3 * i + 1] + 1, options[3 * i + 2] + 1);
}

// The game of life on a torus, a byte for each cell.
__global__ void LifeOfCells(const unsigned char* cells, unsigned char* next, unsigned n) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned alive = 0;
  for (unsigned j = 0; j < 3; ++j) {
    for (unsigned i = 0; i < 3; ++i) {
      if (i != 1 || j != 1) alive += cells[(y + n + j - 1) % n * n + (x + n + i - 1) % n] & 1;
    }
  }
  next[y * n + x] = alive == 3 || (alive == 2 && (cells[y * n + x] & 1) != 0) ? 1 : 0;
}

// 32 cells in a word; each thread makes a word.
__global__ void LifeOfWords(const unsigned* cells, unsigned* next, unsigned words, unsigned n) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned ones = 0;
  unsigned twos = 0;
  unsigned fours = 0;
  unsigned mine = 0;
  for (unsigned j = 0; j < 3; ++j) {
    const unsigned row = (y + n + j - 1) % n * words;
    const unsigned left = cells[row + (x + words - 1) % words];
    const unsigned here = cells[row + x];
    const unsigned right = cells[row + (x + 1) % words];
    if (j == 1) mine = here;
    const unsigned neighbours[3] = {here << 1 | left >> 31, j == 1 ? 0 : here,
                                    here >> 1 | right << 31};
    for (const unsigned one : neighbours) {
      const unsigned carry = ones & one;
      ones ^= one;
      fours |= twos & carry;
      twos ^= carry;
    }
  }
  next[y * words + x] = twos & ~fours & (ones | mine);
}

__global__ void Cube27(const float* a, float* c, unsigned n) {
  const unsigned x = blockIdx.x * 32 + threadIdx.x;
  const unsigned y = blockIdx.y * 8 + threadIdx.y;
  const unsigned z = blockIdx.z;
  if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= n - 1) return;
  float sum = 0;
  for (unsigned k = z - 1; k <= z + 1; ++k) {
    for (unsigned j = y - 1; j <= y + 1; ++j) {
      for (unsigned i = x - 1; i <= x + 1; ++i) sum += a[(k * n + j) * n + i];
    }
  }
  c[(z * n + y) * n + x] = sum / 27;
}

// Each thread goes through all layers and keeps the sums of three.
__global__ void Cube27InColumns(const float* a, float* c, unsigned n) {
  const unsigned x = blockIdx.x * 32 + threadIdx.x;
  const unsigned y = blockIdx.y * 8 + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  float below = 0;
  float here = 0;
  for (unsigned z = 0; z < n; ++z) {
    float above = 0;
    for (unsigned j = y - 1; j <= y + 1; ++j) {
      for (unsigned i = x - 1; i <= x + 1; ++i) above += a[(z * n + j) * n + i];
    }
    if (z > 1) c[((z - 1) * n + y) * n + x] = (below + here + above) / 27;
    below = here;
    here = above;
  }
}

// 32 generations of a one-dimensional automaton of 224 cells and 16 at each side.
__global__ void AutomatonTiled(const unsigned* k, unsigned* r, unsigned n) {
  __shared__ unsigned cells[2][256];
  const unsigned i = blockIdx.x * 192 + threadIdx.x;
  cells[0][threadIdx.x] = i < n ? k[i] & 1 : 0;
  __syncthreads();
  for (int step = 0; step < 32; ++step) {
    const unsigned* const now = cells[step % 2];
    const unsigned left = threadIdx.x > 0 ? now[threadIdx.x - 1] : 0;
    const unsigned right = threadIdx.x < 255 ? now[threadIdx.x + 1] : 0;
    cells[(step + 1) % 2][threadIdx.x] = left ^ (now[threadIdx.x] | right);
    __syncthreads();
  }
  if (threadIdx.x >= 32 && threadIdx.x < 224 && i < n) r[i] = cells[0][threadIdx.x];
}

__global__ void AutomatonStep(const unsigned* k, unsigned* r, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned left = i > 0 ? k[i - 1] : 0;
  const unsigned right = i + 1 < n ? k[i + 1] : 0;
  r[i] = (left ^ (k[i] | right)) & 1;
}

}  // namespace

std::vector<Workload> Simulations() {
  using A = const Arrays&;
  std::vector<Workload> all;
  Append(all, OfArrays("Bodies", {512, 2048, 4096}, 4,
                       {{"global",
                         [](A p) {
                           const auto* const bodies = reinterpret_cast<const float4*>(p.a);
                           BodiesGlobal<<<p.n / 128, 128>>>(bodies, p.c, p.n);
                         }},
                        {"tiled", [](A p) {
                           const auto* const bodies = reinterpret_cast<const float4*>(p.a);
                           BodiesTiled<<<p.n / 128, 128>>>(bodies, p.c, p.n);
                         }}}));
  Append(
      all,
      OfSquares("Fractal", {128, 512},
                {{"pixels",
                  [](A p) { FractalPixels<<<dim3(p.n / 16, p.n / 16), dim3(16, 16)>>>(p.r, p.n); }},
                 {"rows", [](A p) { FractalRows<<<p.n / 64, 64>>>(p.r, p.n); }}}));
  Append(all, OfArrays("Pi", {1 << 12, 1 << 16, 1 << 18}, 1,
                       {{"atomics", [](A p) { PiByAtomics<<<p.n / 256, 256>>>(p.r); }},
                        {"blocks", [](A p) { PiByBlocks<<<p.n / 256, 256>>>(p.r); }}}));
  Append(all,
         OfArrays("Options", {1 << 14, 1 << 17, 1 << 20}, 3,
                  {{"arrays", [](A p) { OptionsOfArrays<<<p.n / 256, 256>>>(p.a, p.b, p.c, p.n); }},
                   {"structs", [](A p) { OptionsOfStructs<<<p.n / 256, 256>>>(p.a, p.c, p.n); }}}));
  Append(all, OfSquares("Life", {256, 1024},
                        {{"cells",
                          [](A p) {
                            const auto* const cells = reinterpret_cast<const unsigned char*>(p.k);
                            LifeOfCells<<<dim3(p.n / 32, p.n / 8), dim3(32, 8)>>>(
                                cells, reinterpret_cast<unsigned char*>(p.r), p.n);
                          }},
                         {"words", [](A p) {
                            LifeOfWords<<<dim3(p.n / 32 / 8, p.n / 16), dim3(8, 16)>>>(
                                p.k, p.r, p.n / 32, p.n);
                          }}}));
  const auto cube = [](unsigned n) { return std::make_shared<Arrays>(n, n * n * n); };
  Append(all,
         Versions<Arrays>(
             "Cube", {32, 64, 128}, cube,
             {{"cells",
               [](A p) { Cube27<<<dim3(p.n / 32, p.n / 8, p.n), dim3(32, 8)>>>(p.a, p.c, p.n); }},
              {"columns", [](A p) {
                 Cube27InColumns<<<dim3(p.n / 32, p.n / 8), dim3(32, 8)>>>(p.a, p.c, p.n);
               }}}));
  Append(all,
         OfArrays("Automaton", {1 << 14, 1 << 18}, 1,
                  {{"tiled", [](A p) { AutomatonTiled<<<Blocks(p.n, 192), 256>>>(p.k, p.r, p.n); }},
                   {"steps", [](A p) {
                      for (int step = 0; step < 16; ++step) {
                        AutomatonStep<<<p.n / 256, 256>>>(p.k, p.r, p.n);
                        AutomatonStep<<<p.n / 256, 256>>>(p.r, p.k, p.n);
                      }
                    }}}));
  return all;
}

}  // namespace blind
