// Accesses that no allocation's bounds show: misaligned ones, indices that leave a row or a
// thread's own array, host memory that is too small for a copy, and what the host passes to
// kernels.
#include <cstdlib>
#include <vector>

#include "common/cudasim/tests/bugs/bugs.h"

namespace undefined {

constexpr int kCount = 1000;

__global__ void AddFours(const float* in, float* out) {
  const float4 v = reinterpret_cast<const float4*>(in)[threadIdx.x];
  out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

PROGRAM(ReadFloat4OffItsAlignment) { AddFours<<<1, 8>>>(Zeros<float>(64) + 1, Zeros<float>(8)); }

__global__ void ReadPaddedRows(float* out) {
  __shared__ float tile[8][9];
  for (int i = 0; i < 8; ++i) tile[threadIdx.x][i] = i;
  __syncwarp();
  out[threadIdx.x] = reinterpret_cast<const float4*>(tile[threadIdx.x])->w;
}

PROGRAM(ReadPaddedSharedRow) { ReadPaddedRows<<<1, 8>>>(Zeros<float>(8)); }

__global__ void ReadOwnFours(float* out, int begin) {
  float own[32];
  for (int i = 0; i < 32; ++i) own[i] = i;
  const float4 v = *reinterpret_cast<const float4*>(own + begin);
  out[threadIdx.x] = v.x;
}

PROGRAM(ReadLocalFloat4) { ReadOwnFours<<<1, 1>>>(Zeros<float>(1), 2); }

__global__ void KeepThree(const float* in, float* out, int n) {
  float window[3];
  for (int i = 0; i < n; ++i) window[i] = in[i];
  for (int i = 0; i < n; ++i) out[i] = window[i];
}

PROGRAM(LeaveOwnArray) { KeepThree<<<1, 1>>>(Zeros<float>(4), Zeros<float>(4), 4); }

static __device__ void Clear(int* own, int n) {
  for (int i = 0; i < n; ++i) own[i] = 0;
}

__global__ void ClearByPointer(float* out) {
  int own[4];
  Clear(own, 5);
  *out = own[0];
}

PROGRAM(LeaveOwnArrayByPointer) { ClearByPointer<<<1, 1>>>(Zeros<float>(1)); }

__global__ void SumRows(float* out) {
  __shared__ float tile[8][8];
  tile[threadIdx.y][threadIdx.x] = 1;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 8; ++i) sum += tile[threadIdx.y / 2][i + 1];
  out[threadIdx.y * 8 + threadIdx.x] = sum;
}

PROGRAM(LeaveRow) { SumRows<<<1, dim3(8, 8)>>>(Zeros<float>(64)); }

__device__ int Sum(int x) {
  if (x < 0) return 0;
}

__global__ void AddUp(float* out) { *out = Sum(threadIdx.x); }

PROGRAM(EndWithoutReturn) { AddUp<<<1, 1>>>(Zeros<float>(1)); }

PROGRAM(CopyOverMalloc) {
  auto* const host = static_cast<float*>(std::malloc(sizeof(float)));
  cudaMemcpy(host, Zeros<float>(kCount), kCount * sizeof(float), cudaMemcpyDeviceToHost);
  std::free(host);
}

PROGRAM(CopyOverLocalArray) {
  float host[10];
  cudaMemcpyAsync(host, Zeros<float>(kCount), 25 * sizeof(float), cudaMemcpyDeviceToHost);
}

PROGRAM(FreeDeviceMemory) { std::free(Zeros<float>(1)); }

struct Vectors {
  const float* in;
  float* out;
};

__global__ void CopyOne(const Vectors& v) { v.out[threadIdx.x] = v.in[threadIdx.x]; }

PROGRAM(PassByReference) {
  const Vectors vectors{Zeros<float>(8), Zeros<float>(8)};
  CopyOne<<<1, 8>>>(vectors);
  cudaDeviceSynchronize();
}

__global__ void CountUp(int n, int& count) {
  if (threadIdx.x < n) atomicAdd(&count, 1);
}

PROGRAM(ReturnByReference) {
  int count = 0;
  CountUp<<<1, 8>>>(5, count);
  cudaDeviceSynchronize();
}

__constant__ float weights[8];

__global__ void Weigh(const float* with, float* out) { out[threadIdx.x] = with[threadIdx.x]; }

PROGRAM(PassNameOfConstant) {
  const float host[8] = {1, 2, 3};
  cudaMemcpyToSymbol(weights, host, sizeof(host));
  Weigh<<<1, 8>>>(weights, Zeros<float>(8));
}

PROGRAM(CopyToNameOfConstant) {
  const float host[8] = {1, 2, 3};
  cudaMemcpy(const_cast<float*>(weights), host, sizeof(host), cudaMemcpyHostToDevice);
}

}  // namespace undefined
