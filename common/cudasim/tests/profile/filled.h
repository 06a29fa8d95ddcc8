#pragma once

#include <cuda_runtime.h>

// An array of n numbers in device memory, value(i) at i, which nobody frees.
template <unsigned n>
unsigned* Filled(unsigned (*value)(unsigned)) {
  static unsigned host[n];
  for (unsigned i = 0; i < n; ++i) host[i] = value(i);
  unsigned* device = nullptr;
  cudaMalloc(&device, sizeof host);
  cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
  return device;
}
