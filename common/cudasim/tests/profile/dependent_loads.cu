// Kernels whose loads depend on loads, or do not: profile_programs_test.py knows how many do.

#include <cuda_runtime.h>

#include "common/cudasim/tests/profile/filled.h"
#include "common/cudasim/tests/programs.h"

namespace profile_dependent_loads {

constexpr unsigned kCount = 4096;  // of each array
constexpr unsigned kWarp = 32;
constexpr unsigned kTile = 16;

// Block b follows 10 * (b + 1) links.
__global__ void List(const unsigned* next, unsigned* out) {
  unsigned at = threadIdx.x;
  for (unsigned s = 0; s < 10 * (blockIdx.x + 1); ++s) at = next[at];
  out[blockIdx.x * kWarp + threadIdx.x] = at;
}

__global__ void ListOfOne(const unsigned* next, unsigned* out) {
  unsigned at = 0;
  for (int s = 0; s < 100; ++s) at = next[at];
  *out = at;
}

__global__ void SharedList(const unsigned* next, unsigned* out) {
  __shared__ unsigned tile[kWarp];
  tile[threadIdx.x] = next[threadIdx.x] % kWarp;
  __syncthreads();
  unsigned at = threadIdx.x;
  for (int s = 0; s < 10; ++s) at = tile[at];
  out[threadIdx.x] = at;
}

// 10 steps in 1024 elements.
__global__ void Search(const unsigned* sorted, unsigned* out) {
  const unsigned key = threadIdx.x * 991 % 1024 * 3;
  unsigned at = 0;
  for (unsigned half = 512; half > 0; half /= 2) at += sorted[at + half - 1] < key ? half : 0;
  out[threadIdx.x] = at;
}

// Each step loads from both runs, at once.
__global__ void Merge(const unsigned* runs, unsigned* out) {
  unsigned i = threadIdx.x * 64;
  unsigned j = i + 32;
  for (unsigned k = 0; k < 16; ++k) {
    const unsigned a = runs[i];
    const unsigned b = runs[j];
    i += a <= b ? 1 : 0;
    j += a <= b ? 0 : 1;
    out[threadIdx.x * 16 + k] = min(a, b);
  }
}

__global__ void Gather(const unsigned* index, const unsigned* x, unsigned* out) {
  out[threadIdx.x] = x[index[threadIdx.x]];
}

__global__ void GatherTwice(const unsigned* index, const unsigned* x, unsigned* out) {
  out[threadIdx.x] = x[index[index[threadIdx.x]]];
}

// All but the first can be in flight at once.
__global__ void GatherInLoop(const unsigned* index, const unsigned* x, unsigned* out) {
  unsigned sum = 0;
  for (unsigned i = threadIdx.x; i < 20 * kWarp; i += kWarp) sum += x[index[i]];
  out[threadIdx.x] = sum;
}

// The store may be to what is loaded next.
__global__ void GatherAndStore(const unsigned* index, const unsigned* x, unsigned* out) {
  for (unsigned i = threadIdx.x; i < 20 * kWarp; i += kWarp) out[i] = x[index[i]];
}

__global__ void GatherOfOne(const unsigned* index, const unsigned* x, unsigned* out) {
  unsigned sum = 0;
  for (unsigned i = 0; i < 100; ++i) sum += x[index[i]];
  *out = sum;
}

// columns[] cannot be loaded before offsets[].
__global__ void Walk(const unsigned* offsets, const unsigned* columns, unsigned* out) {
  unsigned v = threadIdx.x;
  for (unsigned s = 0; s < 10; ++s) v = columns[offsets[v] + (s * 7 + threadIdx.x * 5) % 8];
  out[threadIdx.x] = v;
}

__global__ void Loop(const unsigned* in, unsigned* out) {
  unsigned sum = 0;
  for (unsigned i = threadIdx.x; i < kCount; i += blockDim.x) sum += in[i];
  out[threadIdx.x] = sum;
}

// Where a row ends, all lanes leave the stride together.
__global__ void Rows(const unsigned* in, unsigned* out) {
  unsigned sum = 0;
  for (unsigned r = 0; r < 8; ++r) {
    for (unsigned k = 0; k < 7; ++k) sum += in[(r * kWarp + threadIdx.x) * 16 + k];
  }
  out[threadIdx.x] = sum;
}

__global__ void Product(const float* a, const float* b, float* c) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  const unsigned row = blockIdx.y * kTile + threadIdx.y;
  const unsigned column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (unsigned t = 0; t < 64; t += kTile) {
    a_tile[threadIdx.y][threadIdx.x] = a[row * 64 + t + threadIdx.x];
    b_tile[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * 64 + column];
    __syncthreads();
    for (unsigned k = 0; k < kTile; ++k) sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
    __syncthreads();
  }
  c[row * 64 + column] = sum;
}

// Each level's stride is half of that before.
__global__ void Tree(const unsigned* in, unsigned* out) {
  __shared__ unsigned sums[256];
  sums[threadIdx.x] = in[threadIdx.x];
  for (unsigned half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) *out = sums[0];
}

unsigned Mixed(unsigned i) { return (i * 2654435761u ^ i * 40503u >> 7) >> 8; }

PROGRAM(dependent_loads) {
  unsigned* const next =
      Filled<kCount>([](unsigned i) { return (i * 1664525u + 1013904223u) % kCount; });
  unsigned* const sorted = Filled<kCount>([](unsigned i) { return 3 * i; });
  unsigned* const runs = Filled<kCount>([](unsigned i) { return i % 32 * 16 + Mixed(i) % 64; });
  unsigned* const index = Filled<kCount>([](unsigned i) { return Mixed(i) % kCount; });
  unsigned* const offsets = Filled<kCount>([](unsigned i) { return i % 512 * 8; });
  unsigned* const columns = Filled<kCount>([](unsigned i) { return Mixed(i) % 512; });
  unsigned* const out = Filled<kCount>([](unsigned) { return 0u; });
  auto* const floats = reinterpret_cast<float*>(out);
  List<<<2, kWarp>>>(next, out);
  ListOfOne<<<1, 1>>>(next, out);
  SharedList<<<1, kWarp>>>(next, out);
  Search<<<1, kWarp>>>(sorted, out);
  Merge<<<1, kWarp>>>(runs, out);
  Gather<<<1, kWarp>>>(index, sorted, out);
  GatherTwice<<<1, kWarp>>>(index, sorted, out);
  GatherInLoop<<<1, kWarp>>>(index, sorted, out);
  GatherAndStore<<<1, kWarp>>>(index, sorted, out);
  GatherOfOne<<<1, 1>>>(index, sorted, out);
  Walk<<<1, kWarp>>>(offsets, columns, out);
  Loop<<<1, 64>>>(sorted, out);
  Rows<<<1, kWarp>>>(sorted, out);
  Product<<<dim3(4, 4), dim3(kTile, kTile)>>>(floats, floats, floats);
  Tree<<<1, 256>>>(sorted, out);
  for (unsigned* const array : {next, sorted, runs, index, offsets, columns, out}) cudaFree(array);
}

}  // namespace profile_dependent_loads
