// Atomic operations.  Contended ones add different numbers, so that nvcc does not aggregate them.
#pragma once

#include "case.h"

__global__ void GlobalAddScattered(Memory m) {
  atomicAdd(&m.counts[m.ints[GlobalIndex()]], m.ints[GlobalIndex()]);
}

__global__ void GlobalAddFewBins(Memory m) {
  atomicAdd(&m.counts[m.ints[GlobalIndex()] % 16], m.ints[GlobalIndex()]);
}

__global__ void GlobalAddReturning(Memory m) {
  const int old = atomicAdd(&m.counts[m.ints[GlobalIndex()] % 64], m.ints[GlobalIndex()]);
  m.out[GlobalIndex()] = old >= 0 ? 1 : 0;  // old itself depends on the order
}

__global__ void GlobalMax(Memory m) {
  atomicMax(&m.counts[m.ints[GlobalIndex()] % 64], m.ints[GlobalIndex()]);
}

__global__ void GlobalAddFloats(Memory m) {
  atomicAdd(&m.out[m.ints[GlobalIndex()] % 64], m.floats[GlobalIndex()]);
}

__global__ void GlobalAddLongs(Memory m) {
  atomicAdd(&m.longs[m.ints[GlobalIndex()] % 64],
            static_cast<unsigned long long>(m.ints[GlobalIndex()]));
}

__global__ void SharedHistogram(Memory m) {
  __shared__ int bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[m.ints[GlobalIndex()] % 256], 1);
  __syncthreads();
  m.counts[GlobalIndex()] = bins[threadIdx.x];
}

__global__ void SharedSum(Memory m) {
  __shared__ int bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[m.ints[GlobalIndex()] % 16], m.ints[GlobalIndex()]);
  __syncthreads();
  if (threadIdx.x < 16) m.counts[blockIdx.x * 16 + threadIdx.x] = bins[threadIdx.x];
}

__global__ void SharedMax(Memory m) {
  __shared__ int bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicMax(&bins[m.ints[GlobalIndex()] % 16], m.ints[GlobalIndex()]);
  __syncthreads();
  if (threadIdx.x < 16) m.counts[blockIdx.x * 16 + threadIdx.x] = bins[threadIdx.x];
}

inline const Case kAtomicCases[] = {
    CASE(GlobalAddScattered, 8, 256), CASE(GlobalAddFewBins, 8, 256),
    CASE(GlobalAddReturning, 8, 256), CASE(GlobalMax, 8, 256),
    CASE(GlobalAddFloats, 8, 256),    CASE(GlobalAddLongs, 8, 256),
    CASE(SharedHistogram, 8, 256),    CASE(SharedSum, 8, 256),
    CASE(SharedMax, 8, 256),
};
