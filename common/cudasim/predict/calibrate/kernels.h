#pragma once

// The kernels of the micro-benchmarks, each limited by one resource.

#include <cstddef>
#include <cstdint>

namespace calibrate {

constexpr int kSteps = 4096;  // of kernels that repeat one operation

__device__ inline std::size_t Thread() {
  return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
}

__global__ void Nothing() {}
__global__ void NothingMuch(float* out) {
  if (threadIdx.x == 5000) *out = 1;
}

__global__ void CountCycles(long long* cycles, long long nanoseconds) {
  long long begin = 0;
  long long now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  const long long first = clock64();
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < nanoseconds);
  *cycles = clock64() - first;
}

__global__ void Copy(const float4* in, float4* out, std::size_t n) {
  if (Thread() < n) out[Thread()] = in[Thread()];
}

// Each block reads `n` values `times` over, starting at its own place: from the L2 cache.
__global__ void ReadAgain(const float4* in, float* out, std::size_t n, int times) {
  float sum = 0;
  const std::size_t begin = Thread();
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (int t = 0; t < times; ++t) {
#pragma unroll 4
    for (std::size_t i = begin; i < n; i += stride) {
      const float4 v = __ldcg(in + i);
      sum += v.x + v.y + v.z + v.w;
    }
  }
  if (sum == -1) *out = sum;
}

// Each block reads `count` values of its own `times` over: from the L1 cache. Neighbouring lanes
// are `stride` values apart.
__global__ void ReadOwn(const float* in, float* out, unsigned count, unsigned stride, int times) {
  const float* const own = in + std::size_t{blockIdx.x} * count;
  float sum = 0;
  for (int t = 0; t < times; ++t) {
#pragma unroll 8
    for (unsigned i = threadIdx.x * stride; i < count; i += blockDim.x * stride) sum += own[i];
  }
  if (sum == -1) *out = sum;
}

// Every warp walks over its share, load after load.
__global__ void WalkOver(const float* in, float* out, std::size_t n) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  std::size_t i = Thread();
  float x = 0;
  while (i < n) {
    x += in[i];
    i += stride + (x == -1 ? 1 : 0);  // the next load depends on this one
  }
  if (x == -1) *out = x;
}

// next[i] is where a chase goes on from i; `n` is a power of two.
__global__ void FillChase(unsigned* next, unsigned n, unsigned step) {
  if (Thread() < n) next[Thread()] = (static_cast<unsigned>(Thread()) + step) & (n - 1);
}
__global__ void Chase(const unsigned* next, unsigned* out) {
  unsigned at = 0;
  for (int i = 0; i < kSteps; ++i) at = next[at];
  if (at == 0xffffffffu) *out = at;
}
__global__ void ChaseShared(unsigned* out) {
  __shared__ unsigned next[1024];
  for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x) next[i] = (i + 33) & 1023;
  __syncthreads();
  unsigned at = threadIdx.x;
  for (int i = 0; i < kSteps; ++i) at = next[at];
  if (at == 0xffffffffu) *out = at;
}
// Each addition needs the one before.
__global__ void ChaseAtomic(unsigned* at, unsigned* out) {
  unsigned value = 0;
  for (int i = 0; i < kSteps; ++i) value = atomicAdd(at + (value & 15), 16u);
  if (value == 1) *out = 1;
}

// Each step is `kChains` independent operations, of which each depends on the one before.
template <int kChains>
__global__ void FusedMultiplyAdd(float* out, float a, float b) {
  float x[kChains];
  for (int c = 0; c < kChains; ++c) x[c] = static_cast<float>(threadIdx.x + c);
#pragma unroll 8
  for (int i = 0; i < kSteps; ++i) {
#pragma unroll
    for (int c = 0; c < kChains; ++c) x[c] = fmaf(x[c], a, b);
  }
  float sum = 0;
  for (int c = 0; c < kChains; ++c) sum += x[c];
  if (sum == -1) *out = sum;
}

__global__ void Shuffle(float* out) {
  float x = static_cast<float>(threadIdx.x);
  float y = 1;
#pragma unroll 8
  for (int t = 0; t < kSteps; ++t) {
    x += __shfl_xor_sync(0xffffffffu, x, 1);
    y += __shfl_xor_sync(0xffffffffu, y, 2);
  }
  if (x + y == -1) *out = x;
}

// Loads of shared memory without conflicts.
__global__ void ReadShared(float* out) {
  __shared__ float tile[8192];
  for (unsigned i = threadIdx.x; i < 8192; i += blockDim.x) tile[i] = 0;
  __syncthreads();
  const volatile float* const mine = tile + threadIdx.x % 32;
  float sum = 0;
  for (int t = 0; t < kSteps; t += 16) {
#pragma unroll
    for (int u = 0; u < 16; ++u) sum += mine[u * 33];
  }
  if (sum == -1) *out = sum;
}

__global__ void Barriers(float* out) {
  __shared__ float tile[1024];
  tile[threadIdx.x] = 0;
  for (int t = 0; t < kSteps; ++t) __syncthreads();
  if (tile[threadIdx.x] == -1) *out = 1;
}

__device__ inline std::uint32_t Mixed(std::uint32_t x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

// Threads add to `addresses` sums, a power of two, in turn or all of a warp to one. They add a
// value that the compiler does not know, so that it cannot add up a warp's by itself.
template <bool kOneForAWarp, typename T>
__global__ void AddTo(T* sums, unsigned addresses, unsigned each, T value) {
  const auto thread = static_cast<unsigned>(Thread());
  for (unsigned j = 0; j < each; ++j) {
    const unsigned i = thread + j * gridDim.x * blockDim.x;
    const unsigned place = kOneForAWarp ? Mixed(i / 32) : i;
    atomicAdd(sums + (place & (addresses - 1)),
              static_cast<T>(value + static_cast<T>(threadIdx.x)));
  }
}

}  // namespace calibrate
