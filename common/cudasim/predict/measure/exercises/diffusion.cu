// Diffusion that stops at edges, as srad of the Rodinia benchmarks. Source: Yu, Acton, IEEE
// Transactions on Image Processing 11, 2002.

#include <cuda_runtime.h>

#include "common/cudasim/predict/measure/exercises/exercises.h"

namespace predict::exercises {
namespace {

constexpr float kSpeckle = 0.05f;
constexpr float kStep = 0.125f;

// How well a pixel conducts, of its value and the differences to its neighbours.
__device__ float Conductance(float value, float north, float south, float west, float east) {
  const float gradient =
      (north * north + south * south + west * west + east * east) / (value * value);
  const float laplacian = (north + south + west + east) / value;
  const float scale = 1 + 0.25f * laplacian;
  const float variation =
      (0.5f * gradient - 0.0625f * laplacian * laplacian) / (scale * scale) - kSpeckle;
  const float conductance = 1 / (1 + variation / (kSpeckle * (1 + kSpeckle)));
  return fminf(fmaxf(conductance, 0.0f), 1.0f);
}

struct Differences {
  float *north, *south, *west, *east;
};

__global__ void ConductOfPixels(const float* image, float* conductances, Differences d,
                                unsigned n) {
  const unsigned x = blockIdx.x * 16 + threadIdx.x;
  const unsigned y = blockIdx.y * 16 + threadIdx.y;
  const unsigned i = y * n + x;
  const float value = image[i];
  const float north = image[y > 0 ? i - n : i] - value;
  const float south = image[y + 1 < n ? i + n : i] - value;
  const float west = image[x > 0 ? i - 1 : i] - value;
  const float east = image[x + 1 < n ? i + 1 : i] - value;
  d.north[i] = north;
  d.south[i] = south;
  d.west[i] = west;
  d.east[i] = east;
  conductances[i] = Conductance(value, north, south, west, east);
}

__global__ void DiffusePixels(float* image, const float* conductances, Differences d, unsigned n) {
  const unsigned x = blockIdx.x * 16 + threadIdx.x;
  const unsigned y = blockIdx.y * 16 + threadIdx.y;
  const unsigned i = y * n + x;
  const float here = conductances[i];
  const float south = conductances[y + 1 < n ? i + n : i];
  const float east = conductances[x + 1 < n ? i + 1 : i];
  image[i] += kStep * (here * (d.north[i] + d.west[i]) + south * d.south[i] + east * d.east[i]);
}

// Both at once: a block has a tile of the image with two pixels around, and computes conductances
// to the right and below of its tile, too.
__global__ void DiffuseTile(const float* image, float* result, unsigned n) {
  __shared__ float pixels[20][20];
  __shared__ float conductances[17][17];
  const int left = static_cast<int>(blockIdx.x * 16);
  const int top = static_cast<int>(blockIdx.y * 16);
  const int last = static_cast<int>(n) - 1;
  const unsigned t = threadIdx.y * 16 + threadIdx.x;
  for (unsigned i = t; i < 400; i += 256) {
    const int x = min(max(left + static_cast<int>(i % 20) - 2, 0), last);
    const int y = min(max(top + static_cast<int>(i / 20) - 2, 0), last);
    pixels[i / 20][i % 20] = image[y * static_cast<int>(n) + x];
  }
  __syncthreads();
  for (unsigned i = t; i < 17 * 17; i += 256) {
    const unsigned x = i % 17;
    const unsigned y = i / 17;
    const float value = pixels[y + 2][x + 2];
    conductances[y][x] =
        Conductance(value, pixels[y + 1][x + 2] - value, pixels[y + 3][x + 2] - value,
                    pixels[y + 2][x + 1] - value, pixels[y + 2][x + 3] - value);
  }
  __syncthreads();
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const bool is_right = left + static_cast<int>(x) == last;
  const bool is_bottom = top + static_cast<int>(y) == last;
  const float value = pixels[y + 2][x + 2];
  const float here = conductances[y][x];
  const float south = is_bottom ? 0 : conductances[y + 1][x];
  const float east = is_right ? 0 : conductances[y][x + 1];
  const float north_west = pixels[y + 1][x + 2] + pixels[y + 2][x + 1] - 2 * value;
  result[(blockIdx.y * 16 + y) * n + blockIdx.x * 16 + x] =
      value + kStep * (here * north_west + south * (pixels[y + 3][x + 2] - value) +
                       east * (pixels[y + 2][x + 3] - value));
}

struct Speckled {
  explicit Speckled(unsigned n)
      : n(n),
        start(Filled<float>(
            n * n, [](unsigned i) { return 1 + static_cast<float>(Mixed(i) % 256) / 256; })),
        conductances(Room<float>(n * n)) {
    for (FloatArray& image : images) image = Room<float>(n * n);
    for (FloatArray& one : differences) one = Room<float>(n * n);
  }
  std::vector<double> Results() const { return OnHost(images[0]); }
  unsigned n;
  FloatArray start, conductances;
  FloatArray images[2], differences[4];
};

void RunDiffusePixels(const Speckled& p) {
  Copy(p.start, p.images[0]);
  const dim3 grid(p.n / 16, p.n / 16);
  const Differences d = {p.differences[0]->data(), p.differences[1]->data(),
                         p.differences[2]->data(), p.differences[3]->data()};
  for (unsigned step = 0; step < 2; ++step) {
    ConductOfPixels<<<grid, dim3(16, 16)>>>(p.images[0]->data(), p.conductances->data(), d, p.n);
    DiffusePixels<<<grid, dim3(16, 16)>>>(p.images[0]->data(), p.conductances->data(), d, p.n);
  }
}

void RunDiffuseTiles(const Speckled& p) {
  Copy(p.start, p.images[0]);
  const dim3 grid(p.n / 16, p.n / 16);
  for (unsigned step = 0; step < 2; ++step) {
    DiffuseTile<<<grid, dim3(16, 16)>>>(p.images[step]->data(), p.images[1 - step]->data(), p.n);
  }
}

}  // namespace

std::vector<Problem> Diffusion() {
  return {Of<Speckled>("Diffuse", {64, 256, 768},
                       {{"pixels", RunDiffusePixels}, {"tiles", RunDiffuseTiles}})};
}

}  // namespace predict::exercises
