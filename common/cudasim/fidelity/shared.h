// Loads from and stores to shared memory.
#pragma once

#include "case.h"

__global__ void SharedRows(Memory m) {
  __shared__ float tile[256];
  tile[threadIdx.x] = m.floats[GlobalIndex()];
  __syncthreads();
  m.out[GlobalIndex()] = tile[255 - threadIdx.x];
}

__global__ void SharedStride2(Memory m) {
  __shared__ float tile[512];
  tile[threadIdx.x * 2] = m.floats[GlobalIndex()];
  __syncthreads();
  m.out[GlobalIndex()] = tile[(255 - threadIdx.x) * 2];
}

__global__ void SharedStride8(Memory m) {
  __shared__ float tile[2048];
  tile[threadIdx.x * 8] = m.floats[GlobalIndex()];
  __syncthreads();
  m.out[GlobalIndex()] = tile[(255 - threadIdx.x) * 8];
}

__global__ void SharedBroadcast(Memory m) {
  __shared__ float tile[256];
  tile[threadIdx.x] = m.floats[GlobalIndex()];
  __syncthreads();
  m.out[GlobalIndex()] = tile[m.rounds];
}

__global__ void SharedScattered(Memory m) {
  __shared__ float tile[256];
  tile[threadIdx.x] = m.floats[GlobalIndex()];
  __syncthreads();
  m.out[GlobalIndex()] = tile[m.ints[GlobalIndex()] % 256];
}

__global__ void SharedBytes(Memory m) {
  __shared__ signed char tile[256];
  tile[threadIdx.x] = static_cast<signed char>(m.ints[GlobalIndex()]);
  __syncthreads();
  m.out[GlobalIndex()] = tile[255 - threadIdx.x];
}

__global__ void SharedDoubles(Memory m) {
  __shared__ double tile[256];
  tile[threadIdx.x] = m.floats[GlobalIndex()];
  __syncthreads();
  m.doubles[GlobalIndex()] = tile[255 - threadIdx.x];
}

__global__ void SharedFloat4(Memory m) {
  __shared__ float4 tile[256];
  tile[threadIdx.x] = reinterpret_cast<const float4*>(m.floats)[GlobalIndex()];
  __syncthreads();
  reinterpret_cast<float4*>(m.out)[GlobalIndex()] = tile[255 - threadIdx.x];
}

__global__ void Transpose(Memory m) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = m.floats[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  m.out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void TransposePadded(Memory m) {
  __shared__ float tile[32][33];
  tile[threadIdx.y][threadIdx.x] = m.floats[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  m.out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

inline const Case kSharedCases[] = {
    CASE(SharedRows, 4, 256),         CASE(SharedStride2, 4, 256),
    CASE(SharedStride8, 4, 256),      CASE(SharedBroadcast, 4, 256),
    CASE(SharedScattered, 4, 256),    CASE(SharedBytes, 4, 256),
    CASE(SharedDoubles, 4, 256),      CASE(SharedFloat4, 4, 256),
    CASE(Transpose, 4, dim3(32, 32)), CASE(TransposePadded, 4, dim3(32, 32)),
};
