#pragma once

// Bandwidths of DRAM, the L2 and the L1 cache, and what sectors cost.

#include "common/cudasim/predict/calibrate/timer.h"

namespace calibrate {

using lab::DeviceArray;

template <typename T>
__global__ void CopyEach(const T* in, T* out, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

__global__ void ReadEach(const float* in, float* out, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n && in[i] == -1) *out = 1;
}

__global__ void WriteEach(float* out, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 1;
}

__global__ void CopyInLoop(const float4* in, float4* out, std::size_t n) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    out[i] = in[i];
  }
}

// Each block reads `n` values `times` over, starting at its own place: from the L2 cache.
__global__ void ReadAgain(const float4* in, float* out, std::size_t n, int times) {
  float sum = 0;
  const std::size_t begin = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
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
    for (unsigned i = threadIdx.x * stride; i < count; i += blockDim.x * stride) {
      sum += own[i];
    }
  }
  if (sum == -1) *out = sum;
}

// Lane i reads or writes value i * stride: a sector each from 8 values on.
__global__ void ReadApart(const float* in, float* out, std::size_t n, unsigned stride) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n && in[i * stride] == -1) *out = 1;
}
__global__ void WriteApart(float* out, std::size_t n, unsigned stride) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = 1;
}

__device__ inline std::uint32_t Mixed(std::uint32_t x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

// Every thread reads a value at random; n is a power of two.
__global__ void ReadAtRandom(const float* in, float* out, std::size_t n) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[Mixed(i) & (n - 1)] == -1) *out = 1;
}

// A thread reads `length` values that lie side by side, as in a loop over a chunk.
__global__ void ReadChunk(const float* in, float* out, std::size_t n, unsigned length) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n / length) return;
  float sum = 0;
  for (unsigned j = 0; j < length; ++j) sum += in[i * length + j];
  if (sum == -1) *out = sum;
}

inline unsigned Blocks(std::size_t threads) { return static_cast<unsigned>((threads + 255) / 256); }

inline void MeasureStreams(const DeviceArray<float>& in, const DeviceArray<float>& out) {
  for (const double mib : {0.016, 0.25, 1.0, 4.0, 8.0, 12.0, 16.0, 20.0, 24.0, 28.0, 32.0, 40.0,
                           48.0, 64.0, 96.0, 128.0, 256.0, 512.0}) {
    const std::size_t n = static_cast<std::size_t>(mib * (1 << 18)) / 1024 * 1024;
    if (n > in.size()) continue;
    const double bytes = 4.0 * static_cast<double>(n);
    const unsigned blocks = Blocks(n);
    const auto print = [&](const char* name, double moved, double us) {
      Print(name, moved, 0, us, "us");
    };
    print("copy_each", 2 * bytes,
          Microseconds([&] { CopyEach<<<blocks, 256>>>(in.data(), out.data(), n); }));
    print("copy_each_16", 2 * bytes, Microseconds([&] {
            CopyEach<<<Blocks(n / 4), 256>>>(reinterpret_cast<const float4*>(in.data()),
                                             reinterpret_cast<float4*>(out.data()), n / 4);
          }));
    print("copy_loop_16", 2 * bytes, Microseconds([&] {
            CopyInLoop<<<kMultiprocessors * 8, 256>>>(reinterpret_cast<const float4*>(in.data()),
                                                      reinterpret_cast<float4*>(out.data()), n / 4);
          }));
    print("read_each", bytes,
          Microseconds([&] { ReadEach<<<blocks, 256>>>(in.data(), out.data(), n); }));
    print("write_each", bytes, Microseconds([&] { WriteEach<<<blocks, 256>>>(out.data(), n); }));
  }
}

inline void MeasureCaches(const DeviceArray<float>& in, const DeviceArray<float>& out) {
  for (const std::size_t mib : {1, 4, 8, 16, 24, 32, 40, 48, 64, 128}) {
    const std::size_t n = mib << 16;
    const int times = static_cast<int>(1024 / mib);
    Print("l2_read", static_cast<double>(n * 16), static_cast<double>(n) * 16 * times,
          Microseconds([&] {
            ReadAgain<<<kMultiprocessors * 4, 512>>>(reinterpret_cast<const float4*>(in.data()),
                                                     out.data(), n, times);
          }),
          "us");
  }
  // x: sectors of a request; y: requests of a multiprocessor.
  for (const unsigned stride : {1, 2, 4, 8, 16, 32}) {
    const unsigned count = 8192;
    const int times = static_cast<int>(128 * stride);
    const double requests = 2.0 * count / 32 / stride * times;
    Print("l1_read", stride, requests, Microseconds([&] {
            ReadOwn<<<kMultiprocessors * 2, 256>>>(in.data(), out.data(), count, stride, times);
          }),
          "us");
  }
}

inline void MeasureSectors(const DeviceArray<float>& in, const DeviceArray<float>& out) {
  for (const std::size_t values : {std::size_t{1} << 22, std::size_t{1} << 27}) {
    for (const unsigned stride : {1u, 2u, 4u, 8u, 16u, 32u}) {
      const std::size_t n = values / stride;
      const double sectors = static_cast<double>(n) * std::min(stride, 8u) / 8;
      const char* const read = values < (1u << 24) ? "read_apart_l2" : "read_apart_dram";
      const char* const write = values < (1u << 24) ? "write_apart_l2" : "write_apart_dram";
      Print(read, stride, sectors,
            Microseconds([&] { ReadApart<<<Blocks(n), 256>>>(in.data(), out.data(), n, stride); }),
            "us");
      Print(write, stride, sectors,
            Microseconds([&] { WriteApart<<<Blocks(n), 256>>>(out.data(), n, stride); }), "us");
    }
    Print("read_at_random", static_cast<double>(values * 4), 1 << 22, Microseconds([&] {
            ReadAtRandom<<<Blocks(1 << 22), 256>>>(in.data(), out.data(), values);
          }),
          "us");
    for (const unsigned length : {2u, 8u, 16u, 64u, 256u}) {
      Print("read_chunk", length, static_cast<double>(values), Microseconds([&] {
              ReadChunk<<<Blocks(values / length), 256>>>(in.data(), out.data(), values, length);
            }),
            "us");
    }
  }
}

}  // namespace calibrate
