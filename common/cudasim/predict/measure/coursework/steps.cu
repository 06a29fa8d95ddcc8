// Simulations that go on step by step.

#include <cuda_runtime.h>

#include "common/cudasim/predict/measure/coursework/coursework.h"

namespace predict::coursework {
namespace {

// 8 steps of the wave equation on a string: a launch for each, or for four of them, which a block
// makes for 192 points and 32 beside them on each side.
constexpr unsigned kSteps = 8;
constexpr unsigned kAtOnce = 4;

__device__ float Accelerated(float before, float left, float now, float right) {
  return 2 * now - before + 0.25f * (left - 2 * now + right);
}

__global__ void WaveStep(const float* before, const float* now, float* after, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float left = i > 0 ? now[i - 1] : 0;
  const float right = i + 1 < n ? now[i + 1] : 0;
  after[i] = Accelerated(before[i], left, now[i], right);
}

__global__ void WaveTile(const float* before, const float* now, float* last, float* after,
                         unsigned n) {
  __shared__ float tile[2][256];
  const unsigned t = threadIdx.x;
  const unsigned i = blockIdx.x * 192 + t - 32;  // the string's places are smaller than 2^31
  const bool is_inside = i < n;
  float mine_before = is_inside ? before[i] : 0;
  float mine = is_inside ? now[i] : 0;
  for (unsigned step = 0; step < kAtOnce; ++step) {
    tile[step % 2][t] = mine;
    __syncthreads();
    const float left = t > 0 ? tile[step % 2][t - 1] : 0;
    const float right = t < 255 ? tile[step % 2][t + 1] : 0;
    const float next = is_inside ? Accelerated(mine_before, left, mine, right) : 0;
    mine_before = mine;
    mine = next;
  }
  if (t < 32 || t >= 224 || !is_inside) return;
  last[i] = mine_before;
  after[i] = mine;
}

struct Wave {
  explicit Wave(unsigned n) : n(n), start(Fractions(n)) {
    for (FloatArray& line : lines) line = Room<float>(n);
  }
  void Restart() const {
    for (unsigned k = 0; k < 2; ++k) {
      CUDA_CHECK(cudaMemcpyAsync(lines[k]->data(), start->data(), start->bytes(),
                                 cudaMemcpyDeviceToDevice));
    }
  }
  std::vector<double> Results() const { return OnHost(lines[1]); }
  unsigned n;
  FloatArray start;
  FloatArray lines[4];
};

void RunWaveSteps(const Wave& p) {
  p.Restart();
  float* lines[3] = {p.lines[0]->data(), p.lines[1]->data(), p.lines[2]->data()};
  for (unsigned step = 0; step < kSteps; ++step) {
    WaveStep<<<Blocks(p.n), 256>>>(lines[0], lines[1], lines[2], p.n);
    std::rotate(lines, lines + 1, lines + 3);
  }
  // The newest line is the first one.
  CUDA_CHECK(
      cudaMemcpyAsync(p.lines[1]->data(), lines[1], p.start->bytes(), cudaMemcpyDeviceToDevice));
}

void RunWaveTiles(const Wave& p) {
  p.Restart();
  float* const a = p.lines[0]->data();
  float* const b = p.lines[1]->data();
  float* const c = p.lines[2]->data();
  float* const d = p.lines[3]->data();
  for (unsigned step = 0; step < kSteps; step += 2 * kAtOnce) {
    WaveTile<<<Blocks(p.n, 192), 256>>>(a, b, c, d, p.n);
    WaveTile<<<Blocks(p.n, 192), 256>>>(c, d, a, b, p.n);
  }
}

// A sweep over a magnet's black cells, then its white ones: threads of the other colour do
// nothing, or each colour has an array of its own, in which a row has n / 2 cells.
__device__ unsigned Scrambled(unsigned x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

__device__ int Flipped(int spin, int around, unsigned seed) {
  const float chance = __expf(-0.8f * static_cast<float>(spin * around));
  return static_cast<float>(Scrambled(seed) >> 8) * 0x1p-24f < chance ? -spin : spin;
}

__global__ void MagnetWhole(int* spins, unsigned n, unsigned colour) {
  const unsigned x = blockIdx.x * 32 + threadIdx.x;
  const unsigned y = blockIdx.y * 8 + threadIdx.y;
  if ((x + y) % 2 != colour) return;
  const unsigned left = x == 0 ? n - 1 : x - 1;
  const unsigned right = x + 1 == n ? 0 : x + 1;
  const unsigned up = y == 0 ? n - 1 : y - 1;
  const unsigned down = y + 1 == n ? 0 : y + 1;
  const int around =
      spins[y * n + left] + spins[y * n + right] + spins[up * n + x] + spins[down * n + x];
  spins[y * n + x] = Flipped(spins[y * n + x], around, y * n + x);
}

__global__ void MagnetSplit(int* mine, const int* others, unsigned n, unsigned colour) {
  const unsigned half = n / 2;
  const unsigned k = blockIdx.x * 32 + threadIdx.x;
  const unsigned y = blockIdx.y * 8 + threadIdx.y;
  const unsigned x = 2 * k + (colour + y) % 2;
  const unsigned left = x == 0 ? n - 1 : x - 1;
  const unsigned right = x + 1 == n ? 0 : x + 1;
  const unsigned up = y == 0 ? n - 1 : y - 1;
  const unsigned down = y + 1 == n ? 0 : y + 1;
  const int around = others[y * half + left / 2] + others[y * half + right / 2] +
                     others[up * half + k] + others[down * half + k];
  mine[y * half + k] = Flipped(mine[y * half + k], around, y * n + x);
}

struct Magnet {
  explicit Magnet(unsigned n);
  std::vector<double> Results() const;
  unsigned n;
  std::shared_ptr<lab::DeviceArray<int>> whole_start, split_start, spins;
  mutable bool is_split = false;
};

// Where `spins` has a cell: the cells of a colour lie together if it is split.
unsigned PlaceOf(unsigned i, unsigned n, bool is_split) {
  return is_split ? (i / n + i % n) % 2 * (n * n / 2) + i / 2 : i;
}

Magnet::Magnet(unsigned n) : n(n), spins(Room<int>(n * n)) {
  std::vector<int> whole(n * n);
  std::vector<int> split(n * n);
  for (unsigned i = 0; i < n * n; ++i) {
    whole[i] = Mixed(i) % 2 == 0 ? 1 : -1;
    split[PlaceOf(i, n, true)] = whole[i];
  }
  whole_start = std::make_shared<lab::DeviceArray<int>>(whole);
  split_start = std::make_shared<lab::DeviceArray<int>>(split);
}

std::vector<double> Magnet::Results() const {
  const std::vector<int> made = spins->OnHost();
  std::vector<double> results;
  for (unsigned i = 0; i < n * n; ++i) results.push_back(made[PlaceOf(i, n, is_split)]);
  return results;
}

void RunMagnetWhole(const Magnet& p) {
  p.is_split = false;
  CUDA_CHECK(cudaMemcpyAsync(p.spins->data(), p.whole_start->data(), p.spins->bytes(),
                             cudaMemcpyDeviceToDevice));
  for (unsigned colour = 0; colour < 2; ++colour) {
    MagnetWhole<<<dim3(p.n / 32, p.n / 8), dim3(32, 8)>>>(p.spins->data(), p.n, colour);
  }
}

void RunMagnetSplit(const Magnet& p) {
  p.is_split = true;
  CUDA_CHECK(cudaMemcpyAsync(p.spins->data(), p.split_start->data(), p.spins->bytes(),
                             cudaMemcpyDeviceToDevice));
  int* const black = p.spins->data();
  int* const white = black + p.n * p.n / 2;
  const dim3 grid(p.n / 64, p.n / 8);
  MagnetSplit<<<grid, dim3(32, 8)>>>(black, white, p.n, 0);
  MagnetSplit<<<grid, dim3(32, 8)>>>(white, black, p.n, 1);
}

}  // namespace

std::vector<Problem> Steps() {
  return {
      Of<Wave>("Wave", {1 << 10, 1 << 15, 1 << 18},
               {{"steps", RunWaveSteps}, {"tiles", RunWaveTiles}}),
      Of<Magnet>("Magnet", {64, 512, 2048}, {{"whole", RunMagnetWhole}, {"split", RunMagnetSplit}}),
  };
}

}  // namespace predict::coursework
