#pragma once

// Latencies, throughput at low occupancy, launches and small grids.

#include "common/cudasim/predict/calibrate/memory.h"

namespace calibrate {

// next[i] is where the chase goes on from i.
__global__ void FillChase(unsigned* next, unsigned n, unsigned step) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) next[i] = (i + step) & (n - 1);
}
__global__ void Chase(const unsigned* next, unsigned* out, int hops) {
  unsigned at = 0;
  for (int i = 0; i < hops; ++i) at = next[at];
  if (at == 0xffffffffu) *out = at;
}
__global__ void ChaseShared(unsigned* out, int hops) {
  __shared__ unsigned next[1024];
  for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x) next[i] = (i + 33) & 1023;
  __syncthreads();
  unsigned at = threadIdx.x;
  for (int i = 0; i < hops; ++i) at = next[at];
  if (at == 0xffffffffu) *out = at;
}
// Each addition needs the one before.
__global__ void ChaseAtomic(unsigned* at, unsigned* out, int hops) {
  unsigned value = 0;
  for (int i = 0; i < hops; ++i) value = atomicAdd(at + (value & 15), 16u);
  if (value == 1) *out = 1;
}

// Every warp walks over its share; kAtOnce loads of it are in flight.
template <int kAtOnce>
__global__ void WalkOver(const float* in, float* out, std::size_t n) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  float x = 0;
  while (i + (kAtOnce - 1) * stride < n) {
    float got[kAtOnce];
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) {
      got[k] = in[i + k * stride];
    }
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) x += got[k];
    i += kAtOnce * stride + (x == -1 ? 1 : 0);  // the next loads depend on these
  }
  if (x == -1) *out = x;
}

__global__ void Nothing() {}
__global__ void NothingMuch(float* out) {
  if (threadIdx.x == 5000) *out = 1;
}
__global__ void Compute(float* out, int steps) {
  float x = static_cast<float>(threadIdx.x);
  for (int i = 0; i < steps; ++i) x = fmaf(x, 0.5f, 1);
  if (x == -1) *out = x;
}

inline void MeasureLatency(const DeviceArray<float>& memory, const DeviceArray<float>& out) {
  auto* const words = reinterpret_cast<unsigned*>(memory.data());
  auto* const to = reinterpret_cast<unsigned*>(out.data());
  const int hops = 4096;
  for (const unsigned kib : {16u, 64u, 1024u, 8192u, 24576u / 3 * 2, 262144u, 524288u}) {
    const unsigned n = kib * 256;
    const unsigned step = kib <= 64 ? 33 : (n / hops | 1) + 64;
    FillChase<<<Blocks(n), 256>>>(words, n, step);
    Print("chase", kib * 1024.0, 0,
          Microseconds([&] { Chase<<<1, 1>>>(words, to, hops); }, 3) / hops * 1e3, "ns");
  }
  Print("chase_shared", 0, 0,
        Microseconds([&] { ChaseShared<<<1, 32>>>(to, hops); }, 3) / hops * 1e3, "ns");
  Print("chase_atomic", 0, 0,
        Microseconds([&] { ChaseAtomic<<<1, 1>>>(words, to, hops); }, 3) / hops * 1e3, "ns");
}

inline void MeasureOccupancy(const DeviceArray<float>& in, const DeviceArray<float>& out) {
  for (const std::size_t values : {std::size_t{1} << 22, std::size_t{1} << 27}) {
    const bool small = values < (1u << 24);
    for (const unsigned warps : {1u, 2u, 4u, 8u, 16u, 32u, 48u, 64u}) {
      const unsigned blocks = kMultiprocessors * std::max(1u, warps / 4);
      const unsigned threads = std::min(warps, 4u) * 32;
      const double bytes = static_cast<double>(values) * 4;
      Print(
          small ? "walk_1_l2" : "walk_1_dram", warps, bytes,
          Microseconds([&] { WalkOver<1><<<blocks, threads>>>(in.data(), out.data(), values); }, 3),
          "us");
      Print(
          small ? "walk_4_l2" : "walk_4_dram", warps, bytes,
          Microseconds([&] { WalkOver<4><<<blocks, threads>>>(in.data(), out.data(), values); }, 3),
          "us");
    }
  }
}

inline void MeasureLaunches(const DeviceArray<float>& out) {
  Print("launch_empty", 1, 1, Microseconds([&] { Nothing<<<1, 32>>>(); }), "us");
  Print("launch_nothing_at_all", 0, 0, Microseconds([] {}), "us");
  for (const int launches : {10, 100, 1000}) {
    Print("launches_in_a_row", launches, 0, Microseconds([&] {
            for (int i = 0; i < launches; ++i) Nothing<<<1, 32>>>();
          }),
          "us");
  }
  for (const unsigned threads : {32u, 256u, 1024u}) {
    for (const unsigned blocks : {1u, 132u, 1056u, 8448u, 67584u, 270336u}) {
      Print("launch_blocks", threads, blocks,
            Microseconds([&] { NothingMuch<<<blocks, threads>>>(out.data()); }), "us");
    }
  }
  // Waves and tails: blocks of equal length, of which 8 fit on a multiprocessor.
  for (const unsigned blocks : {1u, 33u, 66u, 132u, 133u, 198u, 264u, 528u, 1056u, 1057u, 1200u,
                                1584u, 2112u, 2113u, 4224u, 4225u}) {
    Print("waves", blocks, 256, Microseconds([&] { Compute<<<blocks, 256>>>(out.data(), 8192); }),
          "us");
  }
}

}  // namespace calibrate
