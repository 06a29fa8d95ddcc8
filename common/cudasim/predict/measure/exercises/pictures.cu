// Pictures as they are compressed.

#include <cuda_runtime.h>

#include <cmath>

#include "common/cudasim/predict/measure/exercises/exercises.h"

namespace predict::exercises {
namespace {

using ByteArray = std::shared_ptr<lab::DeviceArray<unsigned char>>;

// Red, green and blue bytes of n pixels to planes of luma and two differences: a thread reads the
// three bytes of its pixel, or the three words of four pixels.
struct Yuv {
  unsigned y, u, v;
};

__device__ Yuv Converted(int red, int green, int blue) {
  return {static_cast<unsigned>((66 * red + 129 * green + 25 * blue + 128) / 256 + 16),
          static_cast<unsigned>((-38 * red - 74 * green + 112 * blue + 128 * 257) / 256),
          static_cast<unsigned>((112 * red - 94 * green - 18 * blue + 128 * 257) / 256)};
}

__global__ void PlanesOfBytes(const unsigned char* pixels, unsigned char* planes, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Yuv made = Converted(pixels[3 * i], pixels[3 * i + 1], pixels[3 * i + 2]);
  planes[i] = static_cast<unsigned char>(made.y);
  planes[n + i] = static_cast<unsigned char>(made.u);
  planes[2 * n + i] = static_cast<unsigned char>(made.v);
}

__device__ int ByteOf(const unsigned (&words)[3], unsigned i) {
  return static_cast<int>(words[i / 4] >> (i % 4 * 8) & 255);
}

__global__ void PlanesOfWords(const unsigned* pixels, unsigned* planes, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 4) return;
  const unsigned words[3] = {pixels[3 * i], pixels[3 * i + 1], pixels[3 * i + 2]};
  Yuv four = {0, 0, 0};
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {
    const Yuv one =
        Converted(ByteOf(words, 3 * k), ByteOf(words, 3 * k + 1), ByteOf(words, 3 * k + 2));
    four = {four.y | one.y << 8 * k, four.u | one.u << 8 * k, four.v | one.v << 8 * k};
  }
  planes[i] = four.y;
  planes[n / 4 + i] = four.u;
  planes[n / 2 + i] = four.v;
}

struct Colours {
  explicit Colours(unsigned n)
      : n(n),
        pixels(Filled<unsigned char>(
            3 * n, [](unsigned i) { return static_cast<unsigned char>(Mixed(i)); })),
        planes(Room<unsigned char>(3 * n)) {}
  std::vector<double> Results() const { return OnHost(planes); }
  unsigned n;
  ByteArray pixels, planes;
};

void RunPlanesOfBytes(const Colours& p) {
  PlanesOfBytes<<<Blocks(p.n), 256>>>(p.pixels->data(), p.planes->data(), p.n);
}

void RunPlanesOfWords(const Colours& p) {
  PlanesOfWords<<<Blocks(p.n / 4, 128), 128>>>(reinterpret_cast<const unsigned*>(p.pixels->data()),
                                               reinterpret_cast<unsigned*>(p.planes->data()), p.n);
}

// The cosine transforms of all squares of 8 * 8 pixels of n * n: a thread adds up a coefficient's
// 64 products, or 8 of rows and then 8 of columns, or does a whole row and then a whole column.
__constant__ float cosines[8][8];  // [frequency][place]

__global__ void CosineDirect(const float* in, float* out, unsigned n) {
  const unsigned left = blockIdx.x * 8;
  const unsigned top = blockIdx.y * 8;
  float sum = 0;
  for (unsigned y = 0; y < 8; ++y) {
    for (unsigned x = 0; x < 8; ++x) {
      sum += in[(top + y) * n + left + x] * cosines[threadIdx.x][x] * cosines[threadIdx.y][y];
    }
  }
  out[(top + threadIdx.y) * n + left + threadIdx.x] = sum;
}

// A block has four squares side by side.
__global__ void CosineSeparable(const float* in, float* out, unsigned n) {
  __shared__ float pixels[8][32];
  __shared__ float rows[8][32];
  __shared__ float table[8][9];
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const unsigned i = (blockIdx.y * 8 + y) * n + blockIdx.x * 32 + x;
  pixels[y][x] = in[i];
  if (x < 8) table[y][x] = cosines[y][x];
  __syncthreads();
  float sum = 0;
  for (unsigned k = 0; k < 8; ++k) sum += pixels[y][x / 8 * 8 + k] * table[x % 8][k];
  rows[y][x] = sum;
  __syncthreads();
  sum = 0;
  for (unsigned k = 0; k < 8; ++k) sum += rows[k][x] * table[y][k];
  out[i] = sum;
}

__device__ void Transform(float (&line)[8]) {
  float made[8];
#pragma unroll
  for (unsigned f = 0; f < 8; ++f) {
    made[f] = 0;
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) made[f] += line[k] * cosines[f][k];
  }
#pragma unroll
  for (unsigned k = 0; k < 8; ++k) line[k] = made[k];
}

