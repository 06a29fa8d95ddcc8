// Layers of networks.

#include <cuda_runtime.h>

#include "common/cudasim/predict/measure/exercises/exercises.h"

namespace predict::exercises {
namespace {

// 16 filters of 8 * 3 * 3 weights on pictures of 8 channels and 32 * 32 pixels, without the edges,
// and the rectifier: the weights in global memory or copied to shared memory, or the pictures
// unrolled to a matrix of 72 rows, which the weights are multiplied with.
constexpr unsigned kChannels = 8;
constexpr unsigned kFilters = 16;
constexpr unsigned kEdge = 32;
constexpr unsigned kInside = kEdge - 2;
constexpr unsigned kPixels = kInside * kInside;
constexpr unsigned kTaps = kChannels * 9;

__device__ float Convolved(const float* picture, const float* weights, unsigned y, unsigned x) {
  float sum = 0;
  for (unsigned c = 0; c < kChannels; ++c) {
    for (unsigned dy = 0; dy < 3; ++dy) {
      for (unsigned dx = 0; dx < 3; ++dx) {
        sum += weights[(c * 3 + dy) * 3 + dx] * picture[(c * kEdge + y + dy) * kEdge + x + dx];
      }
    }
  }
  return fmaxf(sum, 0.0f);
}

__global__ void ConvolveGlobal(const float* pictures, const float* weights, float* out) {
  const unsigned x = threadIdx.x;
  const unsigned y = blockIdx.x * 6 + threadIdx.y;
  const unsigned filter = blockIdx.y;
  if (x >= kInside) return;
  const float* const picture = pictures + blockIdx.z * kChannels * kEdge * kEdge;
  out[(blockIdx.z * kFilters + filter) * kPixels + y * kInside + x] =
      Convolved(picture, weights + filter * kTaps, y, x);
}

// A block keeps a picture's channels one after the other and computes all filters for 6 rows.
__global__ void ConvolveShared(const float* pictures, const float* weights, float* out) {
  __shared__ float rows[8][kEdge];
  __shared__ float filters[kFilters][9];
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const unsigned first = blockIdx.x * 6;
  const float* const picture = pictures + blockIdx.z * kChannels * kEdge * kEdge;
  float sums[kFilters] = {};
  for (unsigned c = 0; c < kChannels; ++c) {
    for (unsigned row = y; row < 8; row += 6)
      rows[row][x] = picture[(c * kEdge + first + row) * kEdge + x];
    const unsigned t = y * 32 + x;
    if (t < kFilters * 9) filters[t / 9][t % 9] = weights[t / 9 * kTaps + c * 9 + t % 9];
    __syncthreads();
    if (x < kInside) {
      for (unsigned tap = 0; tap < 9; ++tap) {
        const float pixel = rows[y + tap / 3][x + tap % 3];
#pragma unroll
        for (unsigned f = 0; f < kFilters; ++f) sums[f] += filters[f][tap] * pixel;
      }
    }
    __syncthreads();
  }
  if (x >= kInside) return;
#pragma unroll
  for (unsigned f = 0; f < kFilters; ++f) {
    out[(blockIdx.z * kFilters + f) * kPixels + (first + y) * kInside + x] = fmaxf(sums[f], 0.0f);
  }
}

__global__ void UnrollPictures(const float* pictures, float* columns, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * kChannels * kPixels) return;
  const unsigned pixel = i % kPixels;
  const unsigned c = i / kPixels % kChannels;
  const unsigned picture = i / (kPixels * kChannels);
  const float* const from =
      pictures + ((picture * kChannels + c) * kEdge + pixel / kInside) * kEdge + pixel % kInside;
  for (unsigned tap = 0; tap < 9; ++tap) {
    columns[(picture * kTaps + c * 9 + tap) * kPixels + pixel] = from[tap / 3 * kEdge + tap % 3];
  }
}

__global__ void MultiplyUnrolled(const float* columns, const float* weights, float* out) {
  __shared__ float left[kFilters][8];
  __shared__ float right[8][kFilters];
  const unsigned tx = threadIdx.x;
  const unsigned ty = threadIdx.y;
  const unsigned x = blockIdx.x * kFilters + tx;
  float sum = 0;
  for (unsigned first = 0; first < kTaps; first += 8) {
    if (tx < 8) left[ty][tx] = weights[ty * kTaps + first + tx];
    if (ty < 8) {
      right[ty][tx] = x < kPixels ? columns[(blockIdx.y * kTaps + first + ty) * kPixels + x] : 0;
    }
    __syncthreads();
    for (unsigned k = 0; k < 8; ++k) sum += left[ty][k] * right[k][tx];
    __syncthreads();
  }
  if (x < kPixels) out[(blockIdx.y * kFilters + ty) * kPixels + x] = fmaxf(sum, 0.0f);
}

struct Batch {
  explicit Batch(unsigned n)
      : n(n),
        pictures(Fractions(n * kChannels * kEdge * kEdge)),
        weights(Filled<float>(
            kFilters * kTaps,
            [](unsigned i) { return static_cast<float>(Mixed(i) % 256) / 256 - 0.45f; })),
        columns(Room<float>(n * kTaps * kPixels)),
        out(Room<float>(n * kFilters * kPixels)) {}
  std::vector<double> Results() const { return OnHost(out); }
  unsigned n;
  FloatArray pictures, weights, columns, out;
};

void RunConvolveGlobal(const Batch& p) {
  ConvolveGlobal<<<dim3(kInside / 6, kFilters, p.n), dim3(32, 6)>>>(
      p.pictures->data(), p.weights->data(), p.out->data());
}

void RunConvolveShared(const Batch& p) {
  ConvolveShared<<<dim3(kInside / 6, 1, p.n), dim3(32, 6)>>>(p.pictures->data(), p.weights->data(),
                                                             p.out->data());
}

void RunConvolveUnrolled(const Batch& p) {
  UnrollPictures<<<Blocks(p.n * kChannels * kPixels), 256>>>(p.pictures->data(), p.columns->data(),
                                                             p.n);
  MultiplyUnrolled<<<dim3(Blocks(kPixels, kFilters), p.n), dim3(kFilters, kFilters)>>>(
      p.columns->data(), p.weights->data(), p.out->data());
}

// The mean of the 8 rows that a sentence names, of a table of 50,000 rows with 64 numbers: a thread
// for a sentence, a warp, or a quarter of a warp for 16 numbers, four at once.
constexpr unsigned kWords = 8;
constexpr unsigned kWidth = 64;
constexpr unsigned kTableRows = 50'000;

__global__ void EmbedByThreads(const unsigned* words, const float* table, float* out, unsigned n) {
  const unsigned sentence = blockIdx.x * blockDim.x + threadIdx.x;
  if (sentence >= n) return;
  for (unsigned k = 0; k < kWidth; ++k) {
    float sum = 0;
    for (unsigned w = 0; w < kWords; ++w) {
      sum += table[words[sentence * kWords + w] * kWidth + k];
    }
    out[sentence * kWidth + k] = sum / kWords;
  }
}

__global__ void EmbedByWarps(const unsigned* words, const float* table, float* out) {
  const unsigned sentence = blockIdx.x * 4 + threadIdx.x / 32;
  const unsigned lane = threadIdx.x % 32;
  float low = 0;
  float high = 0;
  for (unsigned w = 0; w < kWords; ++w) {
    const float* const row = table + words[sentence * kWords + w] * kWidth;
    low += row[lane];
    high += row[lane + 32];
  }
  out[sentence * kWidth + lane] = low / kWords;
  out[sentence * kWidth + lane + 32] = high / kWords;
}

__global__ void EmbedByVectors(const unsigned* words, const float4* table, float4* out) {
  const unsigned sentence = blockIdx.x * 16 + threadIdx.x / 16;
  const unsigned quarter = threadIdx.x % 16;
  float4 sum = {0, 0, 0, 0};
#pragma unroll
  for (unsigned w = 0; w < kWords; ++w) {
    const float4 row = table[words[sentence * kWords + w] * (kWidth / 4) + quarter];
    sum = {sum.x + row.x, sum.y + row.y, sum.z + row.z, sum.w + row.w};
  }
  out[sentence * (kWidth / 4) + quarter] = {sum.x / kWords, sum.y / kWords, sum.z / kWords,
                                            sum.w / kWords};
}

struct Sentences {
  explicit Sentences(unsigned n)
      : n(n),
        words(Filled<unsigned>(n * kWords, [](unsigned i) { return Mixed(i) % kTableRows; })),
        table(Fractions(kTableRows * kWidth)),
        out(Room<float>(n * kWidth)) {}
  std::vector<double> Results() const { return OnHost(out); }
  unsigned n;
  NumberArray words;
  FloatArray table, out;
};

void RunEmbedByThreads(const Sentences& p) {
  EmbedByThreads<<<Blocks(p.n, 128), 128>>>(p.words->data(), p.table->data(), p.out->data(), p.n);
}

void RunEmbedByWarps(const Sentences& p) {
  EmbedByWarps<<<p.n / 4, 128>>>(p.words->data(), p.table->data(), p.out->data());
}

void RunEmbedByVectors(const Sentences& p) {
  EmbedByVectors<<<p.n / 16, 256>>>(p.words->data(),
                                    reinterpret_cast<const float4*>(p.table->data()),
                                    reinterpret_cast<float4*>(p.out->data()));
}

}  // namespace

std::vector<Problem> Networks() {
  return {
      Of<Batch>("Convolve", {1, 8, 64},
                {{"global", RunConvolveGlobal},
                 {"shared", RunConvolveShared},
                 {"unrolled", RunConvolveUnrolled}}),
      Of<Sentences>("Embed", {256, 4096, 32768},
                    {{"threads", RunEmbedByThreads},
                     {"warps", RunEmbedByWarps},
                     {"vectors", RunEmbedByVectors}}),
  };
}

}  // namespace predict::exercises
