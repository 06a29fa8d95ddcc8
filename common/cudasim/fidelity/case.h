// The arguments of every kernel of the comparison, and the entries of its table of kernels.
//
// Kernels are written so that nvcc at device -O1 keeps each access of the source: results go to
// memory, and trip counts of loops are unknown at compile time.
#pragma once

#include <cuda_fp16.h>

#include <string_view>

// All arrays have kElements elements; `floats`, `ints` and `halves` are inputs, the others outputs.
// ints[i] is a scrambled i, below kElements.
struct Memory {
  const float* floats;
  const int* ints;
  const __half* halves;
  float* out;
  int* counts;
  double* doubles;
  unsigned long long* longs;
  int rounds;  // 3
  int zero;    // 0
};

constexpr int kElements = 1 << 16;

struct Case {
  std::string_view name;  // the kernel's
  void (*kernel)(Memory);
  dim3 grid;
  dim3 block;
};

#define CASE(Kernel, grid, block) \
  Case { #Kernel, Kernel, grid, block }

__device__ inline int GlobalIndex() {
  return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}