// A block of 64 threads has eight squares side by side.
__global__ void CosineLines(const float* in, float* out, unsigned n) {
  __shared__ float tile[8][65];
  const unsigned t = threadIdx.x;
  const unsigned first = blockIdx.y * 8 * n + blockIdx.x * 64;
  float line[8];
  for (unsigned y = 0; y < 8; ++y) tile[y][t] = in[first + y * n + t];
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < 8; ++k) line[k] = tile[t % 8][t / 8 * 8 + k];
  Transform(line);
#pragma unroll
  for (unsigned k = 0; k < 8; ++k) tile[t % 8][t / 8 * 8 + k] = line[k];
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < 8; ++k) line[k] = tile[k][t];
  Transform(line);
  for (unsigned y = 0; y < 8; ++y) out[first + y * n + t] = line[y];
}

struct Photo {
  explicit Photo(unsigned n)
      : n(n),
        pixels(Filled<float>(n * n,
                             [](unsigned i) { return static_cast<float>(Mixed(i) % 256) - 128; })),
        out(Room<float>(n * n)) {
    constexpr double kPi = 3.14159265358979;
    float table[8][8];
    for (int f = 0; f < 8; ++f) {
      for (int x = 0; x < 8; ++x) {
        const double scale = f == 0 ? std::sqrt(0.125) : 0.5;
        table[f][x] = static_cast<float>(scale * std::cos((2 * x + 1) * f * kPi / 16));
      }
    }
    CUDA_CHECK(cudaMemcpyToSymbol(cosines, table, sizeof(table)));
  }
  std::vector<double> Results() const { return OnHost(out); }
  unsigned n;
  FloatArray pixels, out;
};

void RunCosineDirect(const Photo& p) {
  CosineDirect<<<dim3(p.n / 8, p.n / 8), dim3(8, 8)>>>(p.pixels->data(), p.out->data(), p.n);
}

void RunCosineSeparable(const Photo& p) {
  CosineSeparable<<<dim3(p.n / 32, p.n / 8), dim3(32, 8)>>>(p.pixels->data(), p.out->data(), p.n);
}

void RunCosineLines(const Photo& p) {
  CosineLines<<<dim3(p.n / 64, p.n / 8), 64>>>(p.pixels->data(), p.out->data(), p.n);
}

}  // namespace

std::vector<Problem> Pictures() {
  return {
      Of<Colours>("Planes", {1 << 12, 1 << 17, 1 << 23},
                  {{"bytes", RunPlanesOfBytes}, {"words", RunPlanesOfWords}}),
      Of<Photo>("Cosine", {64, 256, 1024},
                {{"direct", RunCosineDirect},
                 {"separable", RunCosineSeparable},
                 {"lines", RunCosineLines}}),
  };
}

}  // namespace predict::exercises
