// Programs with invalid memory accesses.
#include <vector>

#include "common/cudasim/tests/bugs/bugs.h"

namespace memory {

constexpr int kCount = 1000;
constexpr int kBlock = 256;
constexpr int kGrid = (kCount + kBlock - 1) / kBlock;

__global__ void AddOne(float* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= count) values[i] = 1.0f;
}

PROGRAM(WritePastEnd) { AddOne<<<kGrid, kBlock>>>(Allocate<float>(kCount), kCount); }

__global__ void Stencil(const int* from, int* to) {
  const int i = threadIdx.x;
  to[i] = from[i - 1] + from[i];
}

PROGRAM(ReadBeforeStart) { Stencil<<<1, 64>>>(Zeros(64), Zeros(64)); }

__global__ void Scatter(double* values, long long stride) { values[threadIdx.x * stride] = 2.0; }

PROGRAM(WriteFar) { Scatter<<<1, 16>>>(Allocate<double>(16), 1000000); }

__global__ void StoreWide(float4* values) { values[threadIdx.x] = make_float4(1, 2, 3, 4); }

PROGRAM(WriteOverEnd) {  // seven and a half float4
  StoreWide<<<1, 8>>>(reinterpret_cast<float4*>(Allocate<float>(30)));
}

PROGRAM(UseAfterFree) {
  float* const values = Allocate<float>(kCount);
  cudaFree(values);
  AddOne<<<1, 32>>>(values, kCount);
}

PROGRAM(DoubleFree) {
  float* const values = Allocate<float>(kCount);
  cudaFree(values);
  cudaFree(values);
}

PROGRAM(FreeOfMiddle) { cudaFree(Allocate<float>(kCount) + 4); }

PROGRAM(HostVectorInKernel) {
  std::vector<float> values(kCount);
  AddOne<<<kGrid, kBlock>>>(values.data(), kCount);
}

float host_table[4];  // needs __device__

__global__ void ReadHostGlobal(float* out) { NOT_ON_A_GPU(out[0] = host_table[threadIdx.x]); }

PROGRAM(HostGlobalInKernel) {
  for (float& value : host_table) value = 1.0f;
  ReadHostGlobal<<<1, 1>>>(Allocate<float>(1));
}

PROGRAM(NullInKernel) { AddOne<<<1, 1>>>(nullptr, 1); }

PROGRAM(DevicePointerOnHost) { Allocate<float>(kCount)[3] = 1.0f; }

PROGRAM(CopyTooMuch) {
  std::vector<float> values(kCount * 4);
  cudaMemcpy(Allocate<float>(kCount), values.data(), values.size() * sizeof(float),
             cudaMemcpyHostToDevice);
}

PROGRAM(CopyWrongWayRound) {
  std::vector<float> values(kCount);
  cudaMemcpy(Allocate<float>(kCount), values.data(), kCount * sizeof(float),
             cudaMemcpyDeviceToHost);
}

PROGRAM(CopyToHostAsDevice) {
  std::vector<float> values(kCount);
  cudaMemcpy(values.data(), values.data(), kCount * sizeof(float), cudaMemcpyDeviceToDevice);
}

__global__ void SharedPastEnd(float* out) {
  __shared__ float tile[32];
  tile[threadIdx.x + 1] = 1.0f;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}

PROGRAM(WritePastSharedArray) { SharedPastEnd<<<1, 32>>>(Allocate<float>(32)); }

__global__ void DynamicShared() {
  extern __shared__ int scratch[];
  scratch[threadIdx.x] = 1;
}

PROGRAM(TooLittleDynamicShared) { DynamicShared<<<1, 64, 32 * sizeof(int)>>>(); }

__constant__ int limits[4];

__global__ void WriteConstant() { const_cast<int*>(limits)[threadIdx.x] = 1; }

PROGRAM(WriteToConstant) { WriteConstant<<<1, 1>>>(); }

__global__ void CopyStruct(int* out, const int* in) { memcpy(out, in, 20); }

PROGRAM(MemcpyInKernelPastEnd) { CopyStruct<<<1, 1>>>(Allocate(4), Allocate(16)); }

__global__ void Touch(int* values) { values[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

// No bug, but more memory than a small CUDASIM_SHADOW_MB allows.  The leak is there to cause a
// report.
PROGRAM(WriteWhereverAsked) { Touch<<<1024, 256>>>(Allocate(1 << 18)); }

PROGRAM(Leak) {
  for (int i = 0; i < 3; ++i) Allocate<float>(kCount);
}

__global__ void Turn(const float* angles, float* points) {
  const unsigned i = threadIdx.x;
  sincosf(angles[i], &points[2 * i], &points[2 * i + 1]);
}

PROGRAM(SineAndCosinePastEnd) { Turn<<<1, 64>>>(Zeros<float>(64), Allocate<float>(127)); }

}  // namespace memory
