// Programs with invalid memory accesses.
#include <cuda_runtime.h>

#include <vector>

#include "common/cudasim/tests/bugs/bugs.h"

namespace memory {

constexpr int kCount = 1000;
constexpr int kBlock = 256;
constexpr int kGrid = (kCount + kBlock - 1) / kBlock;

float* Allocate(int count) {
  float* pointer = nullptr;
  cudaMalloc(&pointer, count * sizeof(float));
  return pointer;
}

__global__ void AddOne(float* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= count) values[i] = 1.0f;
}

PROGRAM(WritePastEnd) {
  float* const values = Allocate(kCount);
  AddOne<<<kGrid, kBlock>>>(values, kCount);
}

__global__ void Shift(const float* from, float* to, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i + 1];
}

PROGRAM(ReadPastEnd) {
  float* const from = Allocate(kCount);
  float* const to = Allocate(kCount);
  cudaMemset(from, 0, kCount * sizeof(float));
  Shift<<<kGrid, kBlock>>>(from, to, kCount);
}

__global__ void Stencil(const int* from, int* to) {
  const int i = threadIdx.x;
  to[i] = from[i - 1] + from[i];
}

PROGRAM(ReadBeforeStart) {
  int* from = nullptr;
  int* to = nullptr;
  cudaMalloc(&from, 64 * sizeof(int));
  cudaMalloc(&to, 64 * sizeof(int));
  cudaMemset(from, 0, 64 * sizeof(int));
  Stencil<<<1, 64>>>(from, to);
}

__global__ void Scatter(double* values, long long stride) { values[threadIdx.x * stride] = 2.0; }

PROGRAM(WriteFar) {
  double* values = nullptr;
  cudaMalloc(&values, 16 * sizeof(double));
  Scatter<<<1, 16>>>(values, 1000000);
}

__global__ void StoreWide(float4* values) { values[threadIdx.x] = make_float4(1, 2, 3, 4); }

PROGRAM(WriteOverEnd) {
  float* const values = Allocate(30);  // seven and a half float4
  StoreWide<<<1, 8>>>(reinterpret_cast<float4*>(values));
}

PROGRAM(UseAfterFree) {
  float* const values = Allocate(kCount);
  cudaFree(values);
  AddOne<<<1, 32>>>(values, kCount);
}

PROGRAM(DoubleFree) {
  float* const values = Allocate(kCount);
  cudaFree(values);
  cudaFree(values);
}

PROGRAM(FreeOfMiddle) {
  float* const values = Allocate(kCount);
  cudaFree(values + 4);
}

PROGRAM(HostVectorInKernel) {
  std::vector<float> values(kCount);
  AddOne<<<kGrid, kBlock>>>(values.data(), kCount);
}

PROGRAM(HostLocalInKernel) {
  float value = 0;
  AddOne<<<1, 1>>>(&value, 1);
}

float host_table[4];  // needs __device__

__global__ void ReadHostGlobal(float* out) { NOT_ON_A_GPU(out[0] = host_table[threadIdx.x]); }

PROGRAM(HostGlobalInKernel) {
  float* const out = Allocate(1);
  for (float& value : host_table) value = 1.0f;
  ReadHostGlobal<<<1, 1>>>(out);
}

PROGRAM(NullInKernel) { AddOne<<<1, 1>>>(nullptr, 1); }

PROGRAM(DevicePointerOnHost) {
  float* const values = Allocate(kCount);
  values[3] = 1.0f;
}

PROGRAM(CopyTooMuch) {
  std::vector<float> values(kCount * 4);
  float* const on_device = Allocate(kCount);
  cudaMemcpy(on_device, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);
}

PROGRAM(CopyWrongWayRound) {
  std::vector<float> values(kCount);
  float* const on_device = Allocate(kCount);
  cudaMemcpy(on_device, values.data(), kCount * sizeof(float), cudaMemcpyDeviceToHost);
}

PROGRAM(CopyToHostAsDevice) {
  std::vector<float> values(kCount);
  cudaMemcpy(values.data(), values.data(), kCount * sizeof(float), cudaMemcpyDeviceToDevice);
}

PROGRAM(MemsetTooMuch) {
  float* const values = Allocate(kCount);
  cudaMemset(values, 0, kCount * sizeof(double));
}

__global__ void SharedPastEnd(float* out) {
  __shared__ float tile[32];
  tile[threadIdx.x + 1] = 1.0f;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}

PROGRAM(WritePastSharedArray) {
  float* const out = Allocate(32);
  SharedPastEnd<<<1, 32>>>(out);
}

__global__ void DynamicShared() {
  extern __shared__ int scratch[];
  scratch[threadIdx.x] = 1;
}

PROGRAM(TooLittleDynamicShared) { DynamicShared<<<1, 64, 32 * sizeof(int)>>>(); }

__constant__ int limits[4];

__global__ void WriteConstant() { const_cast<int*>(limits)[threadIdx.x] = 1; }

PROGRAM(WriteToConstant) { WriteConstant<<<1, 1>>>(); }

__global__ void CopyStruct(int* out, const int* in) { memcpy(out, in, 20); }

PROGRAM(MemcpyInKernelPastEnd) {
  int* memory = nullptr;
  cudaMalloc(&memory, 16);
  int* big = nullptr;
  cudaMalloc(&big, 64);
  CopyStruct<<<1, 1>>>(memory, big);
}

__global__ void Touch(int* values) { values[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

// No bug, but more memory than a small CUDASIM_SHADOW_MB allows.  The leak is there to cause a
// report.
PROGRAM(WriteWhereverAsked) {
  int* values = nullptr;
  cudaMalloc(&values, 1 << 20);
  Touch<<<1024, 256>>>(values);
}

PROGRAM(Leak) {
  for (int i = 0; i < 3; ++i) Allocate(kCount);
}

__global__ void Turn(const float* angles, float* points) {
  const unsigned i = threadIdx.x;
  sincosf(angles[i], &points[2 * i], &points[2 * i + 1]);
}

PROGRAM(SineAndCosinePastEnd) {
  float* const angles = Allocate(64);
  cudaMemset(angles, 0, 64 * sizeof(float));
  Turn<<<1, 64>>>(angles, Allocate(127));
}

}  // namespace memory
