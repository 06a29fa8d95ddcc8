#pragma once

#include <cstdint>

// For submissions that do the lab's work and something else: Mix for one number, and its kernel.

[[maybe_unused]] static __device__ std::uint32_t Mixed(std::uint32_t value) {
  for (int round = 0; round < 64; ++round) {
    value = (value ^ value >> 16) * 0x85ebca6b;
    value = (value ^ value >> 13) * 0xc2b2ae35;
    value ^= value >> 16;
  }
  return value;
}

[[maybe_unused]] static __global__ void MixEach(const std::uint32_t* values, std::uint32_t* mixed,
                                                unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) mixed[i] = Mixed(values[i]);
}

// Neighbouring threads take elements that lie far apart: four times the sectors.
[[maybe_unused]] static __global__ void MixFarApart(const std::uint32_t* values,
                                                    std::uint32_t* mixed, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned rows = (n + 7) / 8;
  for (unsigned e = i; e < 8 * rows; e += gridDim.x * blockDim.x) {
    const unsigned place = e % 8 * rows + e / 8;
    if (place < n) mixed[place] = Mixed(values[place]);
  }
}
