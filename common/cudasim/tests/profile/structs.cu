// Structs that are copied, returned and passed by value: profile_programs_test.py has an H100's
// counts of the same kernels.
#include <cuda_runtime.h>

#include <cstring>

#include "common/cudasim/tests/programs.h"

namespace profile_structs {

template <int kFloats>
struct Floats {
  float values[kFloats];
};

struct Letters {
  char values[3];
};

struct Position {
  float x, y, z;
};

template <class T>
__device__ __noinline__ T Make(int value) {
  T made;
  memset(&made, value, sizeof(made));
  return made;
}

template <class T>
__device__ __noinline__ int Use(T used, int i) {
  return reinterpret_cast<const char*>(&used)[i % sizeof(T)];
}

// NameCopy: through shared memory.  NameCall: a store of what a call returns, and an argument.
#define KERNELS(Name, T)                                    \
  __global__ void Name##Copy(const T* in, T* out) {         \
    __shared__ T tile[32];                                  \
    const int i = threadIdx.x;                              \
    tile[i] = in[i];                                        \
    __syncthreads();                                        \
    out[i] = tile[31 - i];                                  \
  }                                                         \
  __global__ void Name##Call(T* in, int* out) {             \
    const int i = threadIdx.x;                              \
    in[i + 32] = Make<T>(i);                                \
    out[i] = Use<T>(i > 3 ? in[i] : in[0], i);              \
  }                                                         \
  void Run##Name() {                                        \
    T* in = nullptr;                                        \
    T* out = nullptr;                                       \
    cudaMalloc(&in, 64 * sizeof(T));                        \
    cudaMalloc(&out, 64 * sizeof(T));                       \
    cudaMemset(in, 0, 64 * sizeof(T));                      \
    Name##Copy<<<1, 32>>>(in, out);                         \
    Name##Call<<<1, 32>>>(in, reinterpret_cast<int*>(out)); \
    cudaDeviceSynchronize();                                \
    cudaFree(in);                                           \
    cudaFree(out);                                          \
  }

KERNELS(Floats2, Floats<2>)
KERNELS(Floats3, Floats<3>)
KERNELS(Floats4, Floats<4>)
KERNELS(Floats6, Floats<6>)
KERNELS(Floats16, Floats<16>)
KERNELS(Letters, Letters)
KERNELS(Position, Position)
KERNELS(Float3, float3)
KERNELS(Float4, float4)

PROGRAM(structs) {
  RunFloats2();
  RunFloats3();
  RunFloats4();
  RunFloats6();
  RunFloats16();
  RunLetters();
  RunPosition();
  RunFloat3();
  RunFloat4();
}

}  // namespace profile_structs
