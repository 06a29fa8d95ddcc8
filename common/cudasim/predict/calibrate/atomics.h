#pragma once

// What atomic operations cost: x is the number of addresses that are hit, y that of operations.

#include "common/cudasim/predict/calibrate/memory.h"

namespace calibrate {

enum class Pattern { kInTurn, kAtRandom, kOneForAWarp };

template <Pattern kPattern>
__device__ unsigned Place(unsigned i, unsigned addresses) {
  if (kPattern == Pattern::kInTurn) return i & (addresses - 1);
  if (kPattern == Pattern::kOneForAWarp) return Mixed(i / 32) & (addresses - 1);
  return Mixed(i) & (addresses - 1);
}

// Adds a value that the compiler does not know, so that it cannot add up a warp's by itself.
template <Pattern kPattern, bool kResultUsed, typename T>
__global__ void AddToGlobal(T* sums, unsigned addresses, unsigned each, T value) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned j = 0; j < each; ++j) {
    T* const sum = sums + Place<kPattern>(i + j * gridDim.x * blockDim.x, addresses);
    if (kResultUsed) {
      value += atomicAdd(sum, value);
    } else {
      atomicAdd(sum, static_cast<T>(value + static_cast<T>(threadIdx.x)));
    }
  }
  if (kResultUsed && value == T{12345}) sums[0] = value;
}

template <Pattern kPattern, bool kOne>
__global__ void AddToShared(unsigned* out, unsigned addresses, unsigned each, unsigned value) {
  __shared__ unsigned sums[8192];
  for (unsigned i = threadIdx.x; i < 8192; i += blockDim.x) sums[i] = 0;
  __syncthreads();
  for (unsigned j = 0; j < each; ++j) {
    const unsigned place = Place<kPattern>(threadIdx.x + j * blockDim.x, addresses);
    atomicAdd(sums + place, kOne ? 1 : value + threadIdx.x);
  }
  __syncthreads();
  if (sums[threadIdx.x] == 0xffffffff) *out = 1;
}

template <Pattern kPattern>
void MeasureGlobalAtomics(const char* name, const char* name_with_result, const char* name_of_float,
                          const DeviceArray<float>& memory) {
  constexpr unsigned kBlocks = kMultiprocessors * 8;
  constexpr unsigned kEach = 16;
  const double operations = double{kBlocks} * 256 * kEach;
  auto* const words = reinterpret_cast<unsigned*>(memory.data());
  for (const unsigned addresses : {1u, 2u, 8u, 32u, 256u, 4096u, 65536u, 1u << 20, 1u << 24}) {
    Print(name, addresses, operations,
          Microseconds(
              [&] { AddToGlobal<kPattern, false><<<kBlocks, 256>>>(words, addresses, kEach, 3u); },
              3),
          "us");
    Print(
        name_with_result, addresses, operations,
        Microseconds(
            [&] { AddToGlobal<kPattern, true><<<kBlocks, 256>>>(words, addresses, kEach, 3u); }, 3),
        "us");
    Print(name_of_float, addresses, operations,
          Microseconds(
              [&] {
                AddToGlobal<kPattern, false>
                    <<<kBlocks, 256>>>(memory.data(), addresses, kEach, 3.0f);
              },
              3),
          "us");
  }
}

// Operations of one multiprocessor.
template <Pattern kPattern, bool kOne>
void MeasureSharedAtomics(const char* name, const DeviceArray<float>& memory) {
  constexpr unsigned kEach = 256;
  auto* const words = reinterpret_cast<unsigned*>(memory.data());
  for (const unsigned addresses : {1u, 2u, 4u, 8u, 32u, 64u, 256u, 4096u}) {
    Print(name, addresses, 2.0 * 1024 * kEach,
          Microseconds(
              [&] {
                AddToShared<kPattern, kOne>
                    <<<kMultiprocessors * 2, 1024>>>(words, addresses, kEach, 3);
              },
              5),
          "us");
  }
}

inline void MeasureAtomics(const DeviceArray<float>& memory) {
  MeasureGlobalAtomics<Pattern::kInTurn>("atomic_in_turn", "atomic_in_turn_result",
                                         "atomic_in_turn_float", memory);
  MeasureGlobalAtomics<Pattern::kAtRandom>("atomic_at_random", "atomic_at_random_result",
                                           "atomic_at_random_float", memory);
  MeasureGlobalAtomics<Pattern::kOneForAWarp>("atomic_one_for_a_warp",
                                              "atomic_one_for_a_warp_result",
                                              "atomic_one_for_a_warp_float", memory);
  MeasureSharedAtomics<Pattern::kInTurn, false>("shared_atomic_in_turn", memory);
  MeasureSharedAtomics<Pattern::kAtRandom, false>("shared_atomic_at_random", memory);
  MeasureSharedAtomics<Pattern::kAtRandom, true>("shared_atomic_one_at_random", memory);
  MeasureSharedAtomics<Pattern::kInTurn, true>("shared_atomic_one_in_turn", memory);
}

}  // namespace calibrate
