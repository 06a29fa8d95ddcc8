// Gathers, and loops of one thread or one warp.

#include <cuda_runtime.h>

#include "common/cudasim/predict/calibrate/dependent.h"

namespace calibrate {
namespace {

__global__ void Gather(const unsigned* index, const float* x, float* y, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[index[i]];
}

__global__ void GatherTwice(const unsigned* index, const float* x, float* y, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[index[index[i]]];
}

// Each thread adds up n / threads elements.
__global__ void GatherInLoop(const unsigned* index, const float* x, float* y, unsigned n) {
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned threads = gridDim.x * blockDim.x;
  float sum = 0;
  for (unsigned i = first; i < n; i += threads) sum += x[index[i]];
  y[first] = sum;
}

__global__ void GatherRolled(const unsigned* index, const float* x, float* y, unsigned n) {
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned threads = gridDim.x * blockDim.x;
  float sum = 0;
#pragma unroll 1
  for (unsigned i = first; i < n; i += threads) sum += x[index[i]];
  y[first] = sum;
}

// The compiler must assume that a store changes what is loaded next.
__global__ void GatherAndStore(const unsigned* index, const float* x, float* y, unsigned n) {
  const unsigned threads = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) y[i] = x[index[i]];
}

__global__ void GatherIf(const unsigned* index, const float* x, float* y, unsigned n) {
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned threads = gridDim.x * blockDim.x;
  float sum = 0;
  for (unsigned i = first; i < n; i += threads) {
    const unsigned at = index[i];
    if (at % 4 == 0 && x[at] > 3) sum += x[at / 2];
  }
  y[first] = sum;
}

// One block, of one thread or one warp, adds up all elements.
__global__ void SumInLanes(const float* a, float* sums, unsigned n) {
  float sum = 0;
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) sum += a[i];
  sums[threadIdx.x] = sum;
}

__global__ void PrefixAlone(const float* a, float* c, unsigned n) {
  float sum = 0;
  for (unsigned i = 0; i < n; ++i) {
    sum += a[i];
    c[i] = sum;
  }
}

// Each element is loaded again that was just stored.
__global__ void PrefixInPlace(float* c, unsigned n) {
  for (unsigned i = 1; i < n; ++i) c[i] += c[i - 1];
}

__global__ void PrefixRows(const float* a, float* c, unsigned rows, unsigned row) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  float sum = 0;
  for (unsigned k = 0; k < row; ++k) {
    sum += a[i * row + k];
    c[i * row + k] = sum;
  }
}

// Thread 0 of each block adds up its tile.
__global__ void SumTileAlone(const float* a, float* sums) {
  __shared__ float tile[256];
  tile[threadIdx.x] = a[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  if (threadIdx.x != 0) return;
  float sum = 0;
  for (int i = 0; i < 256; ++i) sum += tile[i];
  sums[blockIdx.x] = sum;
}

using GatherRun = void (*)(const unsigned*, const float*, float*, unsigned);
Workload GatherOf(const char* name, unsigned each, GatherRun kernel) {
  return {name, {14, 18, 22, 24}, [=](int log) {
            const unsigned n = 1u << log;
            const auto index = Filled<unsigned>(n, [=](unsigned i) { return Mixed(i) % n; });
            return [=, x = predict::Floats(n), y = Room<float>(n)](cudaStream_t) {
              kernel<<<n / each / 256, 256>>>(index->data(), x->data(), y->data(), n);
            };
          }};
}

using ArrayRun = void (*)(float*, float*, unsigned);
Workload ArrayOf(const char* name, std::vector<int> logs, ArrayRun run) {
  return {name, std::move(logs), [=](int log) {
            const unsigned n = 1u << log;
            return [=, a = predict::Floats(n), c = Room<float>(n)](cudaStream_t) {
              run(a->data(), c->data(), n);
            };
          }};
}

}  // namespace

std::vector<Workload> Gathers() {
  return {
      GatherOf("Gather", 1, Gather),
      GatherOf("GatherTwice", 1, GatherTwice),
      GatherOf("GatherInLoop", 16, GatherInLoop),
      GatherOf("GatherRolled", 16, GatherRolled),
      GatherOf("GatherAndStore", 16, GatherAndStore),
      GatherOf("GatherIf", 16, GatherIf),
      ArrayOf("SumAlone", {10, 13},
              [](float* a, float* c, unsigned n) { SumInLanes<<<1, 1>>>(a, c, n); }),
      ArrayOf("SumInWarp", {12, 16},
              [](float* a, float* c, unsigned n) { SumInLanes<<<1, 32>>>(a, c, n); }),
      ArrayOf("PrefixAlone", {10, 13},
              [](float* a, float* c, unsigned n) { PrefixAlone<<<1, 1>>>(a, c, n); }),
      ArrayOf("PrefixInPlace", {10, 13},
              [](float*, float* c, unsigned n) { PrefixInPlace<<<1, 1>>>(c, n); }),
      ArrayOf("PrefixRows", {14, 18, 22},
              [](float* a, float* c, unsigned n) {
                PrefixRows<<<n / 64 / 128, 128>>>(a, c, n / 64, 64);
              }),
      ArrayOf("SumTileAlone", {14, 18, 22},
              [](float* a, float* c, unsigned n) { SumTileAlone<<<n / 256, 256>>>(a, c); }),
  };
}

}  // namespace calibrate
