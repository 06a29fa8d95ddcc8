// Attention of one head, of n queries to n keys of 32 numbers.

#include <cuda_runtime.h>

#include "common/cudasim/predict/measure/exercises/exercises.h"

namespace predict::exercises {
namespace {

// The scores are kept in memory, or only as long as a block needs them: a thread has a query, its
// block a tile of keys and values. Source of the latter: Milakov, Gimelshein, Online normalizer
// calculation for softmax, arXiv:1805.02867, 2018.
constexpr unsigned kWidth = 32;
constexpr float kScale = 0.17677669f;  // 1 / sqrt(kWidth)

__global__ void AttendScores(const float* queries, const float* keys, float* scores, unsigned n) {
  __shared__ float of_queries[16][kWidth + 1];
  __shared__ float of_keys[16][kWidth + 1];
  const unsigned tx = threadIdx.x;
  const unsigned ty = threadIdx.y;
  for (unsigned k = tx; k < kWidth; k += 16) {
    of_queries[ty][k] = queries[(blockIdx.y * 16 + ty) * kWidth + k];
    of_keys[ty][k] = keys[(blockIdx.x * 16 + ty) * kWidth + k];
  }
  __syncthreads();
  float sum = 0;
  for (unsigned k = 0; k < kWidth; ++k) sum += of_queries[ty][k] * of_keys[tx][k];
  scores[(blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx] = sum * kScale;
}

// A block for a row.
__device__ float LargestOfBlock(float mine, float* parts) {
  for (int lanes = 16; lanes > 0; lanes /= 2) {
    mine = fmaxf(mine, __shfl_xor_sync(kAllLanes, mine, lanes));
  }
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = mine;
  __syncthreads();
  for (unsigned warp = 0; warp < 4; ++warp) mine = fmaxf(mine, parts[warp]);
  return mine;
}

__device__ float SumOfBlock(float mine, float* parts) {
  for (int lanes = 16; lanes > 0; lanes /= 2) mine += __shfl_xor_sync(kAllLanes, mine, lanes);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = mine;
  __syncthreads();
  return parts[0] + parts[1] + parts[2] + parts[3];
}

__global__ void AttendSoftmax(float* scores, unsigned n) {
  __shared__ float largest_parts[4];
  __shared__ float sum_parts[4];
  float* const row = scores + blockIdx.x * n;
  float largest = -1e30f;
  for (unsigned i = threadIdx.x; i < n; i += 128) largest = fmaxf(largest, row[i]);
  largest = LargestOfBlock(largest, largest_parts);
  float sum = 0;
  for (unsigned i = threadIdx.x; i < n; i += 128) {
    row[i] = __expf(row[i] - largest);
    sum += row[i];
  }
  sum = SumOfBlock(sum, sum_parts);
  for (unsigned i = threadIdx.x; i < n; i += 128) row[i] /= sum;
}

__global__ void AttendValues(const float* scores, const float* values, float* out, unsigned n) {
  const unsigned row = blockIdx.x * 4 + threadIdx.x / kWidth;
  const unsigned k = threadIdx.x % kWidth;
  float sum = 0;
  for (unsigned i = 0; i < n; ++i) sum += scores[row * n + i] * values[i * kWidth + k];
  out[row * kWidth + k] = sum;
}

__global__ void AttendOnline(const float* queries, const float* keys, const float* values,
                             float* out, unsigned n) {
  __shared__ float of_keys[32][kWidth];
  __shared__ float of_values[32][kWidth];
  const unsigned row = blockIdx.x * 64 + threadIdx.x;
  float query[kWidth];
  float sums[kWidth] = {};
#pragma unroll
  for (unsigned k = 0; k < kWidth; ++k) query[k] = queries[row * kWidth + k] * kScale;
  float largest = -1e30f;
  float sum = 0;
  for (unsigned first = 0; first < n; first += 32) {
    for (unsigned i = threadIdx.x; i < 32 * kWidth; i += 64) {
      of_keys[i / kWidth][i % kWidth] = keys[first * kWidth + i];
      of_values[i / kWidth][i % kWidth] = values[first * kWidth + i];
    }
    __syncthreads();
    for (unsigned i = 0; i < 32; ++i) {
      float score = 0;
#pragma unroll
      for (unsigned k = 0; k < kWidth; ++k) score += query[k] * of_keys[i][k];
      const float now = fmaxf(largest, score);
      const float shrink = __expf(largest - now);
      const float weight = __expf(score - now);
      sum = sum * shrink + weight;
#pragma unroll
      for (unsigned k = 0; k < kWidth; ++k) sums[k] = sums[k] * shrink + weight * of_values[i][k];
      largest = now;
    }
    __syncthreads();
  }
#pragma unroll
  for (unsigned k = 0; k < kWidth; ++k) out[row * kWidth + k] = sums[k] / sum;
}

struct Head {
  explicit Head(unsigned n)
      : n(n),
        queries(Fractions(n * kWidth)),
        keys(Filled<float>(
            n * kWidth,
            [](unsigned i) { return static_cast<float>(Mixed(i + 99) % 512) / 128 - 2; })),
        values(Filled<float>(
            n * kWidth, [](unsigned i) { return static_cast<float>(Mixed(i + 7) % 512) / 16; })),
        scores(Room<float>(n * n)),
        out(Room<float>(n * kWidth)) {}
  std::vector<double> Results() const { return OnHost(out); }
  unsigned n;
  FloatArray queries, keys, values, scores, out;
};

void RunAttendInSteps(const Head& p) {
  AttendScores<<<dim3(p.n / 16, p.n / 16), dim3(16, 16)>>>(p.queries->data(), p.keys->data(),
                                                           p.scores->data(), p.n);
  AttendSoftmax<<<p.n, 128>>>(p.scores->data(), p.n);
  AttendValues<<<p.n / 4, 4 * kWidth>>>(p.scores->data(), p.values->data(), p.out->data(), p.n);
}

void RunAttendOnline(const Head& p) {
  AttendOnline<<<p.n / 64, 64>>>(p.queries->data(), p.keys->data(), p.values->data(), p.out->data(),
                                 p.n);
}

}  // namespace

std::vector<Problem> Attention() {
  return {Of<Head>("Attend", {64, 384, 1024},
                   {{"steps", RunAttendInSteps}, {"online", RunAttendOnline}})};
}

}  // namespace predict::exercises
