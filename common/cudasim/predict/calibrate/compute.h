#pragma once

// Issue rates, shared memory, shuffles and barriers of a multiprocessor.

#include "common/cudasim/predict/calibrate/memory.h"

namespace calibrate {

constexpr int kSteps = 4096;

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

// Half of the operations are on integers.
__global__ void Mix(float* out, float a, float b, unsigned k) {
  float x[2] = {static_cast<float>(threadIdx.x), 1};
  unsigned y[2] = {threadIdx.x, 1};
#pragma unroll 8
  for (int i = 0; i < kSteps; ++i) {
#pragma unroll
    for (int c = 0; c < 2; ++c) {
      x[c] = fmaf(x[c], a, b);
      y[c] = (y[c] ^ k) + k;
    }
  }
  if (x[0] + x[1] + static_cast<float>(y[0] + y[1]) == -1) *out = 1;
}

__global__ void Integers(unsigned* out, unsigned k) {
  unsigned y[4] = {threadIdx.x, 1, 2, 3};
#pragma unroll 8
  for (int i = 0; i < kSteps; ++i) {
#pragma unroll
    for (int c = 0; c < 4; ++c) y[c] = y[c] * k + k;
  }
  if (y[0] + y[1] + y[2] + y[3] == 1) *out = 1;
}

// Loads of shared memory with lanes `stride` words apart.
__global__ void ReadShared(float* out, unsigned stride, int times) {
  __shared__ float tile[8192];
  for (unsigned i = threadIdx.x; i < 8192; i += blockDim.x) tile[i] = 0;
  __syncthreads();
  const volatile float* const mine = tile + threadIdx.x % 32 * stride;
  float sum = 0;
  for (int t = 0; t < times; t += 16) {
#pragma unroll
    for (int u = 0; u < 16; ++u) sum += mine[u * 33];
  }
  if (sum == -1) *out = sum;
}
__global__ void WriteShared(float* out, unsigned stride, int times) {
  __shared__ float tile[8192];
  volatile float* const mine = tile + threadIdx.x % 32 * stride;
  for (int t = 0; t < times; t += 16) {
#pragma unroll
    for (int u = 0; u < 16; ++u) mine[u * 33] = static_cast<float>(t);
  }
  __syncthreads();
  if (tile[threadIdx.x] == -1) *out = 1;
}

__global__ void Shuffle(float* out, int times) {
  float x = static_cast<float>(threadIdx.x);
  float y = 1;
#pragma unroll 8
  for (int t = 0; t < times; ++t) {
    x += __shfl_xor_sync(0xffffffffu, x, 1);
    y += __shfl_xor_sync(0xffffffffu, y, 2);
  }
  if (x + y == -1) *out = x;
}

__global__ void Barriers(float* out, int times) {
  __shared__ float tile[1024];
  tile[threadIdx.x] = 0;
  for (int t = 0; t < times; ++t) __syncthreads();
  if (tile[threadIdx.x] == -1) *out = 1;
}

// A store, a barrier and a load of the neighbour's word: a step of a tree or a scan.
__global__ void StoreBarrierLoad(float* out, int times) {
  __shared__ float tile[1024];
  float x = static_cast<float>(threadIdx.x);
  for (int t = 0; t < times; ++t) {
    tile[threadIdx.x] = x;
    __syncthreads();
    x += tile[threadIdx.x ^ 32];
    __syncthreads();
  }
  if (x == -1) *out = 1;
}

inline void MeasureIssue(const DeviceArray<float>& out) {
  auto* const words = reinterpret_cast<unsigned*>(out.data());
  for (const unsigned warps : {1u, 4u, 8u, 16u, 32u, 64u}) {
    const unsigned blocks = kMultiprocessors * std::max(1u, warps / 8);
    const unsigned threads = std::min(warps, 8u) * 32;
    const auto print = [&](const char* name, int chains, double us) {
      Print(name, warps, static_cast<double>(warps) * kSteps * chains, us, "us");
    };
    print("ffma_1", 1,
          Microseconds([&] { FusedMultiplyAdd<1><<<blocks, threads>>>(out.data(), 0.5f, 1); }, 5));
    print("ffma_4", 4,
          Microseconds([&] { FusedMultiplyAdd<4><<<blocks, threads>>>(out.data(), 0.5f, 1); }, 5));
    print("mix", 6, Microseconds([&] { Mix<<<blocks, threads>>>(out.data(), 0.5f, 1, 3); }, 5));
    print("imad", 4, Microseconds([&] { Integers<<<blocks, threads>>>(words, 3); }, 5));
    print("shuffle", 2, Microseconds([&] { Shuffle<<<blocks, threads>>>(out.data(), kSteps); }, 5));
  }
}

inline void MeasureShared(const DeviceArray<float>& out) {
  for (const unsigned warps : {1u, 8u, 32u, 64u}) {
    const unsigned blocks = kMultiprocessors * std::max(1u, warps / 32);
    const unsigned threads = std::min(warps, 32u) * 32;
    for (const unsigned stride : {1u, 2u, 4u, 8u, 16u, 32u}) {
      const int times = 4096;
      Print("shared_read", stride, static_cast<double>(warps) * times,
            Microseconds([&] { ReadShared<<<blocks, threads>>>(out.data(), stride, times); }, 5),
            "us");
      Print("shared_write", stride, static_cast<double>(warps) * times,
            Microseconds([&] { WriteShared<<<blocks, threads>>>(out.data(), stride, times); }, 5),
            "us");
    }
  }
  for (const unsigned threads : {32u, 64u, 128u, 256u, 512u, 1024u}) {
    for (const unsigned resident : {1u, 2048 / threads}) {
      const unsigned blocks = kMultiprocessors * std::min(resident, 32u);
      Print("barrier", threads, std::min(resident, 32u),
            Microseconds([&] { Barriers<<<blocks, threads>>>(out.data(), 4096); }, 5) / 4096 * 1e3,
            "ns");
      if (threads < 64) continue;
      Print("store_barrier_load", threads, std::min(resident, 32u),
            Microseconds([&] { StoreBarrierLoad<<<blocks, threads>>>(out.data(), 4096); }, 5) /
                4096 * 1e3,
            "ns");
    }
  }
}

}  // namespace calibrate
